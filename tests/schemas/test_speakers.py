"""Every payload names the kinds of device that may report it; the honest ones are among them."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingest.parse import batch as parse_batch
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Unread
from replay import rulebooks, simulate
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from schemas import events as e
from schemas import speakers
from schemas.shape import Refused
from tests.support.readings import container, json_line, reading

SIMULATE = Path(simulate.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "readings.md").read_text("utf-8")


def test_every_payload_names_its_speakers() -> None:
    assert set(speakers.SPEAKERS) == set(speakers.PAYLOADS)
    known = {*speakers.DEVICES, *speakers.PEOPLE, *speakers.GATEWAY}
    assert {kind for kinds in speakers.SPEAKERS.values() for kind in kinds} == known


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("chips", e.CardDrawn(1, "player", "9H")),
        ("chips", e.WagerSettled("W1", 500)),
        ("camera", e.RulingMade("TB:7.1", "void", "pit_manager")),
        ("camera", e.WagerPlaced("W1", "P1", "player", 500)),
        ("console", e.CardDrawn(1, "player", "9H")),
        ("console", e.StakeRead("W1", 500)),
        ("shoe", e.BettingClosed()),
        ("toaster", e.DeviceBeat(30)),
    ],
)
def test_what_a_kind_cannot_know_is_refused_at_every_door(kind: str, payload: e.Payload) -> None:
    said = reading(1, device_kind=kind, payload=payload)
    lines, boxed = json_line(said), container([said])
    doors: list[Any] = [
        *parse_batch.batch(lines),
        *parse_batch.batch(b"[" + lines + b"]"),
        *parse_batch.batch(parse_reading.frame_reading(said)),
        *parse_batch.batch(boxed),
    ]

    assert len(doors) == 4
    for each in doors:
        assert isinstance(each, Unread)
        assert (each.why.code, each.why.found) == ("not_allowed", repr(kind))
    with pytest.raises(Refused, match=r"device_kind: one of .* expected, '" + kind):
        parse_reading.json_reading(lines)


def test_nothing_that_the_seeded_house_says_is_refused() -> None:
    seats = tuple(TableSetup(f"T{n:02d}", code) for n, code in enumerate(sorted(rulebooks.codes())))
    said = SeededHouse(DayRequest("5", seats, 8, "2026-03-01", {})).readings()
    refused = {
        (type(each.payload).__name__, each.device_kind)
        for each in said
        if not speakers.may_say(each.device_kind, each.payload)
    }

    assert refused == set()


def test_nothing_that_a_fault_of_the_seeded_house_says_is_refused() -> None:
    """Whole days with every fault take minutes, so the lines that say something are read."""
    lines = "".join(path.read_text("utf-8") for path in SIMULATE.rglob("*.py"))
    said = set(re.findall(r'\(\s*(?:[a-z_.]+,\s*)?"([a-z]+)",\s*e\.([A-Z][A-Za-z]+)\(', lines))
    refused = {
        (name, kind) for kind, name in said if kind not in speakers.SPEAKERS[getattr(e, name)]
    }

    assert len(said) > 40
    assert refused == set()


def test_the_page_names_every_kind() -> None:
    for kind in (*speakers.DEVICES, *speakers.PEOPLE):
        assert f"`{kind}`" in PAGE


def test_a_reading_of_its_own_kind_is_as_it_was() -> None:
    said = replace(reading(1), err_ms=7)

    assert speakers.must_be_its_own(said) is said

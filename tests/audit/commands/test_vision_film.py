"""`roundproof vision film` and `join`: a day whose faults are found from pixels alone."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from audit.cli.errors import Code
from schemas import events as e
from tests.support.film_days import played, said, sees, written
from tests.support.small_house import Roundproof
from tests.support.tables import cases
from vision.synth.film import DAY, FELT

pytestmark = pytest.mark.slow

# A switched and a missing card; `make long` films a foreign one and two out of order as well.
FAULTS = os.environ.get("ROUNDPROOF_FILMED", "REC-01,REC-06").split(",")
Findings = Counter[tuple[str, str, str, bool]]


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """A round of one card."""
    return played(tmp_path / "day.jsonl", "TB", [(3.5, sees("player", 1, "9H"))], closed_s=6)


def found(roundproof: Roundproof, home: Path, readings: Path) -> Findings:
    """What the checks find in a day."""
    at = ("--home", home)
    assert roundproof("ingest", "file", readings, *at).code == Code.OK
    assert roundproof("replay", "--workers", "1", *at).code == Code.OK
    told = json.loads(roundproof("detect", "--json", *at).out)["findings"]
    return Counter(
        (row["check_id"], row["round_id"], row["subject"], row["certain"]) for row in told
    )


def test_faults_are_found_from_pixels_alone(tmp_path: Path, roundproof: Roundproof) -> None:
    """A small shift: rounds with a fault each are filmed, watched, judged and checked."""
    faults = [word for fault in FAULTS for word in ("--fault", fault)]
    made = tmp_path / "made"
    wish = ("--seed", "4", "--tables", "T01:TB", "--rounds", "10", *faults, "--out", made)
    assert roundproof("simulate", *wish).code == Code.OK
    planned = json.loads((made / "truth.json").read_text("utf-8"))["faults"]
    rounds = ",".join(fault["round_id"][-4:] for fault in planned)
    readings, film, seen = made / "readings.jsonl", tmp_path / "film", tmp_path / "camera.jsonl"

    filmed = roundproof(
        "vision", "film", readings, "--table", "T01", "--out", film,
        "--rounds", rounds, "--size", "1280x720", "--fps", "4",
    )  # fmt: skip
    watched = roundproof(
        "vision", "watch", film, "--layout", "TB", "--felt", film / FELT,
        "--table", "T01", "--out", seen, "--home", tmp_path / "pixels",
    )  # fmt: skip
    whole = tmp_path / "whole.jsonl"
    joined = roundproof("vision", "join", film / DAY, seen, "--out", whole)

    assert (filmed.code, watched.code, joined.code) == (Code.OK, Code.OK, Code.OK)
    from_pixels = found(roundproof, tmp_path / "pixels", whole)
    assert {row[0] for row in from_pixels} == set(FAULTS)
    assert from_pixels == found(roundproof, tmp_path / "simulated", readings)


def test_a_film_tells_how_it_is_watched(tmp_path: Path, day: Path, roundproof: Roundproof) -> None:
    out = tmp_path / "film"

    told = roundproof("vision", "film", day, "--table", "T01", "--out", out, "--size", "320x180")

    assert told.code == Code.OK
    assert told.out.startswith("1 rounds of TB: ")
    assert f"next: roundproof vision watch {out} --layout TB --felt {out}/{FELT}" in told.err
    again = roundproof("vision", "film", day, "--table", "T01", "--out", out)
    assert again.code == Code.USAGE
    assert "is there already" in again.err


@pytest.mark.parametrize(
    ("words", "code", "why"),
    cases("""
        --table T09                | 3 | table T09 expected, T01 found  | no such table
        --table T01 --rounds 7-9   | 3 | rounds of 1 to 1               | no such rounds
        --table T01 --rounds 9-7   | 2 | numbers such as 3-5,9 expected | no rounds
        --table T01 --size 12x9    | 2 | even numbers such as 1280x720  | too small
        --table T01 --deck nowhere | 3 | a deck has all 52              | no such deck
    """),
)
def test_a_film_that_cannot_be_made_is_refused(
    day: Path, roundproof: Roundproof, words: str, code: str, why: str
) -> None:
    told = roundproof("vision", "film", day, *words.split(), "--out", day.parent / "film")

    assert told.code == int(code)
    assert why in told.err
    assert not (day.parent / "film").exists()


def test_a_game_without_a_camera_is_refused(tmp_path: Path, roundproof: Roundproof) -> None:
    day = written(tmp_path / "day.jsonl", [said("pit", 1, 0, e.TermsPosted("RO", "VND"))])

    told = roundproof("vision", "film", day, "--table", "T01", "--out", tmp_path / "film")

    assert told.code == Code.NOT_FOUND
    assert "a camera at table T01 expected" in told.err


def test_readings_of_a_camera_come_in_where_they_belong(
    tmp_path: Path, day: Path, roundproof: Roundproof
) -> None:
    own = written(tmp_path / "own.jsonl", [said("camera", 9, 3.7, sees("player", 1, "9C"))])
    out = tmp_path / "whole.jsonl"

    told = roundproof("vision", "join", day, own, "--out", out)

    assert told.code == Code.OK
    lines = out.read_text("utf-8").splitlines()
    cards = [json.loads(line)["payload"].get("guesses") for line in lines]
    assert [row[0]["seen"] for row in cards if row] == ["9H", "9C"]
    assert roundproof("vision", "join", day, own, "--out", out).code == Code.USAGE

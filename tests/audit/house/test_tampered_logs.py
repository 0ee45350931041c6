"""Whoever writes to the log, the archive or the topic is found, and the place is exact.

Each table of one house is tampered with at one place of its own, so one reading judges all.
"""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from audit.house import verify_log
from ingest.kafka.client import Kafka
from ingest.kafka.log import KafkaLog
from ingest.local.log import LocalLog
from ingest.log import EVENTS, GATEWAY_STREAMS, LogReader
from schemas import events as e
from tests.broker.environment import leading_to
from tests.support import houses
from tests.support.kafka_writer import WritableKafkaLog
from tests.support.sealed_houses import event_bytes, key_made, seal
from tests.support.small_house import Roundproof, roundproof
from tests.support.tampering import ACTS, chained_anew

PLACES = int(os.environ.get("ROUNDPROOF_TAMPERS", "20"))
SIZES = (12, 30)  # events of a table at its two checkpoints

__all__ = ["roundproof"]


class Tampering(NamedTuple):
    """What is done to one table."""

    table: str
    act: str
    anew: bool  # with sequences and hashes that fit again
    at: int


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house of many tables, sealed twice."""
    home, done = key_made(tmp_path_factory.mktemp("tampered")), 0
    tables = [each.table for each in tamperings()]
    said: houses.Said = (e.BettingOpened(), "R1")
    for size in SIZES:
        with LocalLog(home / "log", GATEWAY_STREAMS) as log:
            before = {name: [r.body for r in log.read(EVENTS, name)] for name in tables}
            log.append_each(
                EVENTS,
                {
                    name: houses.bodies(name, [said] * (size - done), before[name])
                    for name in tables
                },
            )
        seal(home)
        done = size
    return home


def tamperings() -> list[Tampering]:
    """Every act as it is and chained anew, in turns, each at a place at random."""
    choose = random.Random(f"tamper {PLACES}")
    acts = [(act, anew) for act in ACTS for anew in (False, True)]
    return [
        Tampering(f"T{n}", *acts[n % len(acts)], choose.randrange(0, SIZES[-1] - 1))
        for n in range(PLACES)
    ]


def changed(home: Path, tampering: Tampering) -> list[bytes]:
    """The events of its table, after it."""
    choose = random.Random(str(tampering))
    bodies = ACTS[tampering.act](event_bytes(home, tampering.table), tampering.at, choose)
    return chained_anew(bodies) if tampering.anew else bodies


@contextmanager
def files(home: Path, folder: str) -> Iterator[LogReader]:
    """The embedded log or the archive of a copy of the house, tampered with."""
    for tampering in tamperings():
        bodies = changed(home, tampering)
        shutil.rmtree(home / folder / EVENTS / tampering.table, ignore_errors=True)
        with LocalLog(home / folder, (EVENTS,), heads=folder == "log") as log:
            log.append(EVENTS, tampering.table, bodies)
    yield LocalLog(home / folder, heads=False)


@contextmanager
def topic(home: Path, kafka: Kafka) -> Iterator[LogReader]:
    """A topic that somebody filled with other events than the house's."""
    with WritableKafkaLog(kafka, (EVENTS,)) as log:
        for tampering in tamperings():
            log.append(EVENTS, tampering.table, changed(home, tampering))
    with KafkaLog(kafka) as log:
        yield log


def expected(tampering: Tampering, kind: str) -> tuple[int, int]:
    """The first wrong record, and the checkpoint that catches it: one head a table and sealing."""
    at = tampering.at
    if kind == "kafka" and (tampering.act, tampering.anew) == ("swap", False):
        at += 1  # readers sort the topic: they find the first of the two where the second lay
    return at, len(tamperings()) * (1 if at < SIZES[0] else 2)


@pytest.mark.parametrize("folder", ["log", "archive"])
def test_in_files_the_place_is_exact(house: Path, tmp_path: Path, folder: str) -> None:
    home = Path(shutil.copytree(house, tmp_path / "house"))

    with files(home, folder) as log:
        require_exact(home, log, folder)


def test_in_a_topic_the_place_is_exact(
    house: Path, kafka: Kafka, roundproof: Roundproof, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in leading_to(kafka).items():
        monkeypatch.setenv(name, value)
    with topic(house, replace(kafka, delivery_s=30.0)) as log:
        require_exact(house, log, "kafka")

    told = roundproof("--home", house, "log", "verify", "--from", "kafka")
    assert told.code == 4
    first = next(each for each in sorted(tamperings()))
    assert f"events/{first.table} record {expected(first, 'kafka')[0]}" in told.err
    assert f"the first message under {first.table} that is no event" in told.err


def require_exact(home: Path, log: LogReader, kind: str) -> None:
    found = verify_log.verify(home, log, verify_log.trusted_keys(home))

    wrong = {lane[1]: each.wrong for each in found.lanes if each.wrong for lane in (each.lane,)}
    for tampering in tamperings():
        told = wrong.get(tampering.table)
        assert told is not None, tampering
        assert (told.offset, told.checkpoint) == expected(tampering, kind), (tampering, told)
        assert told.upto is None

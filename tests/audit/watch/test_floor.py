"""Looked at round by round and at its end, a table-day has the findings of a batch run."""

import random
from collections.abc import Sequence
from functools import partial

import pytest

from audit.run_checks import Finding
from audit.watch.floor import WIDE, Floor
from audit.watch.ledger import RAISED, Entry, Ledger
from replay import rulebooks
from replay.live import LiveTable, Settled
from replay.source import Sealed
from tests.audit.watch import batch
from tests.houses import DAY
from tests.live_days import SEATS, day


@pytest.fixture(scope="module")
def floor() -> Floor:
    return Floor()


def passes(rounds: Sequence[Settled]) -> list[list[Settled]]:
    """Rounds cut where one of them comes a second time."""
    found: list[list[Settled]] = [[]]
    for settled in rounds:
        if any(settled.round_id == other.round_id for other in found[-1]):
            found.append([])
        found[-1].append(settled)
    return found


def decided(rounds: Sequence[Settled], finding: Finding) -> bool:
    """Whether a finding is one that the rows of these rounds decide."""
    named = any(settled.round_id == finding.round_id for settled in rounds)
    return named and finding.check_id not in WIDE


def watched(
    floor: Floor, sealed: Sequence[Sealed], rng: random.Random
) -> tuple[Ledger, list[Entry]]:
    """A table-day in chunks of any size: what is published, and the last word of its end."""
    table, ledger = LiveTable(sealed[0][0].table_id, DAY, rulebooks.in_force), Ledger()
    told: list[Entry] = []
    rest = list(sealed)
    while rest:
        chunk = [rest.pop(0) for _ in range(min(len(rest), rng.choice((1, 10, 100, 700))))]
        fresh = [settled for event, sha256 in chunk for settled in table.add(event, sha256)]
        if not rest:
            fresh += table.finish()
        for rounds in passes(fresh) if fresh else ():
            told += ledger.changes(floor.settle(rounds), partial(decided, rounds))
        floor.keep_loose(table.loose)
        table.loose = {}
        if rng.random() < 0.1:
            told += ledger.changes(floor.tables([table]), lambda at: at.check_id in WIDE)
    at_the_end = list(ledger.changes(floor.day(table), lambda _: True))
    floor.forget(table.table_id)
    return ledger, told + at_the_end


@pytest.mark.parametrize("code", sorted(SEATS))
def test_in_the_end_the_findings_are_those_of_a_batch_run(floor: Floor, code: str) -> None:
    sealed = day(code, rounds=24, every=10)

    ledger, _ = watched(floor, sealed, random.Random(code))

    assert {finding.finding_id: finding for finding in ledger.raised()} == batch.findings([sealed])


def test_nearly_everything_is_found_before_the_end(floor: Floor) -> None:
    sealed = day("TB", rounds=24, every=6)

    ledger, told = watched(floor, sealed, random.Random(1))

    first = [entry for entry in told if entry.version == 1 and entry.state == RAISED]
    again = [entry for entry in told if entry.version > 1]
    assert len(first) >= len(ledger.raised()) > 4
    assert len(again) <= len(first) / 5


def test_nothing_of_a_table_stays_on_the_floor(floor: Floor) -> None:
    sealed = day("TB", rounds=24, every=6)
    once, _ = watched(floor, sealed, random.Random(1))

    again, _ = watched(floor, sealed, random.Random(2))

    assert len(once.raised()) > 4
    assert set(once.raised()) == set(again.raised())

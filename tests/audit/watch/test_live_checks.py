"""Looked at round by round and at its end, a table-day has the findings of a batch run."""

import random
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import pytest

from audit.checks.run import CheckFinding
from audit.watch.live_checks import LiveChecks, is_of_table_day
from audit.watch.published import RAISED, PublishedFinding, PublishedFindings
from replay import rulebooks
from replay.batch.source import Sealed
from replay.live.table_day import LiveTable, Settled
from tests.support import batch_findings
from tests.support.houses import DAY
from tests.support.live_days import SEATS, day

pytestmark = pytest.mark.slow


class Watched(NamedTuple):
    """What was published of a table-day."""

    published_findings: PublishedFindings
    on_the_way: list[PublishedFinding]
    at_the_end: list[PublishedFinding]


@pytest.fixture(scope="module")
def live_checks() -> LiveChecks:
    return LiveChecks()


def passes(rounds: Sequence[Settled]) -> list[list[Settled]]:
    """Rounds cut where one of them comes a second time."""
    found: list[list[Settled]] = [[]]
    for settled in rounds:
        if any(settled.round_id == other.round_id for other in found[-1]):
            found.append([])
        found[-1].append(settled)
    return found


def decided(rounds: Sequence[Settled], finding: CheckFinding) -> bool:
    """Whether a finding is one that the rows of these rounds decide."""
    named = any(settled.round_id == finding.round_id for settled in rounds)
    return named and not is_of_table_day(finding)


def watched(live_checks: LiveChecks, sealed: Sequence[Sealed], rng: random.Random) -> Watched:
    """A table-day in chunks of any size, looked at as it goes and at its end."""
    table, published_findings = (
        LiveTable(sealed[0][0].table_id, DAY, rulebooks.in_force),
        PublishedFindings(),
    )
    told: list[PublishedFinding] = []
    rest = list(sealed)
    while rest:
        chunk = [rest.pop(0) for _ in range(min(len(rest), rng.choice((1, 10, 100, 700))))]
        fresh = [settled for event, sha256 in chunk for settled in table.add(event, sha256)]
        if not rest:
            fresh += table.finish()
        for rounds in passes(fresh) if fresh else ():
            told += published_findings.changes(live_checks.settle(rounds), partial(decided, rounds))
        live_checks.day_rows.keep_loose(table.loose)
        table.loose = {}
        if rng.random() < 0.1:
            told += published_findings.changes(live_checks.tables([table]), is_of_table_day)
    at_the_end = list(published_findings.changes(live_checks.day(table), lambda _: True))
    live_checks.day_rows.forget(table.table_id)
    return Watched(published_findings, told, at_the_end)


@pytest.mark.parametrize("code", sorted(SEATS))
def test_in_the_end_the_findings_are_those_of_a_batch_run(
    live_checks: LiveChecks, code: str
) -> None:
    sealed = day(code, rounds=16, faults=3)

    done = watched(live_checks, sealed, random.Random(code))

    standing = {finding.finding_id: finding for finding in done.published_findings.raised()}
    assert standing == batch_findings.findings([sealed])


def test_nearly_everything_is_found_before_the_end(live_checks: LiveChecks) -> None:
    sealed = day("TB", rounds=60, faults=10)

    done = watched(live_checks, sealed, random.Random(1))

    standing = len(done.published_findings.raised())
    on_the_way = [entry for entry in done.on_the_way if entry.state == RAISED]
    assert standing > 4
    assert len(on_the_way) >= standing * 0.8
    assert len(done.at_the_end) <= standing * 0.2


def test_nothing_of_a_table_stays_on_the_floor(live_checks: LiveChecks) -> None:
    sealed = day("TB", rounds=60, faults=10)
    once = watched(live_checks, sealed, random.Random(1)).published_findings

    again = watched(live_checks, sealed, random.Random(2)).published_findings

    assert len(once.raised()) > 4
    assert set(once.raised()) == set(again.raised())

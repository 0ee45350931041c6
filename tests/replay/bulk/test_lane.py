"""Usual rounds in columns are what the plain lane derives, and every other round goes to it."""

import os
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from replay import rulebooks
from replay.bulk import lane as lane_module
from replay.bulk.games import sic_bo
from replay.bulk.lane import TABULATED, BulkDiffers, BulkLane
from replay.rounds import Round, fold
from replay.tables import derive
from replay.tables.dictionary import dictionary
from replay.tables.rows import Rows
from tests.mutants.mutant import mutant
from tests.support.simulated_days import DAY, events, played

# `make long` plays longer days with every fault that a game has.
ROUNDS, FAULTS = int(os.environ.get("ROUNDPROOF_BULK", "60")), "PAY-01 BET-01"
MUTANTS = ROUNDS // 30
TABLES = (*TABULATED, "TB/non_commission")


def rounds_of(table: str) -> tuple[list[Round], Rows]:
    """The folded rounds of a day with faults, and the rows of the plain lane."""
    faults = "all" if ROUNDS > 60 else FAULTS
    recorded = events(played(f"T01:{table}", ROUNDS, faults).readings)
    day = derive.DayDerivation("T01", DAY, rulebooks.in_force)
    for event in recorded:
        day.add(event, "")
    rounds = [day.fold.round(round_id) for round_id in day.fold.opened]
    rows: Rows = {}
    before = ""
    for round in rounds:
        for name, part in day.judge(round, before).rows.items():
            rows.setdefault(name, []).extend(part)
        before = round.round_id
    return rounds, rows


@pytest.mark.parametrize("table", TABLES)
def test_every_usual_round_is_derived_as_the_plain_lane_derives_it(table: str) -> None:
    rounds, _ = rounds_of(table)
    lane = BulkLane(rulebooks.in_force, sample=1)

    lane.derive(rounds)  # which stops at the first difference

    assert lane.done.compared + len(lane.done.plain) == lane.done.rounds == len(rounds)
    assert lane.done.compared > len(rounds) * 0.6
    assert sum(lane.done.reasons.values()) == len(lane.done.plain) > 0


@pytest.mark.parametrize("code", TABULATED)
def test_a_changed_day_is_derived_alike_too(code: str) -> None:
    lane = BulkLane(rulebooks.in_force, sample=1)
    for number in range(MUTANTS):
        lane.derive(list(fold(DAY, events(mutant(code, "21", number).readings))))

    others = sum(lane.done.reasons.values())
    assert lane.done.compared + others == lane.done.rounds > 0


@pytest.mark.parametrize("table", ["SA-SB", "TB", "RO"])
def test_both_lanes_together_are_the_whole_day(table: str) -> None:
    rounds, plain = rounds_of(table)
    lane = BulkLane(rulebooks.in_force, sample=10**9)

    lane.derive(rounds)

    for name in ("dues", "settlements"):
        mine = [row for part in lane.done.usual for row in _rows(getattr(part, name))]
        mine += [row for rows in lane.done.plain.values() for row in _plain(rows[name])]
        assert sorted(mine) == sorted(_plain(plain[name]))
        assert len(mine) > len(rounds)


def test_a_table_that_is_wrong_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, _ = rounds_of("SA-SB")
    wrong = copy(sic_bo.GAME)
    monkeypatch.setattr(wrong, "standing", lambda *_: ("SA-SB:8.4.1",))
    monkeypatch.setattr(sic_bo, "GAME", wrong)

    with pytest.raises(
        BulkDiffers, match=r"round T01-\d+-0001: dues\.clauses: .* by the plain lane"
    ):
        BulkLane(rulebooks.in_force).derive(rounds)


def test_a_predicate_that_is_too_wide_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, _ = rounds_of("SA-SB")
    monkeypatch.setattr(lane_module, "_mispaid", lambda *_: np.zeros(0, np.int64))

    with pytest.raises(BulkDiffers, match=r"settlements\.\w+: .* expected"):
        BulkLane(rulebooks.in_force, sample=1).derive(rounds)


def test_rounds_without_terms_or_tables_are_judged_plainly() -> None:
    rounds, _ = rounds_of("SA-SB")
    lane = BulkLane(rulebooks.in_force)
    bare = [replace(rounds[0], terms=None)]

    lane.derive(bare)

    assert lane.done.reasons == {"no tables for its game": 1}
    (rows,) = lane.done.plain.values()
    assert rows["rounds"][0][rounds_column("status")] == "unknown"


def rounds_column(name: str) -> int:
    """The place of a column of `rounds`."""
    return [column.name for column in dictionary()["rounds"].stored].index(name)


def _rows(table: object) -> list[tuple[str, ...]]:
    assert hasattr(table, "to_pylist")
    return [tuple(str(value) for value in row.values()) for row in table.to_pylist()]


def _plain(rows: Sequence[Sequence[object]]) -> list[tuple[str, ...]]:
    def shown(value: object) -> str:
        return str(list(value)) if isinstance(value, tuple) else str(value)

    return [tuple(map(shown, row)) for row in rows]

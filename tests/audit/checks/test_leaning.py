"""Checks of habits: exact under chance, silent about honest staff and players, and not for long."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import comb, exp, log
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from audit.checks import catalogue, views
from audit.checks import run as run_checks
from audit.sql import database as database_of_house
from replay.tables import dictionary
from tests.support.command_line import called

Row = dict[str, Any]
NOTHING = dict.fromkeys(
    (
        "paid",
        "collected",
        "reserve_taken",
        "returned",
        "reserve_returned",
        "commission",
        "gross_win",
    ),
    0,
)
ROUNDS, SEATS, DEALERS, DAYS = 80, 5, 4, 6  # of one table: rounds a day, players, dealers in turn


@contextmanager
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        views.lend(db)
        yield db


def evidence(tallies: list[dict[str, int]]) -> float:
    with database() as db:
        (found,) = db.execute("select leaning_evidence($1)", [tallies]).fetchone() or (0,)
        return float(found)


def tally(whole: int, part: int, marked: int, hits: int) -> dict[str, int]:
    return {"whole": whole, "part": part, "marked": marked, "hits": hits}


def chance(whole: int, part: int, marked: int, hits: int) -> float:
    return comb(part, hits) * comb(whole - part, marked - hits) / comb(whole, marked)


@pytest.mark.parametrize(("whole", "part", "marked"), [(12, 4, 3), (9, 8, 4), (5, 2, 5), (6, 6, 2)])
def test_marks_that_fall_anywhere_have_a_mean_evidence_of_one(
    whole: int, part: int, marked: int
) -> None:
    first = tally(30, 10, 2, 2)
    mean = sum(
        chance(whole, part, marked, hits) * exp(evidence([first, tally(whole, part, marked, hits)]))
        for hits in range(max(0, marked - whole + part), min(part, marked) + 1)
    )

    assert mean == pytest.approx(exp(evidence([first])))


def test_a_long_day_with_many_marks_stays_a_number() -> None:
    assert 0 < evidence([tally(100_000, 1_000, 900, 400)]) < 1e5
    assert evidence([tally(100_000, 99_000, 900, 1)]) < 0


@pytest.mark.parametrize(("share", "times"), [(0.5, 8), (0.2, 4), (0.1, 3), (0.05, 2)])
def test_a_habit_is_told_after_as_many_times_as_the_budgets_say(share: float, times: int) -> None:
    one = tally(400, round(400 * share), 1, 1)

    assert evidence([one] * (times - 1)) < log(100) <= evidence([one] * times)


class Floor:
    """One table over some days, by rows: rounds, wagers, dues, and what each check marks."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)
        self.rows: dict[str, list[Row]] = {}
        self.wagers: list[Row] = []
        for day in range(DAYS):
            for n in range(ROUNDS):
                self._round(day, n)

    def _round(self, day: int, n: int) -> None:
        keys = {"table_id": "T1", "round_id": f"R{day}-{n}", "gaming_day": f"2026-03-{day + 1:02}"}
        dealer = n * DEALERS // ROUNDS
        inspector = "I" if self.rng.random() < 0.5 else None
        self.add("rounds", **keys, game="TB", dealer_id=f"D{dealer}", inspector_id=inspector,
                 opened_seq=n, betting_ended_seq=n, betting_ended_at="2026-03-01 20:00:00",
                 status="settled", currency="VND")  # fmt: skip
        for seat in range(SEATS):
            outcome = self.rng.choice(("win", "lose"))
            wager: Row = {**keys, "wager_id": f"{keys['round_id']}-{seat}", "player_id": f"P{seat}"}
            self.add(
                "wagers", **wager, event_id=wager["wager_id"], bet="banker", stake=100, late=False
            )
            self.add("dues", **wager, outcome=outcome, bet="banker", stake=100, flags=[], **NOTHING)
            self.wagers.append(wager | {"outcome": outcome, "dealer": dealer, "by": inspector})

    def add(self, table: str, **row: Any) -> None:
        self.rows.setdefault(table, []).append(row)

    def found(self, check_id: str) -> list[Row]:
        with database() as db:
            for table, rows in self.rows.items():
                db.register("rows", pa.Table.from_pylist(rows))
                db.execute(f"insert into {table} by name from rows")
            check = catalogue.checks()[check_id]
            run_checks.prepare(db, [check])
            return run_checks.rows(db, check)

    def keys(self, wager: Row) -> Row:
        return {name: wager[name] for name in ("table_id", "round_id", "gaming_day")}


def fall(floor: Floor, wager: Row) -> None:
    keys = {**floor.keys(wager), "wager_id": wager["wager_id"], "err_ms": 0}
    for n, amount, change in ((0, 100, 0), (1, 50, -50)):
        place = {"event_id": f"S{n}{wager['wager_id']}", "seq": 1_000 + n}
        seen_at = f"2026-03-01 20:00:0{n + 1}"
        floor.add("stake_readings", **keys, **place, seen_at=seen_at, amount=amount, change=change)


def late(floor: Floor, wager: Row) -> None:
    row = next(row for row in floor.rows["wagers"] if row["wager_id"] == wager["wager_id"])
    row["late"] = True


def irregular(floor: Floor, wager: Row) -> None:
    keys = {"table_id": "T1", "round_id": wager["round_id"]}
    floor.add("irregularities", **keys, event_id=f"I{wager['wager_id']}", seq=1, kind="misdeal")


def ruled(floor: Floor, wager: Row) -> None:
    """A ruling to the good of this wager alone where it lost; else it moves nothing."""
    beside = [one for one in floor.wagers if one["round_id"] == wager["round_id"]]
    moves = wager["outcome"] == "lose"
    for one in beside:
        taken = 100 if moves and one is wager else 0
        row = {**floor.keys(one), "wager_id": one["wager_id"], "collected": taken}
        floor.add("unruled_dues", **row, paid=0, reserve_taken=0)
    person = wager["manager"]
    keys = {"table_id": "T1", "round_id": wager["round_id"], "person_id": person}
    floor.add("rulings", **keys, event_id=f"U{wager['wager_id']}", seq=1, decision="void")


def overpaid(floor: Floor, wager: Row) -> None:
    row = {**floor.keys(wager), "wager_id": wager["wager_id"], "paid": 10, "paid_gap": 10}
    floor.add("settlements", **row, commission=0, collected=0, reserve_taken=0, returned=0,
              commission_gap=0, collected_gap=0, reserve_gap=0, returned_gap=0, differs=True,
              evidence=[f"W{wager['wager_id']}"])  # fmt: skip


def signed(floor: Floor, wager: Row) -> None:
    overpaid(floor, wager)
    sign = {"table_id": "T1", "gaming_day": wager["gaming_day"], "seq": 0, "bet": "banker"}
    if sign | {"minimum": 100} not in floor.rows.get("limits", []):
        floor.add("limits", **sign, minimum=100)


Mark = Callable[[Floor, Row], None]
Leans = Callable[[Row], bool]
HABITS: dict[str, tuple[Mark, Leans, str]] = {
    "BET-04": (fall, lambda at: at["player_id"] == "P1" and at["outcome"] == "lose", "P1"),
    "BET-18": (late, lambda at: at["player_id"] == "P1" and at["dealer"] == 2, "player P1"),
    "IRR-12": (irregular, lambda at: at["dealer"] == 2, "dealer D2"),
    "IRR-13": (ruled, lambda at: at["player_id"] == "P1" and at["outcome"] == "lose", "P1"),
    "STAFF-01": (overpaid, lambda at: at["player_id"] == "P1" and at["dealer"] == 2, "D2 and P1"),
    "STAFF-02": (overpaid, lambda at: at["by"] is None, "no inspector"),
    "STAFF-04": (signed, lambda at: at["dealer"] == 2, "D2"),
    "STAFF-05": (ruled, lambda at: (at["outcome"] == "lose") == (at["manager"] == "M1"), "M1"),
}


def marked(seed: str, mark: Mark, leans: Leans, times: int) -> Floor:
    """A floor on which so many wagers of each day that lean so are marked, one a round."""
    floor = Floor(seed)
    for n, wager in enumerate(floor.wagers):
        wager["manager"] = f"M{n % 3}"
    for day in range(DAYS):
        of_day = [w for w in floor.wagers if w["gaming_day"].endswith(f"{day + 1:02}") and leans(w)]
        floor.rng.shuffle(of_day)
        for wager in {w["round_id"]: w for w in of_day[: 2 * times]}.values():
            mark(floor, wager)
    return floor


def subjects(rows: Iterable[Row]) -> list[str]:
    return [row["subject"] for row in rows]


@pytest.mark.parametrize("check_id", HABITS)
def test_a_habit_is_told_with_who_has_it(check_id: str) -> None:
    mark, leans, who = HABITS[check_id]

    found = marked(check_id, mark, leans, 3).found(check_id)

    assert who in subjects(found)
    assert not any(row["certain"] for row in found)
    assert all(row["evidence"] for row in found)


@pytest.mark.parametrize("check_id", sorted(set(HABITS) - {"STAFF-04"}))
def test_what_falls_on_anybody_is_nobodys_habit(check_id: str) -> None:
    mark, _, _ = HABITS[check_id]

    assert marked("anybody", mark, lambda _: True, 3).found(check_id) == []


@pytest.mark.parametrize("check_id", ["BET-18", "STAFF-01", "STAFF-04"])
def test_one_evening_convicts_nobody(check_id: str) -> None:
    mark, leans, _ = HABITS[check_id]

    def on_the_first_day(wager: Row) -> bool:
        return leans(wager) and wager["gaming_day"] == "2026-03-01"

    assert marked("evening", mark, on_the_first_day, 8).found(check_id) == []


@pytest.mark.parametrize(("seconds", "told"), [((30, 30, 30), ["D1 TB"]), ((30, 30, 61), [])])
def test_a_pace_that_leaves_its_band_on_three_days_is_told(
    seconds: tuple[int, ...], told: list[str]
) -> None:
    with database() as db:
        for day, pace in enumerate([60, 61, 62, 59, 60, 58, 61, *seconds]):
            for n in range(30):
                db.execute(
                    "insert into rounds (table_id, round_id, gaming_day, game, dealer_id,"
                    " opened_seq, opened_at, ended_at)"
                    " select 'T1', $1, date '2026-03-01' + $2::integer, 'TB',"
                    " 'D1', $3, timestamp '2026-03-01', timestamp '2026-03-01' + to_seconds($4)",
                    [f"R{day}-{n}", day, n, pace],
                )
            db.execute(
                "insert into events (table_id, event_id, round_id, gaming_day, seq)"
                " select 'T1', $1, $1, date '2026-03-01' + $2::integer, 0",
                [f"R{day}-0", day],
            )
        found = run_checks.rows(db, catalogue.checks()["DEAL-13"])

    assert subjects(found) == told


def test_a_tray_that_is_short_by_the_same_amount_three_times_is_found(tmp_path: Path) -> None:
    day = tmp_path / "day"
    words = ("--seed", "3", "--tables", "R01:RO", "--rounds", "30", "--fault", "PAY-14=3")
    for command in (
        ("simulate", *words, "--out", str(day)),
        ("ingest", "file", str(day / "readings.jsonl")),
        ("replay",),
    ):
        assert called("--home", str(tmp_path), *command) == 0

    with database_of_house.opened(tmp_path) as db:
        check = catalogue.checks()["STAFF-03"]
        run_checks.prepare(db, [check])
        found = run_checks.rows(db, check)

    assert [(row["subject"], len(row["evidence"])) for row in found] == [("short by 2000000", 3)]

"""One table-day as rows: what the dictionary promises is what a replay gives."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from replay import rulebooks
from replay.batch import source
from replay.tables import dictionary, sql_rows
from replay.tables.derive import Day, derive
from schemas import events as e
from tests.support import houses
from tests.support.houses import Said

PYTHON: dict[str, tuple[type[Any], ...]] = {
    "varchar": (str,),
    "varchar[]": (list, tuple),
    "bigint": (int,),
    "integer": (int,),
    "boolean": (bool,),
    "date": (str,),  # as the log has it: rows are plain values
    "double": (float,),
    "timestamp": (int,),
    "integer[]": (list,),
}

COLUMNS = """
    select table_name, column_name, lower(data_type)
    from duckdb_columns()
    where not internal
    order by table_oid, column_index
"""


def derived(said: list[Said]) -> Day:
    return derive(houses.DAY, houses.sealed("T1", said), rulebooks.in_force)


def named(day: Day, table: str) -> list[dict[str, Any]]:
    names = [column.name for column in dictionary.dictionary()[table].stored]
    return [dict(zip(names, row, strict=True)) for row in day.rows.get(table, [])]


def _unknown_because(day: Day) -> str:
    """What SQL says of the day's only round."""
    (text,) = sql_rows.arrow("rounds", day.rows["rounds"])["unknown_because"].to_pylist()
    return str(text)


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> list[Day]:
    """A simulated day of every game."""
    home = houses.simulated(tmp_path_factory.mktemp("house"))
    log = source.opened(home)
    return [
        derive(day, sealed, rulebooks.in_force)
        for table in source.tables(log)
        for day, sealed in source.table_days(log, table)
    ]


def test_every_row_is_what_the_dictionary_says(days: list[Day]) -> None:
    for day in days:
        for table, rows in day.rows.items():
            columns = dictionary.dictionary()[table].stored
            for row in rows:
                for column, value in zip(columns, row, strict=True):
                    fits = value is None or type(value) in PYTHON[column.kind]
                    assert fits, (table, column.name, value)


def test_a_simulated_day_fills_the_tables_of_its_games(days: list[Day]) -> None:
    filled = {table for day in days for table, rows in day.rows.items() if rows}

    wanted = {"events", "rounds", "wagers", "stake_readings", "dues", "payments", "cards"}
    assert wanted | {"results", "spins", "shakes", "terms", "shoes", "beats"} <= filled
    assert filled <= set(dictionary.dictionary())


def test_every_event_has_one_row_and_its_round(days: list[Day]) -> None:
    for day in days:
        events = named(day, "events")
        (row,) = named(day, "table_days")

        assert [event["seq"] for event in events] == list(range(row["events"]))
        rounds = {round["round_id"] for round in named(day, "rounds")}
        assert {event["round_id"] for event in events} - {None} == rounds


def test_money_is_conserved_in_every_settled_round(days: list[Day]) -> None:
    for day in days:
        for due in named(day, "dues"):
            assert due["collected"] + due["returned"] == due["stake"]
            assert due["paid"] + due["commission"] == due["gross_win"]
            assert due["clauses"]


def test_a_spin_is_told_from_release_to_dolly() -> None:
    day = derived([*houses.opened(), *houses.spin("R1", 3, houses.red())])

    (round,), (spin,), (due,) = (named(day, table) for table in ("rounds", "spins", "dues"))
    assert (round["status"], round["result"], round["recorded_status"]) == (
        "settled",
        "3",
        "settled",
    )
    assert (round["opened_seq"], round["first_play_seq"], round["closed_seq"]) == (2, 4, 5)
    assert (spin["revolutions"], spin["pocket"], spin["dolly"]) == (12, 3, 3)
    assert (due["outcome"], due["paid"], due["returned"]) == ("win", 100_000, 100_000)


def test_the_dolly_is_an_entry_of_the_dealer() -> None:
    (entry,) = named(derived([*houses.opened(), *houses.spin("R1", 17)]), "results")

    assert (entry["shown_by"], entry["result"], entry["said"]) == ("dolly", "17", "17")


def test_the_next_spin_knows_the_pocket_before() -> None:
    day = derived([*houses.opened(), *houses.spin("R1", 17), *houses.spin("R2", 4)])

    assert [spin["previous_pocket"] for spin in named(day, "spins")] == [None, 17]


LATE = [
    pytest.param([], 0, False, id="nothing came late"),
    pytest.param([e.WagerSettled("W1", 0, returned=0)], 1, False, id="a payment changes no due"),
    pytest.param([e.NoSpinCalled("pit_manager", "", "paying")], 1, False, id="a call is too late"),
    pytest.param([e.BallLanded(5)], 1, False, id="another ball decides nothing"),
]


@pytest.mark.parametrize(("late", "count", "changed"), LATE)
def test_events_after_the_closing_are_weighed(
    late: list[e.Payload], count: int, changed: bool
) -> None:
    day = derived([*houses.opened(), *houses.spin("R1", 3, houses.red(), late=late)])

    (round,) = named(day, "rounds")
    assert (round["late_events"], round["changed_by_late"]) == (count, changed)


def test_a_pocket_that_came_after_the_closing_changes_what_is_due() -> None:
    shown = (e.BallLanded, e.DollyPlaced)
    said = houses.spin("R1", 3, houses.red())
    late = [pair for pair in said if isinstance(pair[0], shown)]
    in_time = [pair for pair in said if not isinstance(pair[0], shown)]

    (round,) = named(derived([*houses.opened(), *in_time, *late]), "rounds")

    assert (round["status"], round["late_events"], round["changed_by_late"]) == ("settled", 2, True)


def test_a_round_without_terms_says_what_is_missing() -> None:
    day = derived([(e.TableOpened(houses.DAY), None), *houses.spin("R1", 3, houses.red())])

    (round,) = named(day, "rounds")
    assert (round["status"], round["game"]) == ("unknown", "")
    assert round["unknown_key"] == "shared.no_terms"
    assert [(wager["wager_id"], wager["late"]) for wager in named(day, "wagers")] == [("W1", None)]


def test_an_unknown_round_says_why_and_nothing_else() -> None:
    """A flag about something else, here a wager off the layout, is not the reason."""
    said = [*houses.opened(), *houses.spin("R1", 3, houses.red(), off_the_layout())]
    unread: list[Said] = [
        (e.BallLanded(None) if isinstance(payload, e.BallLanded) else payload, round_id)
        for payload, round_id in said
        if not isinstance(payload, e.DollyPlaced)
    ]

    day = derived(unread)

    (round,) = named(day, "rounds")
    assert [flag["code"] for flag in named(day, "flags")] == [
        "RESULT_UNKNOWN",
        "ILLEGAL_POSITION",
    ]
    assert round["status"] == "unknown"
    assert _unknown_because(day) == "the winning pocket is unknown: the sensor read none"


def off_the_layout() -> e.WagerPlaced:
    return e.WagerPlaced("W2", "P1", "straight:99", 5)


def test_alarms_name_the_device_and_what_was_due() -> None:
    said: list[Said] = [
        *houses.opened(),
        (e.GapFound("shoe-1", 5, 8), None),
        (e.LateArrived("T1/shoe-1/6", 2), None),
        (e.ClockStepped("shoe-1", 900), None),
        (e.TwinConflicted("T1/shoe-1/7", b"x"), None),
    ]

    alarms = named(derived(said), "alarms")

    assert [
        tuple(alarm[name] for name in ("device_id", "subject", "expected", "found"))
        for alarm in alarms
    ] == [
        ("shoe-1", "", 5, 8),
        ("shoe-1", "T1/shoe-1/6", 8, 6),
        ("shoe-1", "", None, 900),
        ("shoe-1", "T1/shoe-1/7", None, 7),
    ]


def test_a_shoe_keeps_its_burn_and_its_end() -> None:
    said: list[Said] = [
        *houses.opened(),
        (e.ShoeLoaded("S1", 8), None),
        (e.CardsBurned(5, "5H"), None),
        (e.ShoeRemoved("S1", "cut card"), None),
        (e.ShoeLoaded("S2", 8), None),
    ]

    shoes = named(derived(said), "shoes")

    assert [
        (shoe["shoe_id"], shoe["burn_card"], shoe["burn_count"], shoe["removed"]) for shoe in shoes
    ] == [
        ("S1", "5H", 5, "cut card"),
        ("S2", None, None, None),
    ]


def test_the_digest_depends_on_what_was_derived() -> None:
    one = derived([*houses.opened(), *houses.spin("R1", 3, houses.red())])
    same = derived([*houses.opened(), *houses.spin("R1", 3, houses.red())])
    other = derived([*houses.opened(), *houses.spin("R1", 4, houses.red())])

    assert one == same
    assert one.digest != other.digest


def test_the_dictionary_covers_every_table_and_column(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "empty.duckdb")) as db:
        db.execute(dictionary.sql())
        rows = db.execute(COLUMNS).fetchall()

    told = [
        (table.name, column.name, column.kind)
        for table in dictionary.dictionary().values()
        for column in table.columns
    ]
    assert rows == told
    assert all(
        column.about for table in dictionary.dictionary().values() for column in table.columns
    )

"""What an attacker keeps consistent: device numbers and clocks, tray counts, settlements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from replay.tables.dictionary import dictionary
from replay.tables.rows import Rows
from schemas import events as e

Money = tuple[int, int, int, int, int]  # paid, commission, collected, reserve taken, returned
NOTHING: Money = (0, 0, 0, 0, 0)


def numbered(readings: Sequence[e.Reading]) -> list[e.Reading]:
    """Every device counts its readings without a gap, and its clock never runs back."""
    last: dict[str, tuple[int, int]] = {}
    found = []
    for reading in readings:
        seq, clock = last.get(reading.device_id, (0, 0))
        time = max(clock, reading.occurred_at)
        last[reading.device_id] = seq + 1, time
        if (reading.device_seq, reading.occurred_at) != (seq + 1, time):
            reading = replace(reading, device_seq=seq + 1, occurred_at=time)  # noqa: PLW2901
        found.append(reading)
    return found


def balanced(readings: Sequence[e.Reading]) -> list[e.Reading]:
    """Every count of the tray is the first one and what was taken and paid since."""
    tray: int | None = None
    found = []
    for reading in readings:
        match reading.payload:
            case e.TrayCounted(amount=amount) if tray is None:
                tray = amount
            case e.TrayCounted() if tray is not None:
                reading = _saying(reading, e.TrayCounted(tray))  # noqa: PLW2901
            case e.WagerSettled() as paid if tray is not None:
                tray += paid.collected + paid.reserve_taken - paid.paid
        found.append(reading)
    return found


def fitted(readings: Sequence[e.Reading], rows: Rows) -> list[e.Reading]:
    """The rounds settled as the replay says they are due, and closed with its status."""
    dues, status = owed(rows), statuses(rows)
    found: list[e.Reading] = []
    for reading in readings:
        name = reading.round_id
        if name is None or status.get(name) in (None, "unknown"):
            found.append(reading)
            continue
        match reading.payload:
            case e.WagerSettled(wager_id=wager_id):
                due = dues.pop((name, wager_id), None)
                if due is not None:
                    found.append(_saying(reading, e.WagerSettled(wager_id, *due)))
            case e.RoundClosed():
                for key in [key for key in dues if key[0] == name]:
                    paid = e.WagerSettled(key[1], *dues.pop(key))
                    found.append(replace(reading, payload=paid))
                found.append(_saying(reading, e.RoundClosed(status[name])))
            case _:
                found.append(reading)
    return found


def owed(rows: Rows) -> dict[tuple[str, str], Money]:
    """What the rules owe on each wager that is settled, by round and wager."""
    found = {}
    for due in named("dues", rows):
        if due["outcome"] != "open":
            found[due["round_id"], due["wager_id"]] = (
                due["paid"],
                due["commission"],
                due["collected"],
                due["reserve_taken"] or 0,
                due["returned"] + (due["reserve_returned"] or 0),
            )
    return found


def settled(rows: Rows) -> dict[tuple[str, str], Money]:
    """What was seen on each wager, by round and wager."""
    found: dict[tuple[str, str], Money] = {}
    for paid in named("payments", rows):
        key = paid["round_id"] or "", paid["wager_id"]
        amounts = (
            paid["paid"],
            paid["commission"],
            paid["collected"],
            paid["reserve_taken"] or 0,
            paid["returned"],
        )
        before = found.get(key, NOTHING)
        found[key] = tuple(map(sum, zip(before, amounts, strict=True)))  # type: ignore[assignment]
    return found


def statuses(rows: Rows) -> dict[str, str]:
    """The derived status of each round."""
    return {at["round_id"]: at["status"] for at in named("rounds", rows)}


def named(table: str, rows: Rows) -> list[Mapping[str, Any]]:
    """The rows of a table with the names of their columns."""
    columns = [column.name for column in dictionary()[table].stored]
    return [dict(zip(columns, row, strict=False)) for row in rows.get(table, ())]


def _saying(reading: e.Reading, payload: e.Payload) -> e.Reading:
    """A reading with another payload; itself where it says so already."""
    return reading if reading.payload == payload else replace(reading, payload=payload)

"""Triggers: what a round must show before a live check can find anything in it.

A check's header names its triggers, and the live service runs the check on a round only where one
of them fires, or where the round has a flag that the query names. A trigger fires wherever the
check would find something, and may fire more often: the query still decides. At the end of a
table-day every live check runs over the whole day, whatever its triggers say.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from operator import itemgetter
from typing import Any

from replay.tables import dictionary

GOES_BACK = ("returned", "void")  # outcomes that need a settlement in a void round too
SETTLED = ("win", "lose", "push", "half_loss", "lose_original", *GOES_BACK)
# Outcomes that need a settlement, by recorded status; SETTLED for every other word.
NEED_SETTLEMENT: Mapping[str | None, tuple[str, ...]] = {
    None: (), "void": GOES_BACK, "free_hand": (), "unsettled": ()
}  # fmt: skip


class TriggerRows:
    """The rows of a round, and of what stood around it, by the names of their columns."""

    def __init__(self, rows: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
        self._rows = rows
        self.round = dict(zip(_columns("rounds"), rows["rounds"][0], strict=True))

    def has(self, table: str) -> bool:
        """Whether a table has any row."""
        return bool(self._rows.get(table))

    def values(self, table: str, *columns: str) -> Iterator[Any]:
        """Of every row the value of a column, or the values of several."""
        return map(_taking(table, columns), self._rows.get(table, ()))

    @cached_property
    def codes(self) -> frozenset[str]:
        """The audit codes of the round and of its wagers."""
        of_wagers = (code for flags in self.values("dues", "flags") for code in flags)
        return frozenset(self.values("flags", "code")).union(of_wagers)

    @cached_property
    def first_payments(self) -> Mapping[str, int]:
        """The place of the first payment of each wager that was settled."""
        return dict(self.values("settlements", "wager_id", "first_seq"))


Trigger = Callable[[TriggerRows], bool]


def _paid_other_than_due(rows: TriggerRows) -> bool:
    return any(rows.values("settlements", "differs"))


def _wager_not_settled(rows: TriggerRows) -> bool:
    outcomes = NEED_SETTLEMENT.get(rows.round["recorded_status"], SETTLED)
    return any(
        outcome in outcomes and wager_id not in rows.first_payments
        for wager_id, outcome in rows.values("dues", "wager_id", "outcome")
    )


def _late_stake_change(rows: TriggerRows) -> bool:
    """A stake changed after betting had ended and before it was settled."""
    ended, ended_at = rows.round["betting_ended_seq"], rows.round["betting_ended_at"]
    if ended is None:
        return False
    lying: dict[str, int] = {}
    columns = ("wager_id", "seq", "seen_at", "err_ms", "amount", "change")
    for wager_id, seq, seen_at, err_ms, amount, change in rows.values("stake_readings", *columns):
        if (
            (change or amount != lying.get(wager_id, amount))
            and (seq > ended or seen_at - (err_ms or 0) * 1_000 > ended_at)
            and seq < rows.first_payments.get(wager_id, seq + 1)
        ):
            return True
        lying[wager_id] = amount
    return False


def _chips_read_differ(rows: TriggerRows) -> bool:
    """A sensor read other chips than were entered, or none on one wager while it read others."""
    entered = dict(rows.values("wagers", "wager_id", "stake"))
    readings = list(rows.values("stake_readings", "wager_id", "amount"))
    differing = any(entered.get(wager_id, 0) != amount for wager_id, amount in readings)
    return differing or (bool(readings) and not entered.keys() <= dict(readings).keys())


def _chips_read_after_settlement(rows: TriggerRows) -> bool:
    """A sensor read chips on a wager's place after its first payment."""
    paid = rows.first_payments
    return any(
        seq > paid.get(wager_id, seq)
        for wager_id, seq in rows.values("stake_readings", "wager_id", "seq")
    )


def _sensor_contradicts_itself(rows: TriggerRows) -> bool:
    """A sensor gives a change that its amounts do not show."""
    lying: dict[str, int] = {}
    for wager_id, amount, change in rows.values("stake_readings", "wager_id", "amount", "change"):
        before = lying.get(wager_id, max(amount - (change or 0), 0))
        if change and change != amount - before:
            return True
        lying[wager_id] = amount
    return False


def _round_not_closed(rows: TriggerRows) -> bool:
    return rows.round["ended_seq"] is None


def _round_unknown(rows: TriggerRows) -> bool:
    return bool(rows.round["status"] == "unknown")


def _status_differs(rows: TriggerRows) -> bool:
    return rows.round["recorded_status"] not in (None, rows.round["status"])


def _stake_over_limit(rows: TriggerRows) -> bool:
    highest: dict[str, int] = {}
    for bet, maximum in rows.values("limits", "bet", "maximum"):
        if maximum is not None:
            highest[bet] = min(maximum, highest.get(bet, maximum))
    return any(
        stake > highest[name]
        for bet, kind, stake in rows.values("wagers", "bet", "kind", "stake")
        for name in (bet, kind)
        if name in highest
    )


def _result_differs(boxes: bool, shown_by: Collection[str], rows: TriggerRows) -> bool:
    """One of these called or showed another result than the derived one, or than part of it."""
    result = rows.round["result"]
    return bool(result) and any(
        by in shown_by
        and (boxes or not box)
        and said not in (None, result)
        and not result.startswith(f"{said} ")
        for by, box, said in rows.values("results", "shown_by", "box", "said")
    )


def _entered_result_differs(rows: TriggerRows) -> bool:
    return not rows.has("cards") and _result_differs(True, ("dealer", "dolly"), rows)


def _witnesses_differ(rows: TriggerRows) -> bool:
    return any(any(rows.values(table, "differing")) for table in ("cards", "shakes"))


def _early_play(rows: TriggerRows) -> bool:
    return rows.round["early_play_seq"] is not None


def _camera_missed_a_card(rows: TriggerRows) -> bool:
    cards = list(rows.values("cards", "position", "camera_card", "exposed"))
    missed = any(position > 0 and card is None and exposed for position, card, exposed in cards)
    return missed and any(card is not None for _, card, _ in cards)


def _first_round_of_a_shoe(rows: TriggerRows) -> bool:
    return rows.round["game"] == "TB" and rows.has("shoes")


def _terms_posted(rows: TriggerRows) -> bool:
    return rows.round["round_id"] in rows.values("terms", "round_id")


def _late_wager(rows: TriggerRows) -> bool:
    return any(rows.values("wagers", "late"))


def _late_wager_change(rows: TriggerRows) -> bool:
    return any(any(changes) for changes in rows.values("wagers", "late_changes", "withdrawn"))


def _void_with_a_result(rows: TriggerRows) -> bool:
    reported = rows.has("irregularities") or rows.has("rulings")
    return reported and rows.has("results") and rows.round["status"] == "void"


def _camera_disturbed(rows: TriggerRows) -> bool:
    return "CameraDisturbed" in rows.values("events", "type")


def _device_jammed(rows: TriggerRows) -> bool:
    return "DeviceJammed" in rows.values("events", "type")


def _round_says(column: str, rows: TriggerRows) -> bool:
    return bool(rows.round[column])


def _always(_: TriggerRows) -> bool:
    return True


def _never(_: TriggerRows) -> bool:
    return False


# The words of a header that is `live: round`, and of a view.
OF_ROUND: Mapping[str, Trigger] = {
    "any rows": _always,  # the round fills the tables that the query needs
    "own flags": _never,  # the round has a flag that the query names, which triggers every check
    "late wager": _late_wager,
    "late wager change": _late_wager_change,
    "late stake change": _late_stake_change,
    "stake over limit": _stake_over_limit,
    "chips read differ": _chips_read_differ,
    "chips read after settlement": _chips_read_after_settlement,
    "sensor contradicts itself": _sensor_contradicts_itself,
    "terms posted in the round": _terms_posted,
    "first round of a shoe": _first_round_of_a_shoe,
    "early play": _early_play,
    "paid other than due": _paid_other_than_due,
    "wager not settled": _wager_not_settled,
    "round not closed": _round_not_closed,
    "round unknown": _round_unknown,
    "changed by late events": partial(_round_says, "changed_by_late"),
    "free hand due": partial(_round_says, "free_hand_due"),
    "status differs": _status_differs,
    "void with a result": _void_with_a_result,
    "witnesses differ": _witnesses_differ,
    "entered result differs": _entered_result_differs,
    "dealer's call differs": partial(_result_differs, False, ("dealer",)),
    "displayed result differs": partial(_result_differs, False, ("shoe", "board")),
    "camera missed a card": _camera_missed_a_card,
    "device jammed": _device_jammed,
    "camera disturbed": _camera_disturbed,
}

# The words of a header that is `live: table-day`. The table raises an alarm when a device skips,
# repeats or delays a reading, when its clock is off, when it falls silent, and when a tray is
# counted (replay/live/day_rows.py).
OF_TABLE_DAY = ("table alarm",)


@cache
def _columns(table: str) -> tuple[str, ...]:
    return tuple(column.name for column in dictionary.dictionary()[table].stored)


@cache
def _taking(table: str, columns: tuple[str, ...]) -> Callable[[Any], Any]:
    return itemgetter(*map(_columns(table).index, columns))

"""Causes: what a round must show before a check can find anything in it.

A cause is as wide as the check or wider, never narrower, so that a round without it may be passed
over. Codes of the rules need no mention: a check that names one is asked wherever it was raised. A
check that is not in here is asked wherever its gate opens. At its end a table-day is looked at
without any of this.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property, partial
from operator import itemgetter
from typing import Any, NamedTuple

from replay.tables import dictionary
from replay.tables.round_rows import Rows

SURE = 0.90  # of a camera, the bound of audit/checks/views.sql
GOES_BACK = ("returned", "void")  # outcomes that want a settlement in a void round too
OWES = ("win", "lose", "push", "half_loss", "lose_original", *GOES_BACK)  # in a settled one
# What is settled in a round that was closed as something else; an unknown word closes it as well.
WANTING: Mapping[str | None, tuple[str, ...]] = {
    None: (), "void": GOES_BACK, "free_hand": (), "unsettled": ()
}  # fmt: skip
AMOUNTS = ("paid", "commission", "collected", "reserve_taken", "returned")
OWED = ("wager_id", "reserve_returned", *AMOUNTS)


class Paid(NamedTuple):
    """What was seen on a wager: the place of the first payment, and the sums of AMOUNTS."""

    first_seq: int
    sums: tuple[int, ...]


class Seen:
    """The rows of a round, and of what stood around it, by the names of their columns."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.round = dict(zip(_columns("rounds"), rows["rounds"][0], strict=True))

    def has(self, table: str) -> bool:
        """Whether a table has any row."""
        return bool(self._rows.get(table))

    def each(self, table: str, *columns: str) -> Iterator[Any]:
        """Of every row the value of a column, or the values of several."""
        return map(_taking(table, columns), self._rows.get(table, ()))

    @cached_property
    def codes(self) -> frozenset[str]:
        """The audit codes of the round and of its lines."""
        of_lines = (code for flags in self.each("dues", "flags") for code in flags)
        return frozenset(self.each("flags", "code")).union(of_lines)

    @cached_property
    def paid(self) -> Mapping[str, Paid] | None:
        """What was seen on each wager; None where only a query can tell which payments count."""
        wagers = list(self.each("wagers", "wager_id"))
        known, ended = set(wagers), self.round["ended_seq"]
        if len(known) < len(wagers) or self.has("corrections"):
            return None
        found: dict[str, Paid] = {}
        for wager_id, seq, *amounts in self.each("payments", "wager_id", "seq", *AMOUNTS):
            if wager_id not in known or (ended is not None and seq > ended):
                return None
            before = found.get(wager_id, Paid(seq, (0,) * len(AMOUNTS)))
            sums = (old + (new or 0) for old, new in zip(before.sums, amounts, strict=True))
            found[wager_id] = Paid(min(before.first_seq, seq), tuple(sums))
        return found


Cause = Callable[[Seen], bool]


def _mispaid(seen: Seen) -> bool:
    if seen.paid is None:
        return True
    for wager_id, reserve_returned, *owed in seen.each("dues", *OWED):
        if wager_id in seen.paid:
            *sums, returned = seen.paid[wager_id].sums
            if [*sums, returned - (reserve_returned or 0)] != [*owed[:3], owed[3] or 0, owed[4]]:
                return True
    return False


def _not_settled(seen: Seen) -> bool:
    wanting = WANTING.get(seen.round["recorded_status"], OWES)
    owing = {
        wager for wager, outcome in seen.each("dues", "wager_id", "outcome") if outcome in wanting
    }
    return bool(owing) and (seen.paid is None or not owing <= seen.paid.keys())


def _stake_changed_late(seen: Seen) -> bool:
    """A stake that changed after betting had ended, while the chips on it still were the wager."""
    ended, ended_at = seen.round["betting_ended_seq"], seen.round["betting_ended_at"]
    if ended is None:
        return False
    lying: dict[str, int] = {}
    columns = ("wager_id", "seq", "seen_at", "err_ms", "amount", "change")
    for wager_id, seq, seen_at, err_ms, amount, change in seen.each("stake_readings", *columns):
        paid = seen.paid.get(wager_id) if seen.paid else None
        if (
            (change or amount != lying.get(wager_id, amount))
            and (seq > ended or seen_at - (err_ms or 0) * 1_000 > ended_at)
            and (paid is None or seq < paid.first_seq)
        ):
            return True
        lying[wager_id] = amount
    return False


def _read_otherwise(seen: Seen) -> bool:
    """Chips that were not read as a wager was entered, or not at all while others were."""
    entered = dict(seen.each("wagers", "wager_id", "stake"))
    read = dict(seen.each("stake_readings", "wager_id", "amount"))
    differing = any(
        entered.get(wager_id, 0) != amount
        for wager_id, amount in seen.each("stake_readings", "wager_id", "amount")
    )
    return differing or (bool(read) and not entered.keys() <= read.keys())


def _incomplete(seen: Seen) -> bool:
    never_closed = seen.round["ended_seq"] is None
    return never_closed or seen.round["status"] == "unknown" or _not_settled(seen)


def _recorded_otherwise(seen: Seen) -> bool:
    return seen.round["recorded_status"] not in (None, seen.round["status"])


def _over_limit(seen: Seen) -> bool:
    highest: dict[str, int] = {}
    for bet, maximum in seen.each("limits", "bet", "maximum"):
        if maximum is not None:
            highest[bet] = min(maximum, highest.get(bet, maximum))
    return any(
        stake > highest[name]
        for bet, kind, stake in seen.each("wagers", "bet", "kind", "stake")
        for name in (bet, kind)
        if name in highest
    )


def _called_otherwise(boxes: bool, shown_by: Collection[str], seen: Seen) -> bool:
    result = seen.round["result"]
    return bool(result) and any(
        by in shown_by
        and (boxes or not box)
        and said not in (None, result)
        and not result.startswith(f"{said} ")
        for by, box, said in seen.each("results", "shown_by", "box", "said")
    )


def _differing(seen: Seen) -> bool:
    """A second witness that differs from the device."""
    columns = ("position", "shoe_card", "camera_card", "camera_probability", "dealer_card")
    for position, shoe, camera, probability, dealer in seen.each("cards", *columns):
        sure = camera is not None and (probability or 0) >= SURE
        device = shoe if shoe is not None else camera
        unsaid = shoe is None and position != 0
        if (sure and camera != shoe and not unsaid) or dealer not in (None, device):
            return True
    return any(
        read and guessed and sorted(read.split("-")) != sorted(guessed.split("-"))
        for read, guessed in seen.each("shakes", "faces", "camera_faces")
    )


def _played_before_close(seen: Seen) -> bool:
    return seen.round["early_play_seq"] is not None


def _unseen_card(seen: Seen) -> bool:
    cards = list(seen.each("cards", "position", "camera_card", "exposed"))
    missed = any(at > 0 and camera is None and exposed for at, camera, exposed in cards)
    return missed and any(camera is not None for _, camera, _ in cards)


def _first_of_a_shoe(seen: Seen) -> bool:
    return seen.round["game"] == "TB" and seen.has("shoes")


def _posted_in_it(seen: Seen) -> bool:
    return seen.round["round_id"] in seen.each("terms", "round_id")


def _placed_late(seen: Seen) -> bool:
    return any(seen.each("wagers", "late"))


def _late(seen: Seen) -> bool:
    return _placed_late(seen) or _stake_changed_late(seen)


def _moved(seen: Seen) -> bool:
    acted = any(any(each) for each in seen.each("wagers", "late_changes", "withdrawn"))
    return acted or _stake_changed_late(seen)


def _entered_otherwise(seen: Seen) -> bool:
    entered = partial(_called_otherwise, True, ("dealer", "dolly"))
    return _differing(seen) or (not seen.has("cards") and entered(seen))


def _void_or_recorded_otherwise(seen: Seen) -> bool:
    told = seen.has("irregularities") or seen.has("rulings")
    called_void = told and seen.has("results") and seen.round["status"] == "void"
    return _recorded_otherwise(seen) or called_void


def _disturbed(seen: Seen) -> bool:
    return "CameraDisturbed" in seen.each("events", "type")


def _says(column: str, seen: Seen) -> bool:
    return bool(seen.round[column])


def _never(_: Seen) -> bool:
    return False


# Views: those that are not in here hold something wherever the tables do that they are made of.
OF_VIEWS: Mapping[str, Cause] = {
    "mispaid": _mispaid,
    "late_readings": _stake_changed_late,
    "stake_moves": _stake_changed_late,
    "disagreements": _differing,
}

# Never: they find nothing without a code that they name.
OF_CHECKS: Mapping[str, Cause] = {
    "BET-01": _late,
    "BET-03": _moved,
    "BET-05": _never,
    "BET-06": _over_limit,
    "BET-09": _never,
    "BET-10": _never,
    "BET-11": _never,
    "BET-16": _placed_late,
    "BET-17": _never,
    "BET-19": _posted_in_it,
    "DEAL-04": _first_of_a_shoe,
    "DEAL-05": _played_before_close,
    "INT-06": _incomplete,
    "INT-07": partial(_says, "changed_by_late"),
    "INT-10": _disturbed,
    "IRR-04": _void_or_recorded_otherwise,
    "IRR-11": partial(_says, "free_hand_due"),
    "REC-02": _entered_otherwise,
    "REC-03": partial(_called_otherwise, False, ("dealer",)),
    "REC-04": partial(_called_otherwise, False, ("shoe", "board")),
    "REC-05": _differing,
    "REC-06": _unseen_card,
    "REC-07": _differing,
    "REC-10": _read_otherwise,
}


@cache
def _columns(table: str) -> tuple[str, ...]:
    return tuple(column.name for column in dictionary.dictionary()[table].columns)


@cache
def _taking(table: str, columns: tuple[str, ...]) -> Callable[[Any], Any]:
    return itemgetter(*map(_columns(table).index, columns))

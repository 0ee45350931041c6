"""Hoiana Roulette: the order in which winning wagers are paid, rulebook RO, clauses 6.3 to 6.5."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from replay.games import roulette_hoiana as game
from replay.ruled import Flag
from replay.sentence import say
from replay.wagers import Wager
from schemas import events as e

# RO:6.3.1. The even chances are named as one.
EVEN_CHANCES = ("low", "high", "red", "black", "odd", "even")
OUTSIDE = (("column",), EVEN_CHANCES, ("dozen",))
# RO:6.3.2.
INSIDE = (("six_line",), ("street",), ("corner",), ("split",), ("straight",))
# RO:6.5.2.1, the double line by value, then RO:6.5.2.2.
INSIDE_NEAR_ZERO = (
    *(("six_line",), ("first_four",), ("street",)),
    *(("corner",), ("trio",), ("split",), ("straight",)),
)
NEAR_ZERO = (0, 1, 2, 3)


def _ranks(groups: Iterable[Sequence[str]]) -> Mapping[str, int]:
    return {kind: rank for rank, kinds in enumerate(groups) for kind in kinds}


USUAL_RANK = _ranks(OUTSIDE + INSIDE)
NEAR_ZERO_RANK = _ranks(OUTSIDE + INSIDE_NEAR_ZERO)
PLACE = {position: place for place, position in enumerate(game.COVERS)}


class Payment(NamedTuple):
    """The order of payment that is due, and what was wrong with the one that was seen."""

    order: tuple[str, ...]  # ids of the winning wagers
    flags: tuple[Flag, ...]
    readings: Mapping[str, str]  # rule issues the order depends on


NONE = Payment((), (), {})


def look(
    winners: Sequence[Wager], events: Iterable[e.Event], pocket: int, one_payment: str
) -> Payment:
    """The order in which the winners are due, beside the order in which they were paid."""
    if not winners:
        return NONE
    order = due(winners, pocket, one_payment)
    players = {wager.player_id for wager in winners}
    alone = len(players) in (1, len(winners))
    readings = {} if alone or pocket in NEAR_ZERO else {"one_payment": one_payment}
    clause = breach(_paid(winners, events), pocket, one_payment)
    if not clause:
        return Payment(order, (), readings)
    note = say("RO.payment_order", order=order)
    return Payment(order, (Flag("PAYMENT_ORDER", clause, "6.3-6.5", note),), readings)


def due(winners: Sequence[Wager], pocket: int, one_payment: str) -> tuple[str, ...]:
    """The ids of the winning wagers in the order they are to be paid."""
    rank = _rank(pocket)

    def key(wager: Wager) -> tuple[int, int, int, str]:
        # Ties within a kind are free; the layout's own order keeps the answer the same always.
        return (
            rank[game.kind(wager.bet)],
            PLACE[wager.bet],
            wager.placed.stack,
            wager.wager_id,
        )

    ordered = sorted(winners, key=key)
    if _in_one_go(pocket, one_payment):
        # RO:6.4. A player's inside wins follow the earliest of them.
        ordered = [wager for wager in ordered if not _inside(wager)] + _by_player(
            [wager for wager in ordered if _inside(wager)]
        )
    return tuple(wager.wager_id for wager in ordered)


def breach(paid: Sequence[Wager], pocket: int, one_payment: str) -> str:
    """The first clause that the order of payment breaks; empty where it breaks none."""
    return next(_breaches(paid, pocket, one_payment), "")


def _paid(winners: Iterable[Wager], events: Iterable[e.Event]) -> list[Wager]:
    """The winning wagers in the order they were seen to be paid, each at its first payment."""
    by_id = {wager.wager_id: wager for wager in winners}
    paid = (
        event.payload.wager_id
        for event in events
        if isinstance(event.payload, e.WagerSettled) and event.payload.paid
    )
    return [by_id[wager_id] for wager_id in dict.fromkeys(paid) if wager_id in by_id]


def _breaches(paid: Sequence[Wager], pocket: int, one_payment: str) -> Iterator[str]:
    rank = _rank(pocket)
    outside = [wager for wager in paid if not _inside(wager)]
    inside = [wager for wager in paid if _inside(wager)]
    if outside + inside != list(paid):
        yield "RO:6.3"
    if _falls(_rank_of(wager, rank) for wager in outside):
        yield "RO:6.3.1"
    runs = [list(run) for _, run in groupby(inside, key=lambda wager: wager.player_id)]
    # Wagers paid together with the player's one before them may run ahead of others (RO:6.4).
    leaders = [run[0] for run in runs]
    if _falls(_rank_of(wager, rank) for wager in leaders) or any(
        _falls(_rank_of(wager, rank) for wager in run) for run in runs
    ):
        yield "RO:6.5.2" if pocket in NEAR_ZERO else "RO:6.3.2"
    if _in_one_go(pocket, one_payment) and len({run[0].player_id for run in runs}) < len(runs):
        yield "RO:6.4"
    if _piles_fall(outside) or _piles_fall(leaders):
        yield "RO:6.5.1"


def _piles_fall(wagers: Sequence[Wager]) -> bool:
    """Whether a lower bet of a pile was paid before one above it (RO:6.5.1)."""
    piles: dict[str, list[int]] = {}
    for wager in wagers:
        piles.setdefault(wager.bet, []).append(wager.placed.stack)
    return any(_falls(pile) for pile in piles.values())


def _by_player(ordered: Sequence[Wager]) -> list[Wager]:
    players: dict[str, list[Wager]] = {}
    for wager in ordered:
        players.setdefault(wager.player_id, []).append(wager)
    return [wager for wagers in players.values() for wager in wagers]


def _in_one_go(pocket: int, one_payment: str) -> bool:
    return pocket in NEAR_ZERO or one_payment == "always"


def _inside(wager: Wager) -> bool:
    return game.kind(wager.bet) not in game.OUTSIDE


def _rank(pocket: int) -> Mapping[str, int]:
    return NEAR_ZERO_RANK if pocket in NEAR_ZERO else USUAL_RANK


def _rank_of(wager: Wager, rank: Mapping[str, int]) -> int:
    return rank[game.kind(wager.bet)]


def _falls(numbers: Iterable[int]) -> bool:
    return any(earlier > later for earlier, later in pairwise(numbers))

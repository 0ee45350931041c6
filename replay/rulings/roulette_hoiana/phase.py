"""Hoiana Roulette: when a no spin was called.

Rulebook RO, clause 2.2: a spin lasts until its result is determined and every winner is paid. The
order of events says when that was; the word entered with the call counts where nothing else tells.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from replay.games.roulette_hoiana import Spin, SpinWord
from schemas import events as e

SPINNING, LANDED, PAYING, AFTER_PAID = PHASES = ("spinning", "landed", "paying", "after_paid")
EFFECTIVE = PHASES[:-1]


class Payments(NamedTuple):
    """Which wagers are in play, and when each was paid or taken."""

    covers: Mapping[str, frozenset[int]]  # wager to the pockets it wins on
    settled: Mapping[str, SpinWord[e.WagerSettled]]  # wager to what first settled it


def settled(events: Iterable[e.Event]) -> dict[str, SpinWord[e.WagerSettled]]:
    """When each wager was first paid or taken; a stake that only went back is neither."""
    found: dict[str, SpinWord[e.WagerSettled]] = {}
    for event in events:
        match event.payload:
            case e.WagerSettled() as seen if seen.paid or seen.collected:
                place = SpinWord(event.seq, event.event_id, seen, event.occurred_at)
                found.setdefault(seen.wager_id, place)
    return found


def phase(
    call: SpinWord[e.NoSpinCalled],
    spin: Spin,
    payments: Payments,
    marked: int | None,
    pocket: int | None,
) -> str:
    """The phase of a call: as entered, unless the order of events leaves no room for it.

    `marked` is the place of the dealer's first mark, `pocket` where the ball came to rest.
    """
    landed = spin.landed[0].seq if spin.landed else None
    winners = [] if pocket is None else paid(payments, pocket)
    earliest, latest = SPINNING, AFTER_PAID
    if winners and not all(at is not None and at.seq < call.seq for at in winners):
        latest = PAYING
    if marked is not None and marked > call.seq:
        latest = LANDED
    if landed is not None and landed > call.seq:
        latest = SPINNING
    if landed is not None and landed < call.seq:
        earliest = LANDED
    if marked is not None and marked < call.seq:
        earliest = PAYING
    over = latest == AFTER_PAID and (bool(winners) or _all_taken(call, payments, landed, marked))
    if over or any(at.seq < call.seq for at in spin.ended):
        earliest = AFTER_PAID
    entered = PHASES.index(call.word.phase)
    return PHASES[max(PHASES.index(earliest), min(entered, PHASES.index(latest)))]


def contradicted(entered: str, found: str) -> bool:
    """Whether the word is wrong; nothing hangs on whether the ball had just come to rest."""
    return entered != found and not {entered, found} <= {SPINNING, LANDED}


def _all_taken(
    call: SpinWord[e.NoSpinCalled], payments: Payments, landed: int | None, marked: int | None
) -> bool:
    """Whether the ball lay and every wager in play was taken or paid before the call."""
    known = any(at is not None and at < call.seq for at in (landed, marked))
    done = (payments.settled.get(wager_id) for wager_id in payments.covers)
    return known and bool(payments.covers) and all(at and at.seq < call.seq for at in done)


def paid(payments: Payments, pocket: int) -> list[SpinWord[e.WagerSettled] | None]:
    """When each winner was paid, None for one who was not."""
    return [
        payments.settled.get(wager_id)
        for wager_id, covers in payments.covers.items()
        if pocket in covers
    ]

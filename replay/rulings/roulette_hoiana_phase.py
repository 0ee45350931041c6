"""Hoiana Roulette: when a no spin was called.

Rulebook RO, clause 2.2: a spin lasts until its result is determined and every winner is paid. The
order of events says when that was; the word entered with the call counts where nothing else tells.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from replay.games.roulette_hoiana import Seen, Spin
from schemas import events as e

SPINNING, LANDED, PAYING, AFTER_PAID = PHASES = ("spinning", "landed", "paying", "after_paid")
EFFECTIVE = PHASES[:-1]


class Payments(NamedTuple):
    """Which wagers are in play, and when each was paid or taken."""

    covers: Mapping[str, frozenset[int]]  # wager to the pockets it wins on
    settled: Mapping[str, int]  # wager to the place in the table's order


def settled(events: Iterable[e.Event]) -> dict[str, int]:
    """When each wager was first paid or taken; a stake that only went back is neither."""
    found: dict[str, int] = {}
    for event in events:
        match event.payload:
            case e.WagerSettled() as seen if seen.paid or seen.collected:
                found.setdefault(seen.wager_id, event.seq)
    return found


def phase(
    call: Seen[e.NoSpinCalled],
    spin: Spin,
    payments: Payments,
    marked: int | None,
    pocket: int | None,
) -> str:
    """The phase of a call: as entered, unless the order of events leaves no room for it.

    `marked` is the place of the dealer's first mark, `pocket` where the ball came to rest.
    """
    landed = spin.landed[0].seq if spin.landed else None
    paid = [] if pocket is None else _paid(payments, pocket)
    earliest, latest = SPINNING, AFTER_PAID
    if paid and not all(at is not None and at < call.seq for at in paid):
        latest = PAYING
    if marked is not None and marked > call.seq:
        latest = LANDED
    if landed is not None and landed > call.seq:
        latest = SPINNING
    if landed is not None and landed < call.seq:
        earliest = LANDED
    if marked is not None and marked < call.seq:
        earliest = PAYING
    over = paid and latest == AFTER_PAID
    if over or any(at.seq < call.seq for at in spin.ended):
        earliest = AFTER_PAID
    entered = PHASES.index(call.word.phase)
    return PHASES[max(PHASES.index(earliest), min(entered, PHASES.index(latest)))]


def contradicted(entered: str, found: str) -> bool:
    """Whether the word is wrong; nothing hangs on whether the ball had just come to rest."""
    return entered != found and not {entered, found} <= {SPINNING, LANDED}


def _paid(payments: Payments, pocket: int) -> list[int | None]:
    """When each winner was paid, None for one who was not."""
    return [
        payments.settled.get(wager_id)
        for wager_id, covers in payments.covers.items()
        if pocket in covers
    ]

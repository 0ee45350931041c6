"""Bets that lay there when a shake had to be repeated: they stand and ride to the re-shake."""

from collections.abc import Collection, Iterator, Sequence

from replay.sentence import Sentence, say
from replay.wagers import Withdrawal
from schemas import events as e


def taken_back(events: Sequence[e.Event], again: Collection[e.Event | None]) -> Iterator[str]:
    """The ids of withdrawals, and of changes that lower or move a bet, which count for nothing.

    `again` are the events that showed that a shake was to be repeated. What is bet or added after
    that may be taken back as long as betting is open.
    """
    lying: dict[str, tuple[str, int]] = {}  # bet and stake
    held: dict[str, tuple[str, int]] = {}  # the same, when a shake was to be repeated
    for event in events:
        if event in again:
            held |= lying
        match event.payload:
            case e.WagerPlaced(wager_id=name, bet=bet, stake=stake) if name not in lying:
                lying[name] = (bet, stake)
            case e.WagerChanged(wager_id=name) as change if name in lying:
                changed = _changed(lying[name], change)
                if name in held and not _covers(changed, held[name]):
                    yield event.event_id
                else:
                    lying[name] = changed
            case e.WagerWithdrawn(wager_id=name) if name in held:
                yield event.event_id
            case e.WagerWithdrawn(wager_id=name):
                lying.pop(name, None)


def withdrawal(refused: Withdrawal) -> Sentence:
    """When a bet was taken back in vain."""
    if refused.early:
        return say("shared.bet_back_before_reshake")
    return say("shared.withdrawn_late")


def first_of(
    events: Sequence[e.Event], ids: Collection[str], kinds: tuple[type[e.Payload], ...]
) -> e.Event | None:
    """The first of the events with these ids that is of one of these kinds."""
    found = (
        event for event in events if event.event_id in ids and isinstance(event.payload, kinds)
    )
    return next(found, None)


def _changed(bet: tuple[str, int], change: e.WagerChanged) -> tuple[str, int]:
    where, stake = bet
    return (
        where if change.bet is None else change.bet,
        stake if change.stake is None else change.stake,
    )


def _covers(now: tuple[str, int], held: tuple[str, int]) -> bool:
    return now[0] == held[0] and now[1] >= held[1]

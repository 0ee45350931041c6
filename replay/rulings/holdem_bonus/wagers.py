"""Wagers in their betting rounds: each bet closes at its own moment (TH:2.2.4, 4.9)."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from replay.betting_end import End, cards, find
from replay.games.holdem_bonus import BETS, COMMUNITY, DEALER, DEVICE
from replay.wagers import Wager, at_close
from schemas import events as e

# TH:2.2.4. The community card whose opening ends each later bet.
ENDED_BY = {"flop": 1, "turn": 4, "river": 5}
BOARD = "the next community card"


def placed(
    events: Sequence[e.Event], dealing: str, spare: Collection[str] = ()
) -> tuple[Wager, ...]:
    """Every wager as it stood when its own betting round closed, in the order placed.

    `spare` are draws to the community that the order of the deal sends elsewhere.
    """
    bets = {
        event.payload.wager_id: event.payload.bet
        for event in events
        if isinstance(event.payload, e.WagerPlaced)
    }
    ends = closings(events, dealing, spare)
    found: dict[str, Wager] = {}
    for bet in dict.fromkeys(bets.values()):
        own = {wager_id for wager_id, named in bets.items() if named == bet}
        end = ends.get(bet, ends["ante"])
        for wager in at_close(_of(events, own, end), end, BETS.__contains__):
            found[wager.wager_id] = wager
    return tuple(found[wager_id] for wager_id in bets if wager_id in found)


def first_end(events: Sequence[e.Event]) -> End | None:
    """Where betting on Ante and Bonus ends: the call, or the first card (TH:4.7 and 4.9)."""
    return find(events, cards(_is_hand, anywhere=True))


def closings(
    events: Sequence[e.Event], dealing: str, spare: Collection[str] = ()
) -> Mapping[str, End | None]:
    """What ends betting on each bet; None where nothing did."""
    opened = opening(events, dealing, spare)
    first = first_end(events)
    later = {bet: _later(events, opened.get(slot)) for bet, slot in ENDED_BY.items()}
    return {"ante": first, "bonus": first} | later


def opening(
    events: Sequence[e.Event], dealing: str, spare: Collection[str] = (), area: str = COMMUNITY
) -> Mapping[int, int]:
    """Each community card by its number, and the place of the event that showed its face."""
    found: dict[int, int] = {}
    drawn = 0
    for n, event in enumerate(events):
        match event.payload:
            case e.CardDrawn(hand=hand) if hand == area and dealing != DEVICE:
                if event.event_id not in spare:
                    drawn += 1  # TH:4.11.3 to 4.11.6: dealt and then exposed
                    found.setdefault(drawn, n)
            case e.CardPlaced(hand=hand, slot=slot) if hand == area and not spare:
                found.setdefault(slot, n)
            case e.CardsObserved(zone=hand, slot=slot) if hand == area and not spare:
                found.setdefault(slot, n)
    return found


def _is_hand(name: str) -> bool:
    return name in (COMMUNITY, DEALER) or name.isdecimal()


def _later(events: Sequence[e.Event], opened: int | None) -> End | None:
    """What ends a later bet: its community card, or before that what showed the outcome.

    A settlement before the card shows nothing of it: a folded hand is collected at once.
    """
    card = None if opened is None else events[opened]
    kept = (event for event in events if not _shows_nothing(event, card))
    return find(tuple(kept), lambda at: BOARD if at is card else "")


def _shows_nothing(event: e.Event, card: e.Event | None) -> bool:
    match event.payload:
        case e.BettingClosed():
            return True
        case e.WagerSettled(paid=paid):
            return card is not None or not paid
    return False


def _of(events: Sequence[e.Event], own: set[str], end: End | None) -> Iterator[e.Event]:
    """What was done to some wagers, and what ended betting on them."""
    for event in events:
        match event.payload:
            case e.WagerPlaced() | e.WagerChanged() | e.WagerWithdrawn() as act:
                if act.wager_id in own:
                    yield event
            case _ if end is not None and event is end.event:
                yield event

"""Wagers in their betting rounds: each bet closes at its own moment (TH:2.2.4, 4.9)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from replay.games.holdem_bonus import BETS, COMMUNITY, DEVICE
from replay.wagers import Wager, at_close
from schemas import events as e

# TH:2.2.4. The community card whose opening ends each later bet.
ENDED_BY = {"flop": 1, "turn": 4, "river": 5}


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
        for wager in at_close(_one_round(events, own, end), BETS.__contains__):
            found[wager.wager_id] = wager
    return tuple(found[wager_id] for wager_id in bets if wager_id in found)


def closings(
    events: Sequence[e.Event], dealing: str, spare: Collection[str] = ()
) -> Mapping[str, int]:
    """The place of the event that closes each bet; beyond the last event where none did."""
    first = (n for n, at in enumerate(events) if isinstance(at.payload, e.BettingClosed))
    cards = (n for n, at in enumerate(events) if isinstance(at.payload, e.CardDrawn))
    never = len(events)
    opened = opening(events, dealing, spare)
    called = min(next(first, never), next(cards, never))  # TH:4.7 and 4.9
    later = {bet: opened.get(slot, never) for bet, slot in ENDED_BY.items()}
    return {"ante": called, "bonus": called} | later


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


def _one_round(events: Sequence[e.Event], own: set[str], end: int) -> Iterator[e.Event]:
    """What was done to some wagers, with their closing in its place."""
    for n, event in enumerate(events):
        if n == end:
            yield replace(event, payload=e.BettingClosed())
        match event.payload:
            case e.WagerPlaced() | e.WagerChanged() | e.WagerWithdrawn() as act:
                if act.wager_id in own:
                    yield event

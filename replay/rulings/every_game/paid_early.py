"""Wagers that were paid or taken before their result could be known.

A result shows with the first card, the ball at rest, the dice or the tokens in sight; each game
says what that is (`replay/betting_end.py`). A hand of cards is known with its last card, but for
what a game lets a dealer settle earlier. The order of events decides; a clock clears what only came
late.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from replay import payments
from replay.betting_end import CALLED, CLOSED, End
from replay.ruled import Step
from replay.sentence import say
from replay.settle import Due
from schemas import events as e

BEFORE_PLAY, BEFORE_RESULT = "SETTLED_BEFORE_PLAY", "SETTLED_BEFORE_RESULT"

DEALT = (e.CardDrawn, e.CardPlaced)
SHOWS = (
    *DEALT, e.CardExposed, e.CardsObserved, e.BallLanded, e.DollyPlaced, e.ShakerStopped,
    e.ShakerOpened, e.DiceObserved, e.BowlRemoved, e.TokensRevealed, e.TokensObserved,
)  # fmt: skip
NO_HANDS = ("", "burn", "game")  # where a card is put that is part of no hand

Ends = Callable[[Sequence[e.Event]], End | None]


def told(
    events: Sequence[e.Event],
    ends: Ends,
    dues: Iterable[Due],
    may_come_early: Callable[[Due], bool],
) -> Iterator[tuple[str, Step]]:
    """Each settlement that came too early, with its code; `ends` says where betting ends."""
    places = {event.event_id: n for n, event in enumerate(events)}
    moved = list(_moved(events))
    shows = [event for event in events if isinstance(event.payload, SHOWS)]
    if not moved or not any(_follows(at, moved[0], places) for at in shows):
        return
    shown, lines = _shown(events, ends), {due.wager_id: due for due in dues}
    # a card after the close is part of no hand, and is told of as such
    dealt = [at for at in reversed(payments.until_closed(events)) if _is_dealt(at)]
    early: dict[tuple[str, str], list[e.Event]] = {}
    for paid in moved:
        assert isinstance(paid.payload, e.WagerSettled)
        wager_id = paid.payload.wager_id
        due = lines.get(wager_id)
        if shown and _before(paid, shown, places):
            early.setdefault((BEFORE_PLAY, wager_id), [shown]).append(paid)
        elif due and not may_come_early(due):
            last = next((at for at in dealt if _before(paid, at, places)), None)
            if last:
                early.setdefault((BEFORE_RESULT, wager_id), [last]).append(paid)
    for (code, wager_id), (seen, *paids) in early.items():
        evidence = (*(at.event_id for at in paids), seen.event_id)
        text = (
            say("shared.settled_before_play", wager=wager_id)
            if code == BEFORE_PLAY
            else say("shared.settled_before_result", wager=wager_id)
        )
        yield code, Step(text, evidence=evidence, wager_id=wager_id)


def _moved(events: Sequence[e.Event]) -> Iterator[e.Event]:
    """Settlements of the round's own wagers that paid or took something."""
    placed = {
        event.payload.wager_id for event in events if isinstance(event.payload, e.WagerPlaced)
    }
    for event in payments.standing(events):
        match event.payload:
            case e.WagerSettled() as seen if seen.wager_id in placed:
                if seen.paid or seen.collected or seen.reserve_taken:
                    yield event


def _shown(events: Sequence[e.Event], ends: Ends) -> e.Event | None:
    """What first showed something of the result; a call where nothing else was seen of it."""
    without = (e.BettingClosed, e.WagerSettled)
    found = ends(_except(events, without))
    if found and found.by == CALLED:
        seen = ends(_except(events, (*without, e.ResultCalled)))
        found = found if seen is None or seen.by == CLOSED else seen
    return None if found is None or found.by == CLOSED else found.event


def _except(events: Iterable[e.Event], kinds: tuple[type[e.Payload], ...]) -> list[e.Event]:
    return [event for event in events if not isinstance(event.payload, kinds)]


def _is_dealt(event: e.Event) -> bool:
    return isinstance(event.payload, DEALT) and event.payload.hand not in NO_HANDS


def _before(paid: e.Event, shown: e.Event, places: Mapping[str, int]) -> bool:
    """Whether a settlement came before something; not where clocks say that this came late."""
    bounds = (paid.err_ms + shown.err_ms) * 1_000
    cleared = paid.occurred_at - shown.occurred_at > bounds
    return _follows(shown, paid, places) and not cleared


def _follows(event: e.Event, first: e.Event, places: Mapping[str, int]) -> bool:
    return places[event.event_id] > places[first.event_id]

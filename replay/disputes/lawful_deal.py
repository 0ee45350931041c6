"""How a round would have gone had the cards been dealt by the rules: the same shoe, card by card.

The shoe's own record says which cards came out after the round began, also those that later rounds
got. Dealt in that order by the rules of play, without the mistake and without what was ruled
because of it, they give another round: a supposition, and marked as one. Where the lawful deal
takes more or fewer cards than left the shoe, every later round of the shoe would have got others.

Where players choose between the cards (TH), it is supposed that they choose as they did: each card
stands where the card that its place really got stood, between the same bets.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from replay import game_modules
from replay.judge import Judgement, judge
from replay.rounds import OF_THE_SHOE, Round
from schemas import events as e
from schemas.cards import Card, card

# What is left out: the cards as they lay, and what people did and said because of the mistake.
LEFT_OUT = (
    e.CardDrawn, e.CardPlaced, e.CardsObserved, e.CardExposed, e.CardHandled, e.ShoeExhausted,
    e.IrregularityReported, e.RulingMade, e.RoundVoided, e.FreeHandDeclared, e.ResultCalled,
    e.CorrectionMade,
)  # fmt: skip
# Of these, the ones that say that something went wrong.
WENT_WRONG = (
    e.CardExposed, e.IrregularityReported, e.RulingMade, e.RoundVoided, e.ShoeExhausted,
)  # fmt: skip

# What is remarked of any deal that is supposed: the table called and paid another one.
OF_WHAT_WAS_PAID = ("SETTLEMENT_MISMATCH", "RESULT_MISMATCH")


class LawfulDeal(NamedTuple):
    """The round as it would have gone, or why that cannot be said."""

    judged: Judgement | None
    cards: tuple[tuple[str, str], ...] = ()  # hand and card, in the order of the shoe
    drawn: int = 0  # cards that left the shoe in the round
    chosen: bool = False  # players choose between the cards: as they did, it is supposed
    later_rounds: tuple[str, ...] = ()  # rounds that would have got other cards
    unknown: str = ""


def lawful_deal(judged: Judgement, day: Sequence[Round]) -> LawfulDeal | None:
    """The lawful deal of a round in which a procedure failed; None where none did.

    None too where the game has no shoe, or where players decide who gets which card (SA-BJ).
    """
    round, edition = judged.round, judged.edition
    drawn = [event.payload for event in round.events if isinstance(event.payload, e.CardDrawn)]
    if not drawn or edition is None or not _has_lawful_deal(edition.game):
        return None
    first = min(payload.position for payload in drawn)
    shoe = list(_cards_from(first, round, day))
    hands = _hands(judged, edition.game, shoe)
    if hands is None:
        unknown = f"card {first + len(shoe)} of the shoe is not on record"
        return LawfulDeal(None, drawn=len(drawn), unknown=unknown)
    cards = tuple(zip(hands, map(str, shoe), strict=False))
    chosen = bool(game_modules.game(edition.game).lawful_order)
    if cards == _as_dealt(drawn) and not _went_wrong(round, shown=not chosen):
        return None
    supposed = _dealt_between(round, first, cards) if chosen else _dealt_so(round, first, cards)
    found = judge(supposed, edition, judged.memory)
    misfits = [flag for flag in found.flags if flag.code not in OF_WHAT_WAS_PAID]
    if chosen and (found.ruled.status != "settled" or misfits):
        unknown = "the players' bets do not fit between the cards as they should have come"
        return LawfulDeal(None, cards, len(drawn), unknown=unknown)
    later = tuple(_later(round, day)) if len(cards) != len(drawn) else ()
    return LawfulDeal(found, cards, len(drawn), chosen, later)


def _has_lawful_deal(game: str) -> bool:
    """Whether the rules alone say whose each card is."""
    module = game_modules.game(game)
    return bool(module.lawful_hands or module.lawful_packets or module.lawful_order)


def _hands(judged: Judgement, game: str, shoe: Sequence[Card]) -> tuple[str, ...] | None:
    """Whose each card of the shoe is by the rules; None where the record ends before."""
    module = game_modules.game(game)
    placed = (event.payload for event in judged.round.events)
    boxes = {at.box for at in placed if isinstance(at, e.WagerPlaced) and at.box}
    if module.lawful_packets:
        return module.lawful_packets(shoe, boxes)
    if module.lawful_order:
        drawn = [event.payload for event in judged.round.events]
        areas = [hand for hand, _ in _as_dealt([at for at in drawn if isinstance(at, e.CardDrawn)])]
        readings = judged.terms.readings if judged.terms else {}
        order = module.lawful_order(areas, boxes, readings)
        return order if len(shoe) >= len(order) else None
    return module.lawful_hands(shoe) if module.lawful_hands else None


def _cards_from(first: int, round: Round, day: Sequence[Round]) -> Iterator[Card]:
    """The cards of the shoe from a position on, up to the first that is not on record."""
    known: dict[int, str | None] = {}
    for event in _of_shoe(round, day):
        if isinstance(event.payload, e.CardDrawn):
            known.setdefault(event.payload.position, event.payload.card)
    position = first
    while code := known.get(position):
        yield card(code)
        position += 1


def _of_shoe(round: Round, day: Sequence[Round]) -> Iterator[e.Event]:
    """The events of the round and of later ones, until the cards in play change."""
    yield from round.events
    for later in _rounds_after(round, day):
        if any(isinstance(event.payload, OF_THE_SHOE) for event in later.before):
            return
        yield from later.before
        yield from later.events


def _later(round: Round, day: Sequence[Round]) -> Iterator[str]:
    """The later rounds that were dealt from the same shoe."""
    for later in _rounds_after(round, day):
        if any(isinstance(event.payload, OF_THE_SHOE) for event in later.before):
            return
        if any(isinstance(event.payload, e.CardDrawn) for event in later.events):
            yield later.round_id


def _rounds_after(round: Round, day: Sequence[Round]) -> Sequence[Round]:
    ids = [other.round_id for other in day]
    return day[ids.index(round.round_id) + 1 :] if round.round_id in ids else ()


def _as_dealt(drawn: Sequence[e.CardDrawn]) -> tuple[tuple[str, str], ...]:
    in_order = sorted(drawn, key=lambda payload: payload.position)
    return tuple((payload.hand, payload.card or "") for payload in in_order)


def _went_wrong(round: Round, *, shown: bool) -> bool:
    """Whether something was reported, or ruled; a shown card tells nothing where it must be."""
    kinds = tuple(kind for kind in WENT_WRONG if shown or kind is not e.CardExposed)
    return any(isinstance(event.payload, kinds) for event in round.events)


def _dealt_between(round: Round, first: int, cards: Sequence[tuple[str, str]]) -> Round:
    """The round with each card where the same card of its hand stood, or before the next that did.

    Nothing is said of a mistake; cards that the rules turn up are turned up when they were.
    """
    stood = _stood(round)
    given = Counter[str]()
    places = []
    for hand, _ in cards:
        places.append(stood.get((hand, given[hand])))
        given[hand] += 1
    latest = max(stood.values())
    supposed: dict[int, list[e.Event]] = defaultdict(list)
    for n in reversed(range(len(cards))):
        place = places[n]
        latest = latest if place is None else min(latest, place)
        hand, code = cards[n]
        event = round.events[latest]
        drawn = e.CardDrawn(first + n, hand, code)
        supposed[latest].insert(
            0, replace(event, event_id=f"{event.event_id}+lawful:{n}", payload=drawn)
        )
    left_out = tuple(kind for kind in LEFT_OUT if kind is not e.CardExposed)
    events: list[e.Event] = []
    for n, event in enumerate(round.events):
        events += supposed[n]
        if not isinstance(event.payload, left_out):
            events.append(event)
    return replace(round, events=tuple(events), moved={})


def _stood(round: Round) -> dict[tuple[str, int], int]:
    """Where the nth card of each hand stands among the events."""
    found: dict[tuple[str, int], int] = {}
    given = Counter[str]()
    for n, event in enumerate(round.events):
        if isinstance(event.payload, e.CardDrawn):
            found[event.payload.hand, given[event.payload.hand]] = n
            given[event.payload.hand] += 1
    return found


def _dealt_so(round: Round, first: int, cards: Sequence[tuple[str, str]]) -> Round:
    """The round with these cards drawn where its first card was, and nothing said of a mistake."""
    before = next(event for event in round.events if isinstance(event.payload, e.CardDrawn))
    drawn = [
        replace(
            before,
            event_id=f"{before.event_id}+lawful:{n}",
            payload=e.CardDrawn(first + n, hand, code),
        )
        for n, (hand, code) in enumerate(cards)
    ]
    at = round.events.index(before)
    events = [event for event in round.events[:at] if not isinstance(event.payload, LEFT_OUT)]
    rest = [event for event in round.events[at:] if not isinstance(event.payload, LEFT_OUT)]
    return replace(round, events=(*events, *drawn, *rest), moved={})

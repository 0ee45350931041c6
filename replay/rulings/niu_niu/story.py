"""The derivation in sentences: wagers, cards, hands, comparison, and what limits each wager."""

from collections.abc import Iterable, Iterator, Mapping

from replay.games import niu_niu as game
from replay.games.niu_niu import CardPacket, Hand
from replay.ruled import Stand, Step
from replay.rulings.niu_niu import people, words
from replay.rulings.niu_niu.record import NiuNiuRecord
from replay.sentence import Sentence, say
from schemas import events as e
from schemas.cards import Card

# What a line flag means for its wager.
MEANS: Mapping[str, Sentence] = {
    "BELOW_MIN": say("NN.below_min"),
    "OVER_MAX": say("NN.over_max"),
    "OVER_EVEN": say("NN.over_even"),
    "RESERVE_SHORT": say("NN.reserve_short"),
    "RESERVE_EXCESS": say("NN.reserve_excess"),
    "EVEN_MISSING": say("NN.even_missing"),
}


def opening(record: NiuNiuRecord) -> Iterator[Step]:
    """Wagers and cards."""
    wagers = record.boxes.wagers
    if wagers:
        chips = sum(wager.stake + wager.placed.reserve for wager in wagers)
        text = say("NN.wagers", n=len(wagers), total=chips, currency=record.terms.currency)
        yield Step(text, ("NN:4.5",), record.seen(e.BettingClosed))
    for box in record.boxes.split:
        text = say("NN.reserve_split", box=box)
        yield Step(text, ("NN:4.5.3",), (record.boxes.live[box]["even"].event_id,))
    for packet in record.packets:
        if packet.cards:
            clause = "NN:4.8.2" if packet.hand == game.DEALER else "NN:4.8.1"
            yield Step(_dealt(packet), (clause,), packet.evidence)
    reported = people.not_covered(record)
    if reported:
        yield Step(say("NN.matter_of_dispute"), ("NN:8.1",), reported)


def comparison(record: NiuNiuRecord, hands: Mapping[str, Hand]) -> Iterator[Step]:
    """The class of each hand, and who wins at each box."""
    readings, dealer = record.terms.readings, hands[game.DEALER]
    text = say("NN.hand_is", hand=game.DEALER, made=_hand(dealer, record))
    yield Step(text, (_class_clause(dealer, record),))
    for box in game.clockwise(set(hands) - {game.DEALER})[::-1]:
        own, against = (game.strength(hand, readings) for hand in (hands[box], dealer))
        made = _hand(hands[box], record)
        text, clause = say("NN.box_higher", box=box, made=made), "NN:6.3.1"
        if own < against:
            text, clause = say("NN.box_lower", box=box, made=made), "NN:6.3.2"
        clauses = (_class_clause(hands[box], record), *_tie_break(own, against), "NN:4.11", clause)
        yield Step(text, clauses)


def limits(stands: Iterable[Stand]) -> Iterator[Step]:
    """What limits each wager, one step a reason."""
    for stand in stands:
        for flag in stand.flags:
            wager = stand.wager
            text = say(
                "NN.limited", stake=wager.stake, bet=wager.bet, box=wager.box, why=MEANS[flag]
            )
            yield Step(text, stand.clauses, (wager.event_id,), wager.wager_id)


def _hand(hand: Hand, record: NiuNiuRecord) -> Sentence:
    """The cards, their class and the highest of them; with the cards that make the Niu, if any."""
    named = game.class_of(hand, record.terms.readings)
    cards, made, top = _written(hand), words.class_name(named), str(game.top(hand))
    three = game.three(hand)
    if not named.startswith("NIU_") or not three:
        return say("NN.made", cards=cards, made=made, top=top)
    rest = [held for held in hand if held not in three]
    return say(
        "NN.made_with_niu",
        cards=cards,
        made=made,
        top=top,
        three=_written(three),
        total=sum(game.VALUE[held.rank] for held in three),
        rest=_written(rest),
        points=game.points(rest) or 10,
    )


def _written(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))


def _class_clause(hand: Hand, record: NiuNiuRecord) -> str:
    """6.2.1 is the highest class, 6.2.13 the lowest."""
    place = game.CLASSES.index(game.class_of(hand, record.terms.readings))
    return f"NN:6.2.{len(game.CLASSES) - place}"


def _tie_break(own: tuple[int, int, int], against: tuple[int, int, int]) -> tuple[str, ...]:
    """What parts two hands of one class: the highest card, then its suit."""
    if own[0] != against[0]:
        return ()
    return ("NN:6.2.14",) if own[1] != against[1] else ("NN:6.2.14", "NN:6.2.15")


def _dealt(packet: CardPacket) -> Sentence:
    cards = tuple(str(card) if card else None for card in packet.cards)
    if packet.hand == game.NEXT:
        return say("NN.next_cards", cards=cards)
    return say("NN.cards", hand=packet.hand, cards=cards)

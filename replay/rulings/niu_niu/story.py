"""The derivation in sentences: wagers, cards, hands, comparison, and what limits each wager."""

from collections.abc import Iterable, Iterator, Mapping

from replay.games import niu_niu as game
from replay.games.niu_niu import Hand
from replay.ruled import Stand, Step
from replay.rulings.niu_niu import people
from replay.rulings.niu_niu.record import NiuNiuRecord
from schemas import events as e
from schemas.cards import Card

# What a line flag means for its wager.
MEANS: Mapping[str, str] = {
    "BELOW_MIN": "below the minimum, settled as it lies",
    "OVER_MAX": "over the maximum, the excess goes back",
    "OVER_EVEN": "above Even, the surplus is not in action",
    "RESERVE_SHORT": "the Reserve is short, only what it covers is in action",
    "RESERVE_EXCESS": "the Reserve is more than asked for, the excess goes back",
    "EVEN_MISSING": "there is no Even on the box, so it takes no part",
}


def opening(record: NiuNiuRecord) -> Iterator[Step]:
    """Wagers and cards."""
    wagers = record.boxes.wagers
    if wagers:
        chips = sum(wager.stake + wager.placed.reserve for wager in wagers)
        text = f"{len(wagers)} wagers, {chips:,} {record.terms.currency} with Reserve"
        yield Step(text, ("NN:4.5",), record.seen(e.BettingClosed))
    for box in record.boxes.split:
        text = f"box {box}: one Reserve is split, twice the Double first, the rest to Super Niu"
        yield Step(text, ("NN:4.5.3",), (record.boxes.live[box]["even"].event_id,))
    for packet in record.packets:
        if packet.cards:
            shown = " ".join(str(card or "an unread card") for card in packet.cards)
            clause = "NN:4.8.2" if packet.hand == game.DEALER else "NN:4.8.1"
            yield Step(f"{_place(packet.hand)}: {shown}", (clause,), packet.evidence)
    reported = people.not_covered(record)
    if reported:
        yield Step("What the rules do not name is a matter of dispute", ("NN:8.1",), reported)


def comparison(record: NiuNiuRecord, hands: Mapping[str, Hand]) -> Iterator[Step]:
    """The class of each hand, and who wins at each box."""
    readings, dealer = record.terms.readings, hands[game.DEALER]
    yield Step(f"Dealer: {_hand(dealer, record)}", (_class_clause(dealer, record),))
    for box in game.clockwise(set(hands) - {game.DEALER})[::-1]:
        own, against = (game.strength(hand, readings) for hand in (hands[box], dealer))
        said, clause = ("higher", "NN:6.3.1") if own > against else ("lower", "NN:6.3.2")
        clauses = (_class_clause(hands[box], record), *_tie_break(own, against), "NN:4.11", clause)
        yield Step(f"Box {box}: {_hand(hands[box], record)}, {said} than the Dealer", clauses)


def limits(stands: Iterable[Stand]) -> Iterator[Step]:
    """What limits each wager, one step a reason."""
    for stand in stands:
        for flag in stand.flags:
            wager = stand.wager
            text = f"{wager.bet} {wager.stake:,} on box {wager.box}: {MEANS[flag]}"
            yield Step(text, stand.clauses, (wager.event_id,), wager.wager_id)


def _hand(hand: Hand, record: NiuNiuRecord) -> str:
    named = game.class_of(hand, record.terms.readings)
    return f"{_written(hand)} is {named}{_niu(hand, named)}, highest card {game.top(hand)}"


def _niu(hand: Hand, named: str) -> str:
    """The three cards of the Niu and what the other two count; nothing where no Niu is needed."""
    three = game.three(hand)
    if not named.startswith("NIU_") or not three:
        return ""
    rest = [held for held in hand if held not in three]
    total = sum(game.VALUE[held.rank] for held in three)
    return f" ({_written(three)} make {total}, {_written(rest)} count {game.points(rest) or 10})"


def _written(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def _class_clause(hand: Hand, record: NiuNiuRecord) -> str:
    """6.2.1 is the highest class, 6.2.13 the lowest."""
    place = game.CLASSES.index(game.class_of(hand, record.terms.readings))
    return f"NN:6.2.{len(game.CLASSES) - place}"


def _tie_break(own: tuple[int, int, int], against: tuple[int, int, int]) -> tuple[str, ...]:
    """What parts two hands of one class: the highest card, then its suit."""
    if own[0] != against[0]:
        return ()
    return ("NN:6.2.14",) if own[1] != against[1] else ("NN:6.2.14", "NN:6.2.15")


def _place(hand: str) -> str:
    names = {game.DEALER: "Dealer", game.NEXT: "Next from the device"}
    return names.get(hand, f"Box {hand}")

"""The shoe between and before the cards: its burn, the round's burn, the cut card, the copies.

Baccarat, Dragon Tiger and Pok Deng ask for this in the same words, each in clauses of its own: a
game brings its Book and nothing here knows which game it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from replay.rounds import Round, Shoe
from replay.rulings.shared import shoe_change
from replay.rulings.shared.remark import Remark
from replay.sentence import say
from schemas import events as e
from schemas.cards import Card

BURNS = {"A": 1} | {str(n): n for n in range(2, 10)}  # a ten or a face card burns ten
TEN = 10
DECK = 52

Burned = tuple[str, e.CardsBurned]  # event id and burn


class ShoeClauses(NamedTuple):
    """The clauses of one rulebook."""

    decks: str
    burn: str  # of a new shoe
    cut: str
    round_burn: str = ""  # empty where no round starts with a burn


class Burns(NamedTuple):
    """What was burned for a round: for its shoe, and before its cards."""

    shoe: tuple[Burned, ...]
    stray: tuple[Burned, ...]  # for the shoe, but after the first card
    round: tuple[Burned, ...]
    late: bool  # a burn for the round came after its first card


def remarks(book: ShoeClauses, round: Round, cards: Iterable[Card], decks: int) -> Iterator[Remark]:
    """What was done to the shoe against the rules; nothing is asked before the first card."""
    shoe = round.shoe
    if not any(isinstance(event.payload, e.CardDrawn | e.CardPlaced) for event in round.events):
        return
    burns = _burns(book, round)
    if shoe:
        yield from _shoe_burn(book, shoe, burns)
    else:
        yield from _in_mid_shoe(book, "", burns.stray)
    if shoe:
        yield from _last_round(book, round, shoe)
        yield from _foreign_cut(book, round, shoe)
        cards = list(cards)
        yield from _copies(book, shoe, cards, decks)
        yield from contents(book.decks, shoe, len(cards), decks)
    yield from second_shoe(book.decks, round)
    if book.round_burn and (shoe or burns.round):
        yield from _round_burn(book, burns)


def contents(clause: str, shoe: Shoe, dealt: int, decks: int) -> Iterator[Remark]:
    """What a shoe cannot be: of other decks, or of more cards than those."""
    name, read = shoe.shoe_id, sum(shoe.drawn.values())
    if shoe.decks not in (0, decks) and shoe.hands == 0:
        text = say("shared.shoe_other_decks", shoe=name, found=shoe.decks, decks=decks)
        yield Remark("SHOE_CONTENTS", clause, text, subject=name)
    if shoe.cards_out + dealt > decks * DECK:
        out, held = shoe.cards_out, decks * DECK
        text = say("shared.shoe_overdrawn", shoe=name, out=out, dealt=dealt, held=held)
        yield Remark("SHOE_CONTENTS", clause, text, subject=name)
    if 0 < shoe.cards_out < read:
        text = say("shared.shoe_misread", shoe=name, out=shoe.cards_out, read=read)
        yield Remark("SHOE_CONTENTS", clause, text, subject=name)


def second_shoe(clause: str, round: Round) -> Iterator[Remark]:
    """Two shoes in one round."""
    for event_id, load in shoe_change.in_play(round):
        text = say("shared.second_shoe", shoe=load.shoe_id)
        if round.shoe:
            text = say("shared.second_shoe_after", shoe=load.shoe_id, first=round.shoe.shoe_id)
        yield Remark("SHOE_CONTENTS", clause, text, (event_id,), load.shoe_id)


def owed(first: str) -> int:
    """How many cards a new shoe burns after the card turned over."""
    return BURNS.get(first[0], TEN)


def number(round: Round) -> int | None:
    """The round's number in its shoe, from 1; None where the shoe is not known."""
    return round.shoe.hands + 1 if round.shoe else None


def _since(round: Round) -> Sequence[e.Event]:
    """What happened between the rounds, or since the shoe was loaded."""
    loads = [n for n, at in enumerate(round.before) if isinstance(at.payload, e.ShoeLoaded)]
    return round.before[loads[-1] :] if loads else round.before


def _burns(book: ShoeClauses, round: Round) -> Burns:
    """The burn of a shoe turns a card over; that of a round is face down."""
    shoe, stray, of_round = list[Burned](), list[Burned](), list[Burned]()
    late = dealt = other = False
    in_play = {event_id for event_id, _ in shoe_change.in_play(round)}
    for event in (*_since(round), *round.events):
        match event.payload:
            case e.ShoeLoaded() if dealt:
                break  # what follows is done to the next shoe
            case e.ShoeLoaded() if event.event_id in in_play:
                other = True
            case e.CardDrawn() | e.CardPlaced():
                dealt = dealt or event not in round.before
            case e.CardsBurned(first_card=None) as burn if book.round_burn:
                of_round.append((event.event_id, burn))
                late = late or dealt
            case e.CardsBurned() as burn if not other:
                (stray if dealt else shoe).append((event.event_id, burn))
    return Burns(tuple(shoe), tuple(stray), tuple(of_round), late)


def _shoe_burn(book: ShoeClauses, shoe: Shoe, burns: Burns) -> Iterator[Remark]:
    fresh, found = shoe.hands == 0, list(burns.shoe)
    if fresh and not found and not _burned_before(book, shoe):
        text = say("shared.shoe_not_burned", shoe=shoe.shoe_id)
        yield Remark("SHOE_BURN_MISSING", book.burn, text, subject=shoe.shoe_id)
    if fresh and not found and shoe.burn and shoe.burn.first_card:
        found = [("", shoe.burn)]
    yield from _in_mid_shoe(book, shoe.shoe_id, (*found[fresh:], *burns.stray))
    for event_id, burn in found[:fresh]:
        first = burn.first_card
        if first is None or burn.count != owed(first):
            text = say("shared.burned_unread", n=burn.count)
            if first:
                text = say("shared.burned_wrong", n=burn.count, first=first, owed=owed(first))
            evidence = (event_id,) if event_id else ()
            yield Remark("SHOE_BURN_COUNT", book.burn, text, evidence, shoe.shoe_id)


def _in_mid_shoe(book: ShoeClauses, shoe_id: str, burned: Iterable[Burned]) -> Iterator[Remark]:
    """Burns after cards were dealt, whether or not anybody said which shoe it is."""
    for event_id, burn in burned:
        text = say("shared.burned_in_mid_shoe", n=burn.count)
        if shoe_id:
            text = say("shared.burned_in_mid_shoe_of", n=burn.count, shoe=shoe_id)
        yield Remark("SHOE_BURN_UNEXPECTED", book.burn, text, (event_id,), shoe_id)


def _burned_before(book: ShoeClauses, shoe: Shoe) -> bool:
    """Whether the shoe was burned before the round before was closed, or is said to be."""
    if not shoe.burned:
        return False
    return not book.round_burn or shoe.burn is None or shoe.burn.first_card is not None


def _round_burn(book: ShoeClauses, burns: Burns) -> Iterator[Remark]:
    count = sum(burn.count for _, burn in burns.round)
    if count != 1 or burns.late:
        text = say("shared.round_burned_before", n=count)
        if burns.late:
            text = say("shared.round_burned_late", n=count)
        evidence = tuple(event_id for event_id, _ in burns.round)
        yield Remark("ROUND_BURN_COUNT", book.round_burn, text, evidence=evidence)


def _last_round(book: ShoeClauses, round: Round, shoe: Shoe) -> Iterator[Remark]:
    """A round after that of the cut card; one that comes out between two rounds is the later's."""
    fresh = any(isinstance(at.payload, e.CutCardReached) for at in _since(round))
    if shoe.cut_card_out and not fresh:
        text = say("shared.after_cut_card", shoe=shoe.shoe_id)
        yield Remark("DEALT_AFTER_LAST_ROUND", book.cut, text, subject=shoe.shoe_id)


def _foreign_cut(book: ShoeClauses, round: Round, shoe: Shoe) -> Iterator[Remark]:
    """A cut card that is said to be that of another shoe."""
    for event in (*_since(round), *round.events):
        cut = event.payload
        if isinstance(cut, e.CutCardReached) and cut.shoe_id != shoe.shoe_id:
            text = say("shared.foreign_cut_card", of=cut.shoe_id, shoe=shoe.shoe_id)
            yield Remark("CUT_CARD_OF_ANOTHER_SHOE", book.cut, text, (event.event_id,), cut.shoe_id)


def _copies(book: ShoeClauses, shoe: Shoe, cards: Iterable[Card], decks: int) -> Iterator[Remark]:
    """Cards that came more often than the decks hold them, told in the round they came in."""
    dealt = Counter(map(str, cards))
    for code in sorted(dealt.keys() | (shoe.drawn.keys() if shoe.stated else set())):
        copies = shoe.drawn.get(code, 0) + dealt[code]
        if copies > decks:
            shoe_id = shoe.shoe_id
            text = say("shared.card_too_often", card=code, n=copies, shoe=shoe_id, decks=decks)
            yield Remark("EXCESS_COPIES", book.decks, text, subject=code)

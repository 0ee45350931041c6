"""Blackjack: the shoe (SA-BJ:3.1.1, 3.1.2)."""

from collections import Counter
from collections.abc import Iterator

from replay.rulings.blackjack.record import BlackjackRecord, BlackjackRemark
from replay.rulings.shared.shoe_procedure import contents, second_shoe
from replay.sentence import say
from schemas import events as e

DECKS = "SA-BJ:3.1.1"


def remarks(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """Cards the decks cannot hold, and a round that the shoe should not have seen."""
    yield from _excess(record)
    yield from _contents(record)
    yield from _after_last(record)


def _excess(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """SA-BJ:3.1.1. A card that has now been seen more often than there are decks."""
    shoe = record.round.shoe
    before = Counter(shoe.drawn if shoe else {})
    decks = shoe.decks if shoe and shoe.decks else record.terms.decks
    for code, copies in sorted(before.items()) if shoe and shoe.stated else ():
        if copies > decks:
            note = say("SA-BJ.copies_out", copies=copies, decks=decks)
            yield BlackjackRemark("EXCESS_COPIES", DECKS, code, note)
    for move in record.moves:
        if move.card:
            code = str(move.card)
            before[code] += 1
            if before[code] == decks + 1:
                note = say("SA-BJ.copies_seen", copies=before[code], decks=decks)
                yield BlackjackRemark("EXCESS_COPIES", DECKS, code, note, (move.event_id,))


def _contents(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """SA-BJ:3.1.1. A shoe of other decks, or two shoes in one round."""
    shoe, decks = record.round.shoe, record.terms.decks
    dealt = sum(1 for move in record.moves if move.card)
    told = [*contents(DECKS, shoe, dealt, decks)] if shoe and dealt else []
    for at in (*told, *second_shoe(DECKS, record.round)):
        yield BlackjackRemark(at.code, at.clause, at.subject, at.text, at.evidence)


def _after_last(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """SA-BJ:3.1.2. The cut card was drawn in an earlier round of the same shoe."""
    shoe = record.round.shoe
    now = any(isinstance(event.payload, e.CutCardReached) for event in record.round.before)
    dealt = tuple(at.event_id for at in record.moves if at.card)[:1]
    if shoe and shoe.cut_card_out and not now and dealt:
        note = say("SA-BJ.new_shoe_due", shoe=shoe.shoe_id)
        yield BlackjackRemark("DEALT_AFTER_LAST_ROUND", "SA-BJ:3.1.2", shoe.shoe_id, note, dealt)

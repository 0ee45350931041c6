"""Whether the cards that decide are known: all dealt, all read, no witness against another."""

from collections.abc import Iterator

from replay.games import holdem_bonus as game
from replay.games.holdem_bonus import COMMUNITY, DEALER
from replay.rulings.holdem_bonus.deal import HoldemCards, needed
from replay.rulings.holdem_bonus.record import HoldemRecord
from replay.rulings.holdem_bonus.withdrawals import gone
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import Evidence
from replay.sentence import Sentence, say
from replay.witnesses import Sight
from schemas.cards import Card


def compared(record: HoldemRecord, cards: HoldemCards) -> tuple[str, ...]:
    """The boxes whose hole cards decide something."""
    by_hole_cards = record.terms.readings["bonus_not_shown"] == "by_hole_cards"
    return tuple(
        name
        for name, box in record.boxes.items()
        if box.live
        and name not in {*cards.out, *cards.stands, *gone(record, cards)}
        and (box.shown or (by_hole_cards and "bonus" in box.wagers))
    )


def unfinished(record: HoldemRecord, cards: HoldemCards) -> bool:
    """Whether cards are still to come for somebody who plays on."""
    if record.ended:
        return False
    if not record.boxes:
        return not record.wagers
    short = [at for at in game.faults(cards.hands, tuple(record.boxes)) if at.found < at.wanted]
    begun = any(at.area in game.SIZES and needed(record, at) for at in short)
    return bool(short and compared(record, cards)) or (begun and bool(record.read.order))


def unread(record: HoldemRecord, cards: HoldemCards) -> Remark | None:
    """What is missing or disagrees among the cards that decide; None where all are known."""
    doubt = next(_doubts(record, cards), None)
    referred = any(remark.code == "REFER_7.13" for remark in cards.remarks)
    if doubt and referred:
        text = say("TH.decision_does_not_say", doubt=doubt.text)
        return doubt._replace(text=text)
    return doubt


def known(cards: HoldemCards, area: str) -> tuple[Card, ...]:
    """The cards of a hand that has been read."""
    found = (game.seen(sight) for sight in cards.hands[area])
    return tuple(card for card in found if card is not None)


def _doubts(record: HoldemRecord, cards: HoldemCards) -> Iterator[Remark]:
    boxes = compared(record, cards)
    for sight in record.read.order if boxes else ():
        if sight.disputed:  # which hands the later cards make hangs on it
            yield _unknown(_words(sight), sight.evidence)
    for area in (*boxes, COMMUNITY, DEALER) if boxes else ():
        held = cards.hands.get(area, ())
        for sight in held:
            card = game.seen(sight)
            if card is None or not _agreed(sight, cards, str(card)):
                yield _unknown(_words(sight), sight.evidence)
        due = game.SIZES.get(area, game.HOLE)
        seen = sum(at.hand == area for at in record.read.strays)  # each is told below
        if len(held) + seen < due:
            yield _unknown(say("TH.card_not_seen", hand=area, n=len(held) + 1))
        elif len(held) > due:  # put right by a ruling, and nobody says which cards
            yield _unknown(say("TH.cards_lie_there", hand=area, found=len(held), wanted=due))
    for sight in record.read.strays if boxes else ():
        if not _agreed(sight, cards):
            text = say("TH.never_left_device", place=_words(sight))
            yield _unknown(text, sight.evidence, "TH:7.1.1")


def _unknown(text: Sentence, evidence: Evidence = (), clause: str = "TH:5.1") -> Remark:
    return Remark("RESULT_UNKNOWN", clause, text, evidence)


def _agreed(sight: Sight, cards: HoldemCards, *put: str) -> bool:
    """Whether every witness saw the card put there, or after a reconstruction the lawful one."""
    held = cards.hands.get(sight.hand, ())[sight.slot - 1 : sight.slot]
    lawful = {str(game.seen(at)) for at in held} if cards.rebuilt else set[str]()
    return set(sight.readings.values()) <= {*put, *lawful}


def _words(sight: Sight) -> Sentence:
    read = sight.each_reading or sight.disputed or say("shared.read_by_nobody")
    return say("shared.place_read", hand=sight.hand, slot=sight.slot, read=read)

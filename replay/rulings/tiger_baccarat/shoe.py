"""The shoe: its cards, its burn, its last hand, its replacement (7.1, 7.2, 7.8.1, 7.10.2, 7.11)."""

from collections import Counter
from collections.abc import Iterator

from replay.games.tiger_baccarat import next_hand
from replay.rulings.shared import shoe_change
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import (
    Evidence,
    touched_again,
    within,
    without_cause,
)
from replay.rulings.tiger_baccarat.record import DEALING, TigerBaccaratRecord
from replay.sentence import say
from schemas import events as e
from schemas.cards import DECK


def integrity(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Why the cards in use are not what they should be (7.1)."""
    reported = record.reports.get("TB:7.1", ())
    if reported:
        yield Remark("SHOE_INTEGRITY", "TB:7.1", say("TB.cards_found_wrong"), reported)
    found = list(_found(record))
    yield from found
    ruled = {event_id: made for event_id, made in record.rulings if event_id in reported}
    if not found and set(reported) == set(ruled):
        for event_id, made in ruled.items():
            yield without_cause(event_id, made, say("TB.cards_not_reported"))


def _found(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What the cards themselves show."""
    shoe = record.round.shoe
    if shoe and not shoe.shuffled:
        yield Remark("SHOE_INTEGRITY", "TB:7.1", say("TB.shoe_unshuffled", shoe=shoe.shoe_id))
    counted = Counter(shoe.drawn if shoe else {})
    drawn = [at for at in (*record.read.used, *record.read.spare) if at.position > 0]
    counted.update(str(at.card) for at in drawn if at.card)
    for code, copies in sorted(counted.items()):
        if copies > record.terms.decks:
            decks = record.terms.decks
            text = say("TB.card_too_often", card=code, copies=copies, decks=decks)
            evidence = tuple(id for at in drawn if str(at.card) == code for id in at.evidence)
            yield Remark("SHOE_INTEGRITY", "TB:7.1", text, evidence)
    out, held = (shoe.cards_out if shoe else 0) + len(drawn), len(DECK) * record.terms.decks
    if out > held:
        text = say("TB.too_many_cards", out=out, held=held)
        yield Remark("SHOE_INTEGRITY", "TB:7.1", text)


def ran_empty(record: TigerBaccaratRecord) -> Evidence:
    """Signs that the shoe ran empty before the hand was complete, by whatever cards (7.2)."""
    told = (*record.seen(e.ShoeExhausted), *record.reports.get("TB:7.2", ()))
    if next_hand(record.read.deal):
        return told
    seen = [min(map(record.place, at.evidence)) for at in record.read.used if at.evidence]
    loaded = [record.place(event_id) for event_id, _ in shoe_change.in_play(record.round, DEALING)]
    until = {True: max(seen, default=0), False: max(loaded, default=0)}
    by_shoe = record.seen(e.ShoeExhausted)
    return tuple(
        event_id for event_id in told if record.place(event_id) < until[event_id in by_shoe]
    )


def reopened(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Signs that an outcome that stands was touched again (7.1.2)."""
    for text, event_id in touched_again(record.round.events):
        yield Remark("REOPENED_ROUND", "TB:7.1.2", text, (event_id,))
    for event_id, made in record.rulings_under("TB:7.1"):
        if made.decision == "void" and record.place(event_id) > record.over:
            text = say("TB.void_after_end")
            yield Remark("REOPENED_ROUND", "TB:7.1.2", text, (event_id,))


def burn(record: TigerBaccaratRecord, *, concluded: bool) -> Iterator[Remark]:
    """What a forgotten burn means (7.11); remarked on once a shoe."""
    shoe = record.round.shoe
    if shoe is None or shoe.burned or _burned_first(record):
        return
    reported = record.reports.get("TB:7.11", ())
    if record.retaken:
        text = say("TB.burn_omitted_unseen")
        yield Remark("BURN_OMITTED", "TB:7.11.1", text, record.retaken)
        return
    first = shoe.hands == 0
    clause = "TB:7.11.2" if first else "TB:7.11.3"
    if record.left.burn_noted != shoe.shoe_id:
        text = say("TB.burn_omitted_first") if first else say("TB.burn_omitted_later")
        yield Remark("BURN_OMITTED", clause, text, reported)
    if first and concluded and not _option_offered(record):
        text = say("TB.choice_not_offered")
        yield Remark("OPTION_NOT_OFFERED", "TB:7.11.2.1", text)
    removed = [] if first else list(_removed_early(record))
    if removed:
        text = say("TB.shoe_taken_away", shoe=shoe.shoe_id)
        yield Remark("UNJUSTIFIED_SHOE_CHANGE", "TB:7.11.3", text, tuple(removed))


def succession(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Whether the shoe of this hand is the one that had to come."""
    shoe, known = record.round.shoe, record.left
    if shoe and known.shoe_change_due == shoe.shoe_id:
        text = say("TB.shoe_dealt_on", shoe=shoe.shoe_id)
        yield Remark("SHOE_NOT_REPLACED", "TB:7.10.2", text)
    if shoe and known.play_out and known.play_out != shoe.shoe_id:
        text = say("TB.shoe_displaced", shoe=known.play_out, other=shoe.shoe_id)
        yield Remark("UNJUSTIFIED_SHOE_CHANGE", "TB:7.11.3", text)
    same = shoe is None or shoe.last_hand_announced or shoe.shoe_id == known.shoe
    if known.last_hand_dealt and same:
        yield Remark("HAND_AFTER_LAST", "TB:7.8.1", say("TB.after_last_hand"))


def last_hand(record: TigerBaccaratRecord) -> bool:
    """Whether this hand was announced as the last one before its first card, or the one before."""
    if record.left.last_hand_announced:
        return True
    if record.round.shoe and record.round.shoe.last_hand_announced:
        return True
    for event in record.round.events:
        if isinstance(event.payload, e.CardDrawn):
            return False
        if isinstance(event.payload, e.LastHandAnnounced):
            return True
    return False


def changed(record: TigerBaccaratRecord) -> bool:
    """Whether other cards were loaded once this hand was dealt."""
    dealt = False
    for event in record.round.events:
        dealt = dealt or isinstance(event.payload, e.CardDrawn | e.CardPlaced)
        if dealt and isinstance(event.payload, e.ShoeLoaded):
            return True
    return False


def to_play_out(record: TigerBaccaratRecord) -> str:
    """The shoe that must be played to its end because its burn was forgotten (7.11.3)."""
    shoe = record.round.shoe
    if shoe is None or shoe.burned or shoe.hands == 0 or shoe.last_hand_announced:
        return ""
    ended = (e.CutCardReached, e.LastHandAnnounced, e.ShoeExhausted, e.ShoeRemoved)
    return "" if shoe.cut_card_out or record.seen(*ended) else shoe.shoe_id


def _burned_first(record: TigerBaccaratRecord) -> bool:
    """Whether the burn of a new shoe came inside its first round, before the first card."""
    if record.round.shoe is None or record.round.shoe.hands:
        return False
    for event in record.round.events:
        if isinstance(event.payload, e.CardDrawn):
            return False
        if isinstance(event.payload, e.CardsBurned):
            return True
    return False


def _option_offered(record: TigerBaccaratRecord) -> bool:
    return any(
        made.decision == "offered" and within(made.clause, "TB:7.11.2")
        for _, made in record.rulings
    )


def _removed_early(record: TigerBaccaratRecord) -> Iterator[str]:
    for event in record.round.events:
        match event.payload:
            case e.CutCardReached() | e.LastHandAnnounced() | e.ShoeExhausted():
                return
            case e.ShoeRemoved(reason=reason) if reason != "finished":
                yield event.event_id

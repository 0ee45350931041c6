"""The deck and what may end a round at once: foreign cards, a jam, a wrong count (7.1, 7.2)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.ruled import Memory
from replay.rulings.niu_niu.record import DECIDES, DECLARED, NiuNiuRecord
from replay.rulings.shared import shoe_change
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import (
    Evidence,
    Ruling,
    VoidCause,
    contradicted,
    standing,
    touched_again,
    unreported,
    within,
    without_cause,
)
from replay.sentence import say
from replay.witnesses import CODES, Sight
from schemas import events as e
from schemas.cards import DECK
from schemas.ranks import at_least

OTHER_DEVICES = ("camera", "chips", "console", "pit")  # their jams stop no card
TEXTS = {
    "NN:7.1.1": say("NN.foreign_card"),
    "NN:7.1.2": say("NN.device_jammed"),
    "NN:7.1.3": say("NN.card_count_wrong"),
    "NN:7.1.4": say("NN.disrupted"),
}
NEW_CARDS = ("NN:7.1.1", "NN:7.1.3")  # 7.2 asks for a new set of cards after these


class Invalid(NamedTuple):
    """What section 7.1 makes of a round."""

    remarks: tuple[Remark, ...] = ()
    clauses: tuple[str, ...] = ()  # why the round is void; empty where it goes on


def invalid(record: NiuNiuRecord) -> Invalid:
    """Whether the House must be taken to have voided the round (7.1), cause by cause."""
    causes = _causes(record)
    told = [cause.told for cause in causes]
    unsolved = [cause for cause in causes if not _goes_on(record, cause)]
    for cause in causes:
        missing = cause in unsolved and cause.declared and not _decided(record, cause)
        if missing or _from_below(record, cause):
            told.append(_undecided(record, cause))
        needed = record.terms.readings["house_authority"]
        told += contradicted(_decided(record, cause), needed, cause.told.clause)
        if cause.since < 0:
            told += unreported(_decided(record, cause), needed)
    told += _loose(record, causes)
    clauses = tuple(dict.fromkeys(cause.told.clause for cause in unsolved))
    if set(clauses) & set(NEW_CARDS):
        told.append(Remark("NEW_DECK_REQUIRED", "NN:7.2", say("NN.new_deck_required")))
    return Invalid(tuple(told), clauses)


def left(record: NiuNiuRecord, found: Invalid) -> Memory:
    """What the next round must know: the deck that may not be dealt again."""
    if set(found.clauses) & set(NEW_CARDS):
        return {"replace_deck": _deck(record)}
    return {}


def succession(record: NiuNiuRecord) -> Iterator[Remark]:
    """Whether a new set of cards came after a round that was void for its cards (7.2)."""
    old = record.memory.get("replace_deck")
    if old is not None and _deck(record) in ("", old):
        text = say("NN.deck_not_replaced", deck=old) if old else say("NN.last_deck_not_replaced")
        yield Remark("DECK_NOT_REPLACED", "NN:7.2", text)


def reopened(record: NiuNiuRecord) -> Iterator[Remark]:
    """Signs that a settlement that stands was touched again (7.2)."""
    for text, event_id in touched_again(record.round.events):
        yield Remark("REOPENED_ROUND", "NN:7.2", text, (event_id,))


def _causes(record: NiuNiuRecord) -> list[VoidCause]:
    """What was declared, and a wrong count that came up without anybody declaring it.

    A void of the House that names nothing of all this stands for a cause of its own.
    """
    declared = [_declared(record, clause) for clause in DECLARED if _evidence(record, clause)]
    known = [at.since for at in declared if at.told.clause == "NN:7.1.3"]
    found = [at for at in _miscounted(record) if not known or at.since > known[0] >= 0]
    ruled = _voided_by_the_house(record)
    if declared or found or not ruled:
        return declared + found
    text = say("NN.house_voided_for_nothing")
    return [VoidCause(Remark("RULING_WITHOUT_CAUSE", "NN:7.1", text, ruled), -1, declared=True)]


def _voided_by_the_house(record: NiuNiuRecord) -> Evidence:
    needed = record.terms.readings["house_authority"]
    return tuple(
        event_id
        for event_id, made in _on_the_house(record)
        if made.decision == "void"
        and at_least(made.rank, needed)
        and record.made_in_time(event_id, -1)
        and record.place(event_id) < record.over
    )


def _loose(record: NiuNiuRecord, causes: Sequence[VoidCause]) -> Iterator[Remark]:
    """Rulings under 7.1 on nothing that had come up: by too low a rank, or after the close."""
    needed = record.terms.readings["house_authority"]
    heard = {event_id for cause in causes for event_id, _ in _decided(record, cause)}
    for event_id, made in _on_the_house(record):
        if event_id in heard:
            continue
        if not at_least(made.rank, needed):
            yield _from_too_low(event_id, made, made.clause)
        elif made.decision == "void" and record.place(event_id) > record.over and not causes:
            text = say("NN.ruled_void_afterwards")
            yield Remark("REOPENED_ROUND", "NN:7.2", text, (event_id,))
        elif made.decision == "continue" and not causes:
            yield without_cause(event_id, made, say("NN.nothing_to_void_for"))


def _declared(record: NiuNiuRecord, clause: str) -> VoidCause:
    code = f"IRREGULARITY_{clause.removeprefix('NN:')}"
    told = Remark(code, clause, TEXTS[clause], _evidence(record, clause))
    since = max((record.place(at) for at in _risen(record, clause)), default=-1)
    return VoidCause(told, since, declared=True)


def _evidence(record: NiuNiuRecord, clause: str) -> Evidence:
    found = record.reports.get(clause, ())
    if clause == "NN:7.1.1":
        found += tuple(event_id for sight in _foreign(record) for event_id in sight.evidence)
        found += _other_deck(record)
    return found + (_jams(record) if clause == "NN:7.1.2" else ())


def _risen(record: NiuNiuRecord, clause: str) -> Evidence:
    """The events in which a cause came up: reports, jams, foreign cards, but no decision on it."""
    decisions = record.seen(e.RulingMade, e.RoundVoided)
    found = tuple(at for at in record.reports.get(clause, ()) if at not in decisions)
    if clause == "NN:7.1.1":
        found += tuple(sight.evidence[0] for sight in _foreign(record)) + _other_deck(record)
    return found + (_jams(record) if clause == "NN:7.1.2" else ())


def _foreign(record: NiuNiuRecord) -> list[Sight]:
    return [place for place in record.sights if not CODES.issuperset(place.readings.values())]


def _other_deck(record: NiuNiuRecord) -> Evidence:
    """Where another deck was loaded between the cards of the round, whose backs differ (4.2)."""
    return tuple(event_id for event_id, _ in shoe_change.in_play(record.round, shoe_change.DEALT))


def _jams(record: NiuNiuRecord) -> Evidence:
    """Faults of the dealing device before anything was settled."""
    found: Evidence = ()
    for event in record.round.events:
        if isinstance(event.payload, e.WagerSettled):
            break
        if isinstance(event.payload, e.DeviceJammed) and event.device_kind not in OTHER_DEVICES:
            found += (event.event_id,)
    return found


def _miscounted(record: NiuNiuRecord) -> Iterator[VoidCause]:
    """A wrong count that nobody declared: a card twice, or not 52 in all (7.1.3)."""
    drawn = [held for packet in record.packets for held in packet.cards]
    twice = sorted(str(held) for held, n in Counter(drawn).items() if held and n > 1)
    if twice:
        evidence = tuple(
            event_id
            for packet in record.packets
            if set(twice) & set(map(str, packet.cards))
            for event_id in packet.evidence
        )
        text = say("NN.came_twice", cards=tuple(twice))
        told = Remark("DECK_INTEGRITY", "NN:7.1.3", text, evidence)
        yield VoidCause(told, max(_came_twice(record, code) for code in twice), declared=False)
    for n, event in enumerate(record.round.events):
        match event.payload:
            case e.ShoeRemoved(cards_left=int(rest)) if rest + len(drawn) != len(DECK):
                text = say("NN.cards_left", dealt=len(drawn), left=rest, deck=len(DECK))
                told = Remark("DECK_INTEGRITY", "NN:7.1.3", text, (event.event_id,))
                yield VoidCause(told, n, declared=False)


def _came_twice(record: NiuNiuRecord, code: str) -> int:
    """The place in the round where a card was seen for the second time."""
    seen = [place.evidence[0] for place in record.sights if code in place.readings.values()]
    return sorted(record.place(event_id) for event_id in seen)[1]


def _decided(record: NiuNiuRecord, cause: VoidCause) -> list[Ruling]:
    """The rulings on one cause: those that name it or all of 7.1, made while it was open.

    All of 7.1 is what somebody had declared: nobody decides on a card that nobody spoke of.
    """
    return [
        (event_id, made)
        for event_id, made in _on_the_house(record)
        if (made.clause == "NN:7.1" and cause.declared) or within(made.clause, cause.told.clause)
        if record.made_in_time(event_id, cause.since)
    ]


def _on_the_house(record: NiuNiuRecord) -> list[Ruling]:
    """The rulings under 7.1 with a word that decides, whoever made them."""
    return [(at, made) for at, made in record.rulings_under("NN:7.1") if made.decision in DECIDES]


def _goes_on(record: NiuNiuRecord, cause: VoidCause) -> bool:
    """Whether the House let the round go on in spite of a cause."""
    return _word(record, cause) == "continue"


def _word(record: NiuNiuRecord, cause: VoidCause) -> str:
    """What the House decided on a cause; empty where nobody of the right rank did."""
    stands = standing(_decided(record, cause), record.terms.readings["house_authority"])
    return stands.decision if stands else ""


def _from_below(record: NiuNiuRecord, cause: VoidCause) -> list[Ruling]:
    """The rulings on a cause by too low a rank that the House's word does not bear out."""
    needed, word = record.terms.readings["house_authority"], _word(record, cause)
    return [
        (event_id, made)
        for event_id, made in _decided(record, cause)
        if not at_least(made.rank, needed) and made.decision != word
    ]


def undecided(record: NiuNiuRecord, evidence: Evidence) -> Iterator[Remark]:
    """That the table called a round void before its deal and no decision of the House says so."""
    if record.boxes.wagers:
        text = say("NN.called_void_undecided")
        yield Remark("DECISION_MISSING", "NN:7.1", text, evidence)


def _undecided(record: NiuNiuRecord, cause: VoidCause) -> Remark:
    low = _from_below(record, cause)
    if low:
        return _from_too_low(*low[0], cause.told.clause)
    text = say("NN.house_did_not_decide")
    return Remark("DECISION_MISSING", cause.told.clause, text)


def _from_too_low(event_id: str, made: e.RulingMade, clause: str) -> Remark:
    text = say("NN.decided_for_the_house", rank=made.rank)
    return Remark("DECISION_NOT_AUTHORISED", clause, text, (event_id,))


def _deck(record: NiuNiuRecord) -> str:
    """The deck this round is dealt from; empty where nobody said."""
    deck = record.round.shoe.shoe_id if record.round.shoe else ""
    for event in record.round.events:
        match event.payload:
            case e.ShoeLoaded(shoe_id=shoe_id):
                deck = shoe_id
            case e.CardDrawn():
                break
    return deck

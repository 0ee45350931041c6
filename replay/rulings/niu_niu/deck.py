"""The deck and what may end a round at once: foreign cards, a jam, a wrong count (7.1, 7.2)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.ruled import Memory
from replay.rulings.niu_niu.scene import DECIDES, DECLARED, Scene
from replay.rulings.shared import shoe_change
from replay.rulings.shared.section_seven import (
    Evidence,
    Remark,
    Ruling,
    contradicted,
    standing,
    titled,
    touched_again,
    unreported,
    within,
    without_cause,
)
from replay.witnesses import CODES, Sight
from schemas import events as e
from schemas.cards import DECK
from schemas.ranks import at_least

OTHER_DEVICES = ("camera", "chips", "console", "pit")  # their jams stop no card
TEXTS = {
    "NN:7.1.1": "a card that does not belong to the deck was found",
    "NN:7.1.2": "the dealing device jammed",
    "NN:7.1.3": "cards were found to be too many or too few",
    "NN:7.1.4": "the game was disrupted from outside",
}
NEW_CARDS = ("NN:7.1.1", "NN:7.1.3")  # 7.2 asks for a new set of cards after these


class Cause(NamedTuple):
    """Something that lets the House void a round."""

    told: Remark
    since: int  # the place in the round where it came up: a ruling before is not about it
    declared: bool  # by somebody, not only found in the cards


class Invalid(NamedTuple):
    """What section 7.1 makes of a round."""

    remarks: tuple[Remark, ...] = ()
    clauses: tuple[str, ...] = ()  # why the round is void; empty where it goes on


def invalid(scene: Scene) -> Invalid:
    """Whether the House must be taken to have voided the round (7.1), cause by cause."""
    causes = _causes(scene)
    told = [cause.told for cause in causes]
    unsolved = [cause for cause in causes if not _goes_on(scene, cause)]
    for cause in causes:
        missing = cause in unsolved and cause.declared and not _decided(scene, cause)
        if missing or _from_below(scene, cause):
            told.append(_undecided(scene, cause))
        needed = scene.terms.readings["house_authority"]
        told += contradicted(_decided(scene, cause), needed, cause.told.clause)
        if cause.since < 0:
            told += unreported(_decided(scene, cause), needed)
    told += _loose(scene, causes)
    clauses = tuple(dict.fromkeys(cause.told.clause for cause in unsolved))
    if set(clauses) & set(NEW_CARDS):
        text = "a new set of cards must be put into play"
        told.append(Remark("NEW_DECK_REQUIRED", "NN:7.2", text))
    return Invalid(tuple(told), clauses)


def left(scene: Scene, found: Invalid) -> Memory:
    """What the next round must know: the deck that may not be dealt again."""
    if set(found.clauses) & set(NEW_CARDS):
        return {"replace_deck": _deck(scene)}
    return {}


def succession(scene: Scene) -> Iterator[Remark]:
    """Whether a new set of cards came after a round that was void for its cards (7.2)."""
    old = scene.memory.get("replace_deck")
    if old is not None and _deck(scene) in ("", old):
        text = f"no other deck came into play after {old or 'the last one'} was found wrong"
        yield Remark("DECK_NOT_REPLACED", "NN:7.2", text)


def reopened(scene: Scene) -> Iterator[Remark]:
    """Signs that a settlement that stands was touched again (7.2)."""
    for text, event_id in touched_again(scene.round.events):
        yield Remark("REOPENED_ROUND", "NN:7.2", text, (event_id,))


def _causes(scene: Scene) -> list[Cause]:
    """What was declared, and a wrong count that came up without anybody declaring it.

    A void of the House that names nothing of all this stands for a cause of its own.
    """
    declared = [_declared(scene, clause) for clause in DECLARED if _evidence(scene, clause)]
    known = [at.since for at in declared if at.told.clause == "NN:7.1.3"]
    found = [at for at in _miscounted(scene) if not known or at.since > known[0] >= 0]
    ruled = _voided_by_the_house(scene)
    if declared or found or not ruled:
        return declared + found
    text = "the House ruled the round void and named nothing that lets it do so"
    return [Cause(Remark("RULING_WITHOUT_CAUSE", "NN:7.1", text, ruled), -1, declared=True)]


def _voided_by_the_house(scene: Scene) -> Evidence:
    needed = scene.terms.readings["house_authority"]
    return tuple(
        event_id
        for event_id, made in _on_the_house(scene)
        if made.decision == "void"
        and at_least(made.rank, needed)
        and scene.made_in_time(event_id, -1)
        and scene.place(event_id) < scene.over
    )


def _loose(scene: Scene, causes: Sequence[Cause]) -> Iterator[Remark]:
    """Rulings under 7.1 on nothing that had come up: by too low a rank, or after the close."""
    needed = scene.terms.readings["house_authority"]
    heard = {event_id for cause in causes for event_id, _ in _decided(scene, cause)}
    for event_id, made in _on_the_house(scene):
        if event_id in heard:
            continue
        if not at_least(made.rank, needed):
            yield _from_too_low(event_id, made, made.clause)
        elif made.decision == "void" and scene.place(event_id) > scene.over and not causes:
            text = "the round was ruled void after it was over"
            yield Remark("REOPENED_ROUND", "NN:7.2", text, (event_id,))
        elif made.decision == "continue" and not causes:
            yield without_cause(event_id, made, "nothing lets the House void the round")


def _declared(scene: Scene, clause: str) -> Cause:
    code = f"IRREGULARITY_{clause.removeprefix('NN:')}"
    told = Remark(code, clause, TEXTS[clause], _evidence(scene, clause))
    since = max((scene.place(at) for at in _risen(scene, clause)), default=-1)
    return Cause(told, since, declared=True)


def _evidence(scene: Scene, clause: str) -> Evidence:
    found = scene.reports.get(clause, ())
    if clause == "NN:7.1.1":
        found += tuple(event_id for sight in _foreign(scene) for event_id in sight.evidence)
        found += _other_deck(scene)
    return found + (_jams(scene) if clause == "NN:7.1.2" else ())


def _risen(scene: Scene, clause: str) -> Evidence:
    """The events in which a cause came up: reports, jams, foreign cards, but no decision on it."""
    decisions = scene.seen(e.RulingMade, e.RoundVoided)
    found = tuple(at for at in scene.reports.get(clause, ()) if at not in decisions)
    if clause == "NN:7.1.1":
        found += tuple(sight.evidence[0] for sight in _foreign(scene)) + _other_deck(scene)
    return found + (_jams(scene) if clause == "NN:7.1.2" else ())


def _foreign(scene: Scene) -> list[Sight]:
    return [at for at in scene.sights if not CODES.issuperset(at.readings.values())]


def _other_deck(scene: Scene) -> Evidence:
    """Where another deck was loaded between the cards of the round, whose backs differ (4.2)."""
    return tuple(event_id for event_id, _ in shoe_change.in_play(scene.round, shoe_change.DEALT))


def _jams(scene: Scene) -> Evidence:
    """Faults of the dealing device before anything was settled."""
    found: Evidence = ()
    for event in scene.round.events:
        if isinstance(event.payload, e.WagerSettled):
            break
        if isinstance(event.payload, e.DeviceJammed) and event.device_kind not in OTHER_DEVICES:
            found += (event.event_id,)
    return found


def _miscounted(scene: Scene) -> Iterator[Cause]:
    """A wrong count that nobody declared: a card twice, or not 52 in all (7.1.3)."""
    drawn = [held for packet in scene.packets for held in packet.cards]
    twice = sorted(str(held) for held, n in Counter(drawn).items() if held and n > 1)
    if twice:
        evidence = tuple(
            event_id
            for packet in scene.packets
            if set(twice) & set(map(str, packet.cards))
            for event_id in packet.evidence
        )
        text = f"{', '.join(twice)} came twice from one deck"
        told = Remark("DECK_INTEGRITY", "NN:7.1.3", text, evidence)
        yield Cause(told, max(_came_twice(scene, code) for code in twice), declared=False)
    for n, event in enumerate(scene.round.events):
        match event.payload:
            case e.ShoeRemoved(cards_left=int(rest)) if rest + len(drawn) != len(DECK):
                text = f"{len(drawn)} cards were dealt and {rest} were left of {len(DECK)}"
                told = Remark("DECK_INTEGRITY", "NN:7.1.3", text, (event.event_id,))
                yield Cause(told, n, declared=False)


def _came_twice(scene: Scene, code: str) -> int:
    """The place in the round where a card was seen for the second time."""
    seen = [at.evidence[0] for at in scene.sights if code in at.readings.values()]
    return sorted(scene.place(event_id) for event_id in seen)[1]


def _decided(scene: Scene, cause: Cause) -> list[Ruling]:
    """The rulings on one cause: those that name it or all of 7.1, made while it was open.

    All of 7.1 is what somebody had declared: nobody decides on a card that nobody spoke of.
    """
    return [
        (event_id, made)
        for event_id, made in _on_the_house(scene)
        if (made.clause == "NN:7.1" and cause.declared) or within(made.clause, cause.told.clause)
        if scene.made_in_time(event_id, cause.since)
    ]


def _on_the_house(scene: Scene) -> list[Ruling]:
    """The rulings under 7.1 with a word that decides, whoever made them."""
    return [(at, made) for at, made in scene.rulings_under("NN:7.1") if made.decision in DECIDES]


def _goes_on(scene: Scene, cause: Cause) -> bool:
    """Whether the House let the round go on in spite of a cause."""
    return _word(scene, cause) == "continue"


def _word(scene: Scene, cause: Cause) -> str:
    """What the House decided on a cause; empty where nobody of the right rank did."""
    stands = standing(_decided(scene, cause), scene.terms.readings["house_authority"])
    return stands.decision if stands else ""


def _from_below(scene: Scene, cause: Cause) -> list[Ruling]:
    """The rulings on a cause by too low a rank that the House's word does not bear out."""
    needed, word = scene.terms.readings["house_authority"], _word(scene, cause)
    return [
        (event_id, made)
        for event_id, made in _decided(scene, cause)
        if not at_least(made.rank, needed) and made.decision != word
    ]


def undecided(scene: Scene, evidence: Evidence) -> Iterator[Remark]:
    """That the table called a round void before its deal and no decision of the House says so."""
    if scene.boxes.wagers:
        text = "the table called the round void, and no decision of the House is on file"
        yield Remark("DECISION_MISSING", "NN:7.1", text, evidence)


def _undecided(scene: Scene, cause: Cause) -> Remark:
    low = _from_below(scene, cause)
    if low:
        return _from_too_low(*low[0], cause.told.clause)
    text = "no decision of the House was on file in time, so the round is void"
    return Remark("DECISION_MISSING", cause.told.clause, text)


def _from_too_low(event_id: str, made: e.RulingMade, clause: str) -> Remark:
    text = f"{titled(made.rank)} decided what is for the House to decide"
    return Remark("DECISION_NOT_AUTHORISED", clause, text, (event_id,))


def _deck(scene: Scene) -> str:
    """The deck this round is dealt from; empty where nobody said."""
    deck = scene.round.shoe.shoe_id if scene.round.shoe else ""
    for event in scene.round.events:
        match event.payload:
            case e.ShoeLoaded(shoe_id=shoe_id):
                deck = shoe_id
            case e.CardDrawn():
                break
    return deck

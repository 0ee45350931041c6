"""The deck and what may end a round at once: foreign cards, a jam, a wrong count (7.1, 7.2)."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from replay.fuse import CODES
from replay.games.niu_niu import Packet
from replay.ruling import Memory
from replay.rulings.niu_niu.scene import DECLARED, Evidence, Remark, Scene
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


class Invalid(NamedTuple):
    """What section 7.1 makes of a round."""

    remarks: tuple[Remark, ...] = ()
    clauses: tuple[str, ...] = ()  # why the round is void; empty where it goes on
    weighed: bool = False  # whether somebody's rank had to be judged (issue house_authority)


def invalid(scene: Scene) -> Invalid:
    """Whether the House must be taken to have voided the round (7.1)."""
    declared = {clause: _evidence(scene, clause) for clause in DECLARED}
    remarks = [
        Remark(f"IRREGULARITY_{clause.removeprefix('NN:')}", clause, TEXTS[clause], evidence)
        for clause, evidence in declared.items()
        if evidence
    ]
    found = [] if declared["NN:7.1.3"] else list(_miscounted(scene))
    causes = [at.clause for at in (*remarks, *found)]
    if not causes:
        return Invalid()
    good, weighed = _authorised(scene)
    if any(made.decision == "continue" for made in good):
        return Invalid((*remarks, *found), (), True)
    told = [*remarks, *found]
    if remarks and not good:
        told.append(_undecided(scene, causes[0]))
    if set(causes) & set(NEW_CARDS):
        text = "a new set of cards must be put into play"
        told.append(Remark("NEW_DECK_REQUIRED", "NN:7.2", text))
    return Invalid(tuple(told), tuple(causes), weighed)


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
    own = {
        at.payload.wager_id for at in scene.round.events if isinstance(at.payload, e.WagerPlaced)
    }
    closed, settled = False, set[str]()
    for event in scene.round.events:
        text = ""
        match event.payload:
            case e.RoundClosed():
                closed = True
            case e.WagerSettled(wager_id=wager_id):
                if wager_id not in own:
                    text = f"wager {wager_id} of another round was settled here"
                elif closed and wager_id in settled:
                    text = f"wager {wager_id} was settled again after the round was closed"
                settled.add(wager_id)
            case e.RoundVoided() if closed:
                text = "the round was voided after it was closed"
            case e.RulingMade(decision="reopen"):
                text = "an earlier round was reopened by a ruling"
        if text:
            yield Remark("REOPENED_ROUND", "NN:7.2", text, (event.event_id,))


def _evidence(scene: Scene, clause: str) -> Evidence:
    found = scene.reports.get(clause, ())
    if clause == "NN:7.1.1":
        found += tuple(
            event_id
            for sight in scene.sights
            if not CODES.issuperset(sight.readings.values())
            for event_id in sight.evidence
        )
    return found + (_jams(scene) if clause == "NN:7.1.2" else ())


def _jams(scene: Scene) -> Evidence:
    """Faults of the dealing device before anything was settled."""
    found: Evidence = ()
    for event in scene.round.events:
        if isinstance(event.payload, e.WagerSettled):
            break
        if isinstance(event.payload, e.DeviceJammed) and event.device_kind not in OTHER_DEVICES:
            found += (event.event_id,)
    return found


def _miscounted(scene: Scene) -> Iterator[Remark]:
    """A wrong count that nobody declared: a card twice, or not 52 in all (7.1.3)."""
    drawn = [held for packet in scene.packets for held in packet.cards]
    twice = sorted(str(held) for held, n in Counter(drawn).items() if held and n > 1)
    if twice:
        evidence = tuple(
            event_id
            for packet in scene.packets
            if set(twice) & set(_codes(packet))
            for event_id in packet.evidence
        )
        text = f"{', '.join(twice)} came twice from one deck"
        yield Remark("DECK_INTEGRITY", "NN:7.1.3", text, evidence)
    for event in scene.round.events:
        match event.payload:
            case e.ShoeRemoved(cards_left=int(rest)) if rest + len(drawn) != len(DECK):
                text = f"{len(drawn)} cards were dealt and {rest} were left of {len(DECK)}"
                yield Remark("DECK_INTEGRITY", "NN:7.1.3", text, (event.event_id,))


def _codes(packet: Packet) -> list[str]:
    return list(map(str, packet.cards))


def _authorised(scene: Scene) -> tuple[list[e.RulingMade], bool]:
    """Rulings under 7.1 by a rank that may make them, and whether ranks had to be judged."""
    rulings = [made for _, made in scene.rulings_under("NN:7.1")]
    needed = scene.terms.readings["house_authority"]
    return [made for made in rulings if at_least(made.rank, needed)], bool(rulings)


def _undecided(scene: Scene, clause: str) -> Remark:
    made = scene.rulings_under("NN:7.1")
    if made:
        event_id, ruling = made[0]
        text = f"a {ruling.rank.replace('_', ' ')} decided what is for the House to decide"
        return Remark("DECISION_NOT_AUTHORISED", clause, text, (event_id,))
    text = "no decision of the House is on file, so the round is void"
    return Remark("DECISION_MISSING", clause, text)


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

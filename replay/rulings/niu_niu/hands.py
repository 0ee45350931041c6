"""The hands that are compared: wrong counts, misplaced packets, reconstruction (7.4 to 7.7)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games import niu_niu as game
from replay.games.niu_niu import Fault, Hand
from replay.rulings.niu_niu.scene import MISDEALT, Scene
from replay.rulings.shared import declared_void
from replay.rulings.shared.section_seven import Evidence, Remark, titled, without_cause
from replay.witnesses import Rebuilt, Sight, rebuilt
from schemas.cards import Card

ASTRAY = ("CARDS_TO_EMPTY_BOX", "NO_CARDS_TO_BOX")  # what a reconstruction puts right

Cards = Mapping[str, tuple[Card | None, ...]]


class Dealt(NamedTuple):
    """The hands in the end, what is void of them, and what was remarked on the way."""

    hands: Mapping[str, Hand] = {}
    void: tuple[str, ...] = ()  # why the whole round is void
    gone: Mapping[str, str] = {}  # boxes whose wagers go back, with the clause
    remarks: tuple[Remark, ...] = ()
    unknown: str = ""  # what is missing or disagrees
    rebuilt: bool = False


def unfinished(scene: Scene) -> bool:
    """Whether the Dealer, who comes last, still lacks cards and nobody speaks of a misdeal."""
    held = sum(len(packet.cards) for packet in scene.packets if packet.hand == game.DEALER)
    return held < game.FULL and not any(clause in scene.reports for clause in MISDEALT)


def dealt(scene: Scene) -> Dealt:
    """Section 7 over the cards as they were dealt, in the order of issue several_faults."""
    wagered = tuple(scene.boxes.live)
    missed = _missed_by_the_device(scene, (*game.clockwise(wagered), game.DEALER))
    if missed:
        return Dealt(unknown=missed)
    found: dict[str, list[Fault]] = {}
    for fault in game.faults(scene.packets, wagered):
        found.setdefault(fault.kind, []).append(fault)
    if "dealer_count" in found:
        return _void("DEALER_CARD_COUNT", "NN:7.5", found["dealer_count"], scene)
    if "hand_count" in found and not scene.handled:
        return _void("HAND_CARD_COUNT", "NN:7.4", found["hand_count"], scene)
    return _compared(scene, found)


def _missed_by_the_device(scene: Scene, hands: Sequence[str]) -> str:
    """A hand that is short by the device and full by what others saw, as a sentence.

    Where the table itself says that it was short, or calls the round void, it was.
    """
    told = any(clause in scene.reports for clause in MISDEALT)
    if told or declared_void.ids(scene.round.events):
        return ""
    for hand in hands:
        lying = [at for at in scene.sights if at.hand == hand]
        given = sum(at.position > 0 for at in lying)
        seen = sum(at.position > 0 or bool(at.readings) for at in lying)
        if given < seen == game.FULL and any(at.position for at in scene.sights):
            return f"hand {hand}: the device gave {given} cards, and {seen} were seen"
    return ""


def overruled(scene: Scene, cards: Dealt) -> Iterator[Remark]:
    """Rulings on a misdeal that say another thing than 7.4 to 7.7, which leave no choice."""
    astray = any(at.code in ASTRAY for at in cards.remarks) and not cards.rebuilt
    for clause in MISDEALT:
        for event_id, made in scene.rulings_under(clause):
            if made.decision == "void" and not cards.void:
                text = f"{titled(made.rank)} ruled the round void, the rules let it go on"
            elif made.decision == "reconstruct" and astray:
                why = "were handled" if scene.handled else "cannot be"
                text = f"{titled(made.rank)} ruled that cards are reconstructed which {why}"
            elif made.decision == "reconstruct" and not cards.rebuilt:
                yield without_cause(event_id, made, "no cards were dealt astray")
                continue
            else:
                continue
            yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))


def places(scene: Scene, cards: Dealt) -> Rebuilt:
    """Where the cards lie after a reconstruction, or once a hand was arranged; empty where as put.

    Whoever arranges a hand turns its cards about (4.9), so a card lies where a witness saw it.
    """
    turned = any(at.card is None and len(at.readings) > 1 for at in scene.sights)
    if not cards.rebuilt and not turned:
        return {}
    drawn = [at for at in scene.sights if at.position]
    dealt: dict[str, list[Sight]] = {}
    for at in drawn:
        dealt.setdefault(at.hand, []).append(at)
    again = _again(scene) if cards.rebuilt else None
    if again:
        dealt = {
            box: dealt.get(place, [])[first : first + game.FULL]
            for box, (place, first) in again.items()
        }
    seen = {hand: [at for at in scene.sights if at.hand == hand] for hand in dealt}
    return rebuilt({hand: _as_seen(held, seen[hand]) for hand, held in dealt.items()}, drawn)


def _as_seen(held: Sequence[Sight], seen: Sequence[Sight]) -> list[Sight]:
    """The cards of a hand in the order a witness saw them, as far as one did."""
    slots: dict[int, Sight] = {}
    left = list(held)
    for at in seen:
        found = (one for one in left if one.shoe in (at.camera, at.dealer) and one.shoe)
        card = next(found, None)
        if card is not None and at.slot <= len(held):
            slots[at.slot] = card
            left.remove(card)
    return [slots.get(n) or left.pop(0) for n in range(1, len(held) + 1)]


def _void(code: str, clause: str, faults: list[Fault], scene: Scene) -> Dealt:
    text = f"{_counts(faults)}: the round is void"
    return Dealt(void=(clause,), remarks=(Remark(code, clause, text, _of(faults, scene)),))


def _compared(scene: Scene, found: Mapping[str, list[Fault]]) -> Dealt:
    """A round that goes on: who keeps what, and who goes back."""
    short, empty, missed = (
        found.get(kind, []) for kind in ("hand_count", "empty_box", "missed_box")
    )
    lying: Cards = {packet.hand: packet.cards for packet in scene.packets}
    again = None
    if (empty or missed) and not scene.handled:
        again = _again(scene)
        if again is None and not missed:
            return _void("CARDS_TO_EMPTY_BOX", "NN:7.4", empty, scene)
    gone = {fault.hand: "NN:7.4.1" for fault in short}
    gone |= {fault.hand: "NN:7.7.1" for fault in missed if again is None}
    remarks = _remarks(scene, found, again is not None)
    cards = {
        box: lying[place][first : first + game.FULL]
        for box, (place, first) in (again or {}).items()
    }
    return _known(scene, cards or lying, Dealt(gone=gone, remarks=remarks, rebuilt=bool(again)))


def _again(scene: Scene) -> Mapping[str, tuple[str, int]] | None:
    reading = scene.terms.readings["spare_packet"]
    return game.reconstructed(scene.packets, scene.boxes.live, reading)


def _known(scene: Scene, cards: Cards, so_far: Dealt) -> Dealt:
    """The hands with every card read, or what is missing or disagrees."""
    wanted = [box for box in scene.boxes.live if box not in so_far.gone]
    doubts = {packet.hand: packet.doubt for packet in scene.packets}
    hands: dict[str, Hand] = {}
    for name in (*game.clockwise(wanted), game.DEALER):
        held = tuple(one for one in cards[name] if one)
        if len(held) < game.FULL:
            unread = doubts.get(name) or next(filter(None, doubts.values()), "")
            return so_far._replace(unknown=unread or f"hand {name}: a card could not be read")
        hands[name] = held
    for packet in scene.packets:
        strange = game.against(packet, hands.get(packet.hand, ()))
        if packet.hand in hands and strange:
            return so_far._replace(unknown=strange)
    return so_far._replace(hands=hands)


def _remarks(scene: Scene, found: Mapping[str, list[Fault]], rebuilt: bool) -> tuple[Remark, ...]:
    remarks = []
    for kind, code, clause, then in (
        ("hand_count", "HAND_CARD_COUNT", "NN:7.4.1", "that hand alone is void"),
        ("empty_box", "CARDS_TO_EMPTY_BOX", "NN:7.6.1", "those cards are dead"),
        ("missed_box", "NO_CARDS_TO_BOX", "NN:7.7.1", "the wagers of that box go back"),
    ):
        faults = found.get(kind, [])
        if faults:
            cited = clause.removesuffix(".1") if rebuilt else clause
            ending = "the cards are reconstructed" if rebuilt else then
            text = f"{_counts(faults)}: {ending}"
            remarks.append(Remark(code, cited, text, _of(faults, scene)))
    if rebuilt:
        text = "packets went in the order of the device to the boxes with a wager, then the Dealer"
        clause = "NN:7.7" if "missed_box" in found else "NN:7.6"
        remarks.append(Remark("RECONSTRUCTED", clause, text))
    return tuple(remarks)


def _counts(faults: list[Fault]) -> str:
    return ", ".join(
        f"{'Dealer' if at.hand == game.DEALER else f'box {at.hand}'} was dealt {at.found} cards"
        for at in faults
    )


def _of(faults: list[Fault], scene: Scene) -> Evidence:
    """The readings of the hands in question, and the handling that decides between two rules."""
    hands = {fault.hand for fault in faults}
    cards = (id for packet in scene.packets if packet.hand in hands for id in packet.evidence)
    return (*cards, *scene.handled)

"""The hands that are compared: wrong counts, misplaced packets, reconstruction (7.4 to 7.7)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games import niu_niu as game
from replay.games.niu_niu import Fault, Hand
from replay.rulings.niu_niu.record import MISDEALT, NiuNiuRecord
from replay.rulings.shared import declared_void
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import Evidence, without_cause
from replay.sentence import Sentence, say
from replay.witnesses import Rebuilt, Sight, rebuilt
from schemas.cards import Card

ASTRAY = ("CARDS_TO_EMPTY_BOX", "NO_CARDS_TO_BOX")  # what a reconstruction puts right

Cards = Mapping[str, tuple[Card | None, ...]]


class NiuNiuHands(NamedTuple):
    """The hands in the end, what is void of them, and what was remarked on the way."""

    hands: Mapping[str, Hand] = {}
    void: tuple[str, ...] = ()  # why the whole round is void
    gone: Mapping[str, str] = {}  # boxes whose wagers go back, with the clause
    remarks: tuple[Remark, ...] = ()
    unknown: Sentence | None = None  # what is missing or disagrees
    rebuilt: bool = False


def unfinished(record: NiuNiuRecord) -> bool:
    """Whether the Dealer, who comes last, still lacks cards and nobody speaks of a misdeal."""
    held = sum(len(packet.cards) for packet in record.packets if packet.hand == game.DEALER)
    return held < game.FULL and not any(clause in record.reports for clause in MISDEALT)


def dealt(record: NiuNiuRecord) -> NiuNiuHands:
    """Section 7 over the cards as they were dealt, in the order of issue several_faults."""
    wagered = tuple(record.boxes.live)
    missed = _missed_by_the_device(record, (*game.clockwise(wagered), game.DEALER))
    if missed:
        return NiuNiuHands(unknown=missed)
    found: dict[str, list[Fault]] = {}
    for fault in game.faults(record.packets, wagered):
        found.setdefault(fault.kind, []).append(fault)
    if "dealer_count" in found:
        return _void("DEALER_CARD_COUNT", "NN:7.5", found["dealer_count"], record)
    if "hand_count" in found and not record.handled:
        return _void("HAND_CARD_COUNT", "NN:7.4", found["hand_count"], record)
    return _compared(record, found)


def _missed_by_the_device(record: NiuNiuRecord, hands: Sequence[str]) -> Sentence | None:
    """A hand that is short by the device and full by what others saw.

    Where the table itself says that it was short, or calls the round void, it was.
    """
    told = any(clause in record.reports for clause in MISDEALT)
    if told or declared_void.ids(record.round.events):
        return None
    for hand in hands:
        lying = [place for place in record.sights if place.hand == hand]
        given = sum(at.position > 0 for at in lying)
        seen = sum(at.position > 0 or bool(at.readings) for at in lying)
        if given < seen == game.FULL and any(place.position for place in record.sights):
            return say("NN.device_gave_fewer", hand=hand, given=given, seen=seen)
    return None


def overruled(record: NiuNiuRecord, cards: NiuNiuHands) -> Iterator[Remark]:
    """Rulings on a misdeal that say another thing than 7.4 to 7.7, which leave no choice."""
    astray = any(remark.code in ASTRAY for remark in cards.remarks) and not cards.rebuilt
    for clause in MISDEALT:
        for event_id, made in record.rulings_under(clause):
            if made.decision == "void" and not cards.void:
                text = say("NN.ruled_void_goes_on", rank=made.rank)
            elif made.decision == "reconstruct" and astray:
                text = say("NN.reconstructs_impossible", rank=made.rank)
                if record.handled:
                    text = say("NN.reconstructs_handled", rank=made.rank)
            elif made.decision == "reconstruct" and not cards.rebuilt:
                yield without_cause(event_id, made, say("NN.nothing_astray"))
                continue
            else:
                continue
            yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))


def places(record: NiuNiuRecord, cards: NiuNiuHands) -> Rebuilt:
    """Where the cards lie after a reconstruction, or once a hand was arranged; empty where as put.

    Whoever arranges a hand turns its cards about (4.9), so a card lies where a witness saw it.
    """
    turned = any(place.card is None and len(place.readings) > 1 for place in record.sights)
    if not cards.rebuilt and not turned:
        return {}
    drawn = [place for place in record.sights if place.position]
    dealt: dict[str, list[Sight]] = {}
    for at in drawn:
        dealt.setdefault(at.hand, []).append(at)
    again = _again(record) if cards.rebuilt else None
    if again:
        dealt = {
            box: dealt.get(place, [])[first : first + game.FULL]
            for box, (place, first) in again.items()
        }
    seen = {hand: [place for place in record.sights if place.hand == hand] for hand in dealt}
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


def _void(code: str, clause: str, faults: list[Fault], record: NiuNiuRecord) -> NiuNiuHands:
    text = say("NN.counts_void", counts=_counts(faults))
    return NiuNiuHands(void=(clause,), remarks=(Remark(code, clause, text, _of(faults, record)),))


def _compared(record: NiuNiuRecord, found: Mapping[str, list[Fault]]) -> NiuNiuHands:
    """A round that goes on: who keeps what, and who goes back."""
    short, empty, missed = (
        found.get(kind, []) for kind in ("hand_count", "empty_box", "missed_box")
    )
    lying: Cards = {packet.hand: packet.cards for packet in record.packets}
    again = None
    if (empty or missed) and not record.handled:
        again = _again(record)
        if again is None and not missed:
            return _void("CARDS_TO_EMPTY_BOX", "NN:7.4", empty, record)
    gone = {fault.hand: "NN:7.4.1" for fault in short}
    gone |= {fault.hand: "NN:7.7.1" for fault in missed if again is None}
    remarks = _remarks(record, found, again is not None)
    cards = {
        box: lying[place][first : first + game.FULL]
        for box, (place, first) in (again or {}).items()
    }
    return _known(
        record, cards or lying, NiuNiuHands(gone=gone, remarks=remarks, rebuilt=bool(again))
    )


def _again(record: NiuNiuRecord) -> Mapping[str, tuple[str, int]] | None:
    reading = record.terms.readings["spare_packet"]
    return game.reconstructed(record.packets, record.boxes.live, reading)


def _known(record: NiuNiuRecord, cards: Cards, so_far: NiuNiuHands) -> NiuNiuHands:
    """The hands with every card read, or what is missing or disagrees."""
    wanted = [box for box in record.boxes.live if box not in so_far.gone]
    doubts = {packet.hand: packet.doubt for packet in record.packets}
    hands: dict[str, Hand] = {}
    for name in (*game.clockwise(wanted), game.DEALER):
        held = tuple(one for one in cards[name] if one)
        if len(held) < game.FULL:
            unread = doubts.get(name) or next(filter(None, doubts.values()), None)
            return so_far._replace(unknown=unread or say("NN.card_unread", hand=name))
        hands[name] = held
    for packet in record.packets:
        strange = game.against(packet, hands.get(packet.hand, ()))
        if packet.hand in hands and strange:
            return so_far._replace(unknown=strange)
    return so_far._replace(hands=hands)


def _remarks(
    record: NiuNiuRecord, found: Mapping[str, list[Fault]], rebuilt: bool
) -> tuple[Remark, ...]:
    remarks = []
    for kind, code, clause, then in (
        ("hand_count", "HAND_CARD_COUNT", "NN:7.4.1", say("NN.hand_void")),
        ("empty_box", "CARDS_TO_EMPTY_BOX", "NN:7.6.1", say("NN.cards_dead")),
        ("missed_box", "NO_CARDS_TO_BOX", "NN:7.7.1", say("NN.box_goes_back")),
    ):
        faults = found.get(kind, [])
        if faults:
            cited = clause.removesuffix(".1") if rebuilt else clause
            ending = say("NN.reconstructed") if rebuilt else then
            text = say("NN.counts_then", counts=_counts(faults), then=ending)
            remarks.append(Remark(code, cited, text, _of(faults, record)))
    if rebuilt:
        text = say("NN.packets_in_order")
        clause = "NN:7.7" if "missed_box" in found else "NN:7.6"
        remarks.append(Remark("RECONSTRUCTED", clause, text))
    return tuple(remarks)


def _counts(faults: list[Fault]) -> tuple[Sentence, ...]:
    return tuple(say("NN.was_dealt", hand=at.hand, n=at.found) for at in faults)


def _of(faults: list[Fault], record: NiuNiuRecord) -> Evidence:
    """The readings of the hands in question, and the handling that decides between two rules."""
    hands = {fault.hand for fault in faults}
    cards = (id for packet in record.packets if packet.hand in hands for id in packet.evidence)
    return (*cards, *record.handled)

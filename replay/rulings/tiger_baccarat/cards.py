"""Cards that lie where they should not: 7.4 to 7.9, all from the order they left the shoe."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from replay.games.tiger_baccarat import OPENING, Deal, ReadDeal, faults
from replay.rulings.shared.remark import Remark
from replay.rulings.tiger_baccarat.carry import Lying, laid
from replay.rulings.tiger_baccarat.record import TigerBaccaratRecord, first_card_seen
from replay.sentence import say
from replay.witnesses import CODES, Rebuilt, Sight, distinct, rebuilt
from schemas import events as e


class Opening(NamedTuple):
    """How the next hand begins."""

    free: bool = False
    cards: tuple[str | None, ...] = ()  # its first cards, as far as they are fixed already
    lying: Lying = ()  # those of them that are out of the shoe


def misplaced(read: ReadDeal) -> list[Sight]:
    """Cards put on another hand than their place in the shoe gives them (7.9)."""
    found = [at for at, owed in zip(read.used, _owed(read.deal), strict=True) if at.hand != owed]
    return [at for at in found if at is not _used_by_banker(read)]


def places(read: ReadDeal) -> Rebuilt:
    """Where the cards of a hand lie once it was put right (7.6, 7.9); empty where nothing moved.

    A card too many stays where it was put, unless a card of the hand lies there now.
    """
    hands: dict[str, list[Sight]] = {}
    for at, owed in zip(read.used, _owed(read.deal), strict=True):
        hands.setdefault(owed, []).append(at)
    if all((at.hand, at.slot) == (hand, n) for hand, held in hands.items()
           for n, at in enumerate(held, 1)):  # fmt: skip
        return {}
    lie = rebuilt(hands, (*read.used, *read.spare))
    taken = set(lie.values())
    stay = {id: (at.hand, at.slot) for at in read.spare for id in at.evidence}
    return lie | {id: place for id, place in stay.items() if place not in taken}


def placement(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What is to be said of the cards on the hands."""
    read = record.read
    third = _used_by_banker(read)
    if third:
        text = say("TB.third_used_by_banker", card=str(third.card))
        yield Remark("UNDUE_THIRD_CARD_USED_BY_BANKER", "TB:7.6", text, third.evidence)
    yield from wrong_order(record)
    yield from _unlawful(read)
    yield from undue(record)


def wrong_order(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Cards on another hand than the draw order gives them, seen or reported (7.9)."""
    wrong, reported = misplaced(record.read), record.reports.get("TB:7.9", ())
    if wrong or reported:
        evidence = (*reported, *(id for at in wrong for id in at.evidence))
        text = say("TB.wrong_order")
        yield Remark("WRONG_ORDER", "TB:7.9", text, evidence)


def unlawful_stop(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """A third card that section 4 asks for and the dealer did not draw before the call."""
    if len(record.read.used) < len(OPENING) or not record.seen(e.ResultCalled):
        return
    for fault in faults(record.read.deal):
        hand, found, wanted = fault.hand, fault.found, fault.wanted
        text = say("TB.cards_held", hand=hand, found=found, wanted=wanted)
        yield Remark("UNLAWFUL_DRAW", fault.clause, text)


def seen_cards(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Cards seen in the shoe: of this hand (7.4) and of the next one (7.5)."""
    early = first_card_seen(record.round, record.lying)
    if early:
        text = say("TB.first_card_seen")
        yield Remark("NEXT_CARD_SEEN", "TB:7.5", text, tuple(id for id, _ in early))
    face_up, _ = _in_shoe(record)
    face_up += record.reports.get("TB:7.4", ())
    if face_up:
        text = say("TB.face_up_in_shoe")
        yield Remark("FACE_UP_IN_SHOE", "TB:7.4", text, face_up)


def opening(record: TigerBaccaratRecord) -> Opening:
    """How the next hand begins after the cards of this one (7.5 to 7.8)."""
    spare = record.read.spare
    _, coming = _in_shoe(record)
    out = tuple(at.card and str(at.card) for at in spare)
    free = _makes_it_free(record)
    unseen = any(at.hand == "banker" for at in spare) and not free
    reading = record.terms.readings["undue_banker_card_unseen"]
    free = free or (unseen and reading == "opens_a_free_hand")
    cards = (*out, *(card for _, card in coming))
    return Opening(free, cards if free else (), laid(out))


def _makes_it_free(record: TigerBaccaratRecord) -> bool:
    """Whether the next hand is free without any doubt: a card seen, or the first one on Player."""
    spare, (_, coming) = record.read.spare, _in_shoe(record)
    open_faced = any(_exposed(at, record) for at in spare)
    return bool(coming) or open_faced or any(at.hand == "player" for at in spare[:1])


def _owed(deal: Deal) -> tuple[str, ...]:
    """The hand that each card of a deal belongs to, in draw order."""
    held = min(len(OPENING), len(deal.player) + len(deal.banker))
    thirds = ("player",) * (len(deal.player) == 3) + ("banker",) * (len(deal.banker) == 3)
    return OPENING[:held] + thirds


def _used_by_banker(read: ReadDeal) -> Sight | None:
    """The third card of Banker that was put on Player, who may not draw (7.6)."""
    if len(read.deal.player) != 2 or len(read.deal.banker) != 3:
        return None
    fifth = read.used[4]
    return fifth if fifth.hand == "player" else None


def _unlawful(read: ReadDeal) -> Iterator[Remark]:
    """A third card that one hand was owed and the other one got."""
    given = Counter(at.hand for at in read.used[4:] if at is not _used_by_banker(read))
    owed = Counter(_owed(read.deal)[4:])
    for hand in ("player", "banker"):
        if given[hand] > owed[hand]:
            text = say("TB.third_to_wrong_hand", hand=hand)
            yield Remark("UNLAWFUL_DRAW", "TB:4.10", text)


def undue(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Cards beyond the hand, and a card of the next hand that was seen (7.5 to 7.7)."""
    for at in record.read.spare:
        seen, shown = _exposed(at, record), at.card and str(at.card)
        if at.hand == "player":
            text = say("TB.undue_player_card", card=shown)
            yield Remark("UNDUE_PLAYER_CARD", "TB:7.6", text, at.evidence)
        elif at.hand == "banker":
            text = say("TB.undue_banker_card", card=shown)
            yield Remark("UNDUE_BANKER_CARD", "TB:7.7", text, at.evidence)
            if not seen:
                text = say("TB.undue_card_unseen")
                yield Remark("REFER_7.20", "TB:7.20", text, at.evidence)
        elif seen:
            yield _next_seen(at.evidence)
    _, coming = _in_shoe(record)
    if coming:
        yield _next_seen(tuple(id for id, _ in coming))


def _next_seen(evidence: tuple[str, ...]) -> Remark:
    return Remark("NEXT_CARD_SEEN", "TB:7.5", say("TB.next_card_seen"), evidence)


def _exposed(at: Sight, record: TigerBaccaratRecord) -> bool:
    shown = [x.payload for x in record.round.events if isinstance(x.payload, e.CardExposed)]
    places = {"player": "hand", "banker": "hand"}
    return at.exposed or any(
        x.place == places.get(at.hand, "next")
        and x.hand in ("", at.hand)
        and x.card in (None, str(at.card))
        for x in shown
    )


def _in_shoe(record: TigerBaccaratRecord) -> tuple[tuple[str, ...], list[tuple[str, str | None]]]:
    """Cards seen inside the shoe: ids where of this hand, id and card of the next hand's first."""
    drawn, placed, face_up = len(record.lying), 0, tuple[str, ...]()
    coming: list[tuple[str, str | None]] = []
    aside = any(at.hand not in Deal._fields for at in record.read.spare)
    reported = record.reports.get("TB:7.5", ())
    for event in distinct(record.round.events):
        dealt = max(drawn, placed)
        match event.payload:
            case e.CardDrawn():
                drawn += event.event_id not in record.retaken
            case e.CardPlaced():
                placed += 1
            case e.CardExposed(place="shoe") if 0 < dealt < len(record.read.used):
                face_up += (event.event_id,)
            case e.CardExposed(place="shoe", card=card) if dealt:
                coming.append((event.event_id, card))
            case e.CardExposed(place="next", card=card) if not aside:
                coming.append((event.event_id, card))
            case e.IrregularityReported(subject=card) if event.event_id in reported and not aside:
                coming.append((event.event_id, card if card in CODES else None))
    known = [seen for seen in coming if seen[1]]
    return face_up, (known or coming)[:1]

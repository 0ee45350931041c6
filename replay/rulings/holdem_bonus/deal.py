"""Cards dealt wrongly: a missed burn, a misdeal, wrong counts (TH:7.8, 7.3, 7.4, 7.6).

To reconstruct is to apply the order of section 4 to the cards as they left the device.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games import holdem_bonus as game
from replay.games.holdem_bonus import BURN, COMMUNITY, DEALER, DEVICE, SHOE, Hands
from replay.rulings.holdem_bonus.decisions import Invalidation, case_word, referred, undecided
from replay.rulings.holdem_bonus.record import BEYOND_REPAIR, NOT_COVERED, HoldemRecord
from replay.rulings.holdem_bonus.wagers import opening
from replay.rulings.shared import declared_void, section_seven
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import Evidence, within, without_cause
from replay.sentence import Sentence, say
from replay.witnesses import Sight
from schemas import events as e

COMMON, BOX = "TH:7.4", "TH:7.6"
COUNT_CODES = {COMMON: "CARD_COUNT_COMMON", BOX: "CARD_COUNT_BOX"}
COUNTS = frozenset(COUNT_CODES.values())


class HoldemCards(NamedTuple):
    """The deal that counts, or why none does."""

    hands: Hands
    remarks: tuple[Remark, ...] = ()
    void: tuple[str, ...] = ()  # the clauses that void the round
    out: frozenset[str] = frozenset()  # boxes removed from play (TH:7.6)
    # Boxes whose settlement on record is left alone, with the clauses that ask for earlier notice.
    stands: Mapping[str, tuple[str, ...]] = {}
    rebuilt: bool = False
    readings: Mapping[str, str] = {}


def dealt(record: HoldemRecord) -> HoldemCards:
    """The deal after 7.8, 7.3, 7.4 and 7.6, in this order."""
    found = next(filter(None, (look(record) for look in WRONGS)), HoldemCards(record.read.hands))
    name = "late_notice"
    return found._replace(readings={name: record.terms.readings[name]} if found.stands else {})


def called_off(record: HoldemRecord) -> Invalidation | None:
    """A round that the table called void before its outcome was known, and not for its deal.

    TH:7.1 lets the House do so and 7.13 an Assistant Director; that nobody decided is told.
    """
    evidence = section_seven.called_off(record.round.events)
    if not evidence or _speaks_of_the_deal(record) or case_word(record) == "continue":
        return None
    if _outcome_known(record, record.place(evidence[0])):
        return None
    case = tuple(referred(record, raised=False))
    if case:
        return Invalidation(case, (NOT_COVERED,))
    begun = bool(record.wagers or record.read.hands)
    missing = undecided([], "TH:7.1", record.terms.readings["void_authority"], evidence)
    return Invalidation((missing,) if begun else (), ("TH:7.1",))


def _speaks_of_the_deal(record: HoldemRecord) -> bool:
    """Whether somebody reported, ruled or voided under the clauses on a wrong deal."""
    clauses = ("TH:7.3", *COUNT_CODES, "TH:7.8")
    named = {
        event.payload.clause
        for event in record.round.events
        if isinstance(event.payload, e.RoundVoided)
    }
    return bool(record.reported(*clauses)) or any(
        record.rulings_under(clause) or any(within(at, clause) for at in named)
        for clause in clauses
    )


def _outcome_known(record: HoldemRecord, until: int) -> bool:
    """Whether the Dealer's cards lay open by a place in the round, or nobody was left to play.

    A device deals every card face down before anybody decides (TH:4.12.1).
    """
    if record.boxes and not any(box.live for box in record.boxes.values()):
        return True
    before = record.round.events[:until]
    dealers = opening(before, record.dealing, area=DEALER)
    return len(dealers) >= (1 if record.dealing == DEVICE else game.SIZES[DEALER])


def overruled(record: HoldemRecord, cards: HoldemCards) -> Iterator[Remark]:
    """Rulings on the deal that say another thing than 7.3 to 7.8, or on nothing that happened."""
    goes_on = not cards.void
    for clause in ("TH:7.3", *COUNT_CODES, "TH:7.8"):
        known = record.reported(clause) or any(remark.clause == clause for remark in cards.remarks)
        for event_id, made in record.rulings_under(clause):
            void = made.decision in ("void", BEYOND_REPAIR)
            rebuild = made.decision == "reconstruct"
            if not known and (void or rebuild):
                yield without_cause(event_id, made, say("TH.not_dealt_so"))
            elif void and goes_on and not (clause == BOX and cards.out):
                text = say("TH.ruled_goes_on", rank=made.rank, decision=made.decision)
                yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))
            elif rebuild and not cards.rebuilt:
                text = say("TH.reconstructs_impossible", rank=made.rank)
                yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))
            elif made.decision == "allow_withdrawal" and not cards.out:
                yield without_cause(event_id, made, say("TH.no_hand_removed"))


def _missed_burn(record: HoldemRecord) -> HoldemCards | None:
    """TH:7.8. A burn is missing from the draw sequence of a card shoe."""
    areas, reported = _areas(record, spare=BURN), record.reported("TH:7.8")
    in_order = record.dealing == SHOE and bool(record.read.order)
    short = in_order and areas.count(BURN) < game.burns_owed(areas)
    if not reported and not short:
        return None
    told = Remark("BURN_MISSED", "TH:7.8", say("TH.burn_missed"), reported)
    viewed = record.handled("TH:7.8")
    hands = None if viewed else _rebuilt(record, "TH:7.8", moved=short)
    if hands is None:
        why = say("TH.void_viewed") if viewed else say("TH.void_not_rebuilt")
        return HoldemCards(record.read.hands, (told, _voided("TH:7.8", why, reported)), ("TH:7.8",))
    return _reconstructed(hands, told)


def _misdeal(record: HoldemRecord) -> HoldemCards | None:
    """TH:7.3. Every place has its cards, but not those that the order of the deal gives it."""
    areas, reported = _areas(record), record.reported("TH:7.3")
    wrong = _misplaced(record, areas)
    if not reported and not wrong:
        return None
    told = Remark("MISDEALT", "TH:7.3", say("TH.misdealt"), reported)
    if record.handled("TH:7.3"):
        return _referred(record, told)
    hands = _sets_moved(record, areas) if wrong else None
    if not wrong and _ruled(record, "TH:7.3", "reconstruct"):
        hands = record.read.hands  # what lies there is what was put right
    if hands is not None:
        return _reconstructed(hands, told)
    why = say("TH.void_sets_moved")
    return HoldemCards(record.read.hands, (told, _voided("TH:7.3", why, reported)), ("TH:7.3",))


def _referred(record: HoldemRecord, told: Remark) -> HoldemCards:
    """A misdeal with cards handled is not covered: void unless an Assistant Director decides."""
    text = say("TH.handled_not_covered")
    refer = Remark("REFER_7.13", NOT_COVERED, text, told.evidence)
    void = () if case_word(record) == "continue" else ("TH:7.3", NOT_COVERED)
    return HoldemCards(record.read.hands, (told, refer), void)


def _wrong_count(record: HoldemRecord) -> HoldemCards | None:
    """TH:7.4 and 7.6. A place has a card too many or too few."""
    wrong = list(_counts(record))
    clauses = [clause for clause in (COMMON, BOX) if any(at.clause == clause for at in wrong)]
    if not clauses:
        return None
    told = [_miscounted(record, clause, wrong) for clause in clauses]
    if not record.in_time(*clauses):
        stands = _left_alone(record, wrong)
        text = say("TH.late_notice")
        late = (Remark("LATE_NOTICE", clauses[0], text),) if stands else ()
        return HoldemCards(record.read.hands, (*told, *late), stands=stands)
    miscounted = any(at.found != at.wanted for at in wrong)
    hands = _rebuilt(record, clauses[0], moved=miscounted)
    if hands is not None:
        return _reconstructed(hands, *told)
    if COMMON in clauses:
        why = say("TH.void_not_rebuilt")
        return HoldemCards(record.read.hands, (*told, _voided(COMMON, why, ())), (COMMON,))
    return HoldemCards(record.read.hands, tuple(told), out=frozenset(at.area for at in wrong))


def _left_alone(record: HoldemRecord, wrong: Sequence[game.Fault]) -> Mapping[str, tuple[str, ...]]:
    """The boxes that a wrong count touches: 7.4 all of them, 7.6 its own.

    Where the board, the Dealer or the box got no card at all the deal was broken off: nothing was
    compared, so no settlement can stand.
    """
    none = {at.area for at in wrong if not at.found}
    if none & game.SIZES.keys():
        return {}
    common = (COMMON,) if any(at.clause == COMMON for at in wrong) else ()
    own = {at.area for at in wrong if at.clause == BOX}
    found = {name: (*common, *((BOX,) if name in own else ())) for name in record.boxes}
    return {name: clauses for name, clauses in found.items() if clauses and name not in none}


def _counts(record: HoldemRecord) -> Iterator[game.Fault]:
    """Places whose count is wrong, by the cards themselves or by a report."""
    hands, boxes = record.read.hands, tuple(record.boxes)
    yield from _counted(record)
    wrong = {at.clause for at in game.faults(hands, boxes)}
    for report in record.reports:
        if report.clause in COUNT_CODES and report.clause not in wrong:
            area = report.subject if report.clause == BOX else COMMUNITY
            for named in [area] if area in (*boxes, COMMUNITY) else boxes:
                held = len(hands.get(named, ()))
                yield game.Fault(named, held, held, report.clause)


def _counted(record: HoldemRecord) -> Iterator[game.Fault]:
    """Places with a card too many, or too few where no more can come."""
    for fault in game.faults(record.read.hands, tuple(record.boxes)):
        short = fault.found < fault.wanted
        unseen = short and not record.read.order and not record.reported(fault.clause)
        if _missed_by_the_device(record, fault):
            continue
        if not (short and _to_come(record, fault)) and not unseen and needed(record, fault):
            yield fault


def _missed_by_the_device(record: HoldemRecord, fault: game.Fault) -> bool:
    """Whether a place is short by the device and full by what others saw.

    Where the table itself says that it was short, or calls the round void, it was.
    """
    told = record.reported(fault.clause) or record.rulings_under(fault.clause)
    if told or declared_void.ids(record.round.events):
        return False
    seen = sum(at.hand == fault.area for at in record.read.strays)
    return seen > 0 and fault.found + seen == fault.wanted


def _to_come(record: HoldemRecord, fault: game.Fault) -> bool:
    """Whether the deal has not gone on beyond a place that is short of cards."""
    boxes = tuple(record.boxes)
    first = (boxes, (COMMUNITY,)) if record.dealing == SHOE else ((COMMUNITY,), boxes)
    turns = (*first, (DEALER,))
    turn = next(n for n, areas in enumerate(turns) if fault.area in areas)
    gone_on = any(area in record.read.hands for areas in turns[turn + 1 :] for area in areas)
    return not record.ended and not (gone_on and record.dealing) and not _told_of(record, fault)


def _told_of(record: HoldemRecord, fault: game.Fault) -> bool:
    """Whether somebody reported the number of cards of this very place."""
    about = {"dealer_count": DEALER, "community_count": COMMUNITY}
    return any(
        report.clause == fault.clause
        and fault.area == about.get(report.kind, report.subject or fault.area)
        for report in record.reports
    )


def needed(record: HoldemRecord, fault: game.Fault) -> bool:
    """Whether a place must have its cards although nobody may be left to play for them.

    A device deals them all before anybody folds (TH:4.12.1); a shoe need not begin with the
    board or the Dealer's hand once everybody folded (TH:4.11.2), but deals no part of them.
    """
    playing = any(box.live for box in record.boxes.values())
    begun = fault.found > 0 or record.dealing == DEVICE
    return playing or begun or fault.area in record.boxes


def _miscounted(record: HoldemRecord, clause: str, wrong: Sequence[game.Fault]) -> Remark:
    counts = tuple(
        say("TH.has_cards", hand=at.area, found=at.found, wanted=at.wanted)
        for at in wrong
        if at.clause == clause and at.found != at.wanted
    )
    text = say("TH.counts", counts=counts) if counts else say("TH.count_reported")
    return Remark(COUNT_CODES[clause], clause, text, record.reported(clause))


def _rebuilt(record: HoldemRecord, clause: str, *, moved: bool) -> Hands | None:
    """The hands by the order of the deal; None where they cannot be reconstructed."""
    if _ruled(record, clause, BEYOND_REPAIR, "void") or _reported_beyond_repair(record):
        return None
    asked = _ruled(record, clause, "reconstruct")
    if not moved or not record.dealing:  # what lies there is what was put right
        return record.read.hands if asked or not moved else None
    whole = game.order(record.dealing, tuple(record.boxes))
    if len(record.read.order) < len(whole) and (record.ended or _told_short(record)):
        return None
    hands = _by_order(record.read.order, whole)
    return hands if asked or not any(_changes(record, clause, hands)) else None


def _told_short(record: HoldemRecord) -> bool:
    """Whether a place lacks cards and somebody reported it: then none are to come any more."""
    faults = game.faults(record.read.hands, tuple(record.boxes))
    return any(at.found < at.wanted and _told_of(record, at) for at in faults)


def _changes(record: HoldemRecord, clause: str, rebuilt: Hands) -> Iterator[str]:
    """Places where a card that was seen or decided on would change (issue rebuilding)."""
    strict = record.terms.readings["rebuilding"] == "no_seen_card_moves"
    for area in sorted(_known(record, clause)):
        was, now = _cards(record.read.hands, area), _cards(rebuilt, area)
        taken_off = iter(was)  # what everybody saw stays, in its order, but for the extra card
        kept = area in game.SIZES and not strict and all(card in taken_off for card in now)
        if was != now and not kept:
            yield area


def _known(record: HoldemRecord, clause: str) -> set[str]:
    """Places whose cards somebody has seen or decided on.

    TH:7.8 asks for players who viewed their cards and for nothing else.
    """
    if clause == "TH:7.8" or record.terms.readings["rebuilding"] == "whatever_was_seen":
        return set()
    until = record.noticed_at(clause)
    acted = {
        box.name
        for box in record.boxes.values()
        for event in record.round.events[:until]
        if (isinstance(event.payload, e.WagerPlaced) and event.payload.wager_id in box.later)
        or event.event_id == box.fold
    }
    opened = {
        area
        for area in game.SIZES
        if opening(record.round.events[:until], record.dealing, area=area)
    }
    return acted | opened | record.handled(clause)


def _by_order(order: Sequence[Sight], whole: Sequence[str]) -> Hands:
    hands: dict[str, tuple[Sight, ...]] = {}
    for sight, area in zip(order, whole, strict=False):
        if area != BURN:
            hands[area] = (*hands.get(area, ()), sight)
    return hands


def _misplaced(record: HoldemRecord, areas: Sequence[str]) -> bool:
    """Whether cards lie where no Ante is, or in an order that no wrong count explains."""
    boxes = tuple(record.boxes)
    if set(areas) - {*boxes, *game.SIZES, BURN}:
        return True
    if not record.dealing or not record.read.order or game.lawful(record.dealing, boxes, areas):
        return False
    faults = game.faults(record.read.hands, boxes)
    return not any(_counted(record)) and not any(
        _missed_by_the_device(record, fault) for fault in faults
    )


def _sets_moved(record: HoldemRecord, areas: Sequence[str]) -> Hands | None:
    """The hands that moving complete sets of cards makes lawful; None where it does not."""
    boxes = tuple(record.boxes)
    if record.dealing and record.read.order:
        whole = game.order(record.dealing, boxes)
        pairs = set(zip(areas, whole, strict=False))
        places, owners = {place for place, _ in pairs}, {owner for _, owner in pairs}
        fits = len(areas) <= len(whole) and len(pairs) == len(places) == len(owners)
        return _by_order(record.read.order, whole) if fits else None
    # Without the order of the draw: one set beside its box, and one box without a set.
    hands = dict(record.read.hands)
    beside = [area for area in hands if area not in (*boxes, *game.SIZES)]
    empty = [box for box in boxes if box not in hands]
    if len(beside) != 1 or len(empty) != 1:
        return None
    hands[empty[0]] = hands.pop(beside[0])
    return hands


def _areas(record: HoldemRecord, spare: str = COMMUNITY) -> list[str]:
    """Where each card was put, and what a noticed card too many of the community stands for."""
    if record.read.order:
        return [
            spare if record.spare.intersection(sight.evidence) else sight.hand
            for sight in record.read.order
        ]
    return [area for area, held in record.read.hands.items() for _ in held]


def _cards(hands: Hands, area: str) -> list[str]:
    return [str(game.seen(sight)) for sight in hands.get(area, ())]


def _ruled(record: HoldemRecord, clause: str, *decisions: str) -> bool:
    return any(made.decision in decisions for _, made in record.rulings_under(clause))


def _reported_beyond_repair(record: HoldemRecord) -> bool:
    return any(
        isinstance(event.payload, e.IrregularityReported) and event.payload.kind == BEYOND_REPAIR
        for event in record.round.events
    )


def _reconstructed(hands: Hands, *told: Remark) -> HoldemCards:
    last = Remark("RECONSTRUCTED", told[-1].clause, say("TH.rebuilt"), told[-1].evidence)
    return HoldemCards(hands, (*told, last), rebuilt=True)


def _voided(clause: str, why: Sentence, evidence: Evidence) -> Remark:
    return Remark("", clause, why, evidence)


# What may be wrong with a deal, in the order in which it counts.
WRONGS = (_missed_burn, _misdeal, _wrong_count)

"""Cards dealt wrongly: a missed burn, a misdeal, wrong counts (TH:7.8, 7.3, 7.4, 7.6).

To reconstruct is to apply the order of section 4 to the cards as they left the device.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games import holdem_bonus as game
from replay.games.holdem_bonus import BURN, COMMUNITY, DEALER, DEVICE, SHOE, Hands
from replay.rulings.holdem_bonus.decisions import Found, case_word, referred, undecided
from replay.rulings.holdem_bonus.scene import BEYOND_REPAIR, NOT_COVERED, Scene
from replay.rulings.holdem_bonus.wagers import opening
from replay.rulings.shared import declared_void, section_seven
from replay.rulings.shared.section_seven import Evidence, Remark, titled, within, without_cause
from replay.witnesses import Sight
from schemas import events as e

COMMON, BOX = "TH:7.4", "TH:7.6"
COUNT_CODES = {COMMON: "CARD_COUNT_COMMON", BOX: "CARD_COUNT_BOX"}
COUNTS = frozenset(COUNT_CODES.values())


class Dealt(NamedTuple):
    """The deal that counts, or why none does."""

    hands: Hands
    remarks: tuple[Remark, ...] = ()
    void: tuple[str, ...] = ()  # the clauses that void the round
    out: frozenset[str] = frozenset()  # boxes removed from play (TH:7.6)
    # Boxes whose settlement on record is left alone, with the clauses that ask for earlier notice.
    stands: Mapping[str, tuple[str, ...]] = {}
    rebuilt: bool = False
    readings: Mapping[str, str] = {}


def dealt(scene: Scene) -> Dealt:
    """The deal after 7.8, 7.3, 7.4 and 7.6, in this order."""
    found = next(filter(None, (look(scene) for look in WRONGS)), Dealt(scene.read.hands))
    name = "late_notice"
    return found._replace(readings={name: scene.terms.readings[name]} if found.stands else {})


def called_off(scene: Scene) -> Found | None:
    """A round that the table called void before its outcome was known, and not for its deal.

    TH:7.1 lets the House do so and 7.13 an Assistant Director; that nobody decided is told.
    """
    evidence = section_seven.called_off(scene.round.events)
    if not evidence or _speaks_of_the_deal(scene) or case_word(scene) == "continue":
        return None
    if _outcome_known(scene, scene.place(evidence[0])):
        return None
    case = tuple(referred(scene, raised=False))
    if case:
        return Found(case, (NOT_COVERED,))
    begun = bool(scene.wagers or scene.read.hands)
    missing = undecided([], "TH:7.1", scene.terms.readings["void_authority"], evidence)
    return Found((missing,) if begun else (), ("TH:7.1",))


def _speaks_of_the_deal(scene: Scene) -> bool:
    """Whether somebody reported, ruled or voided under the clauses on a wrong deal."""
    clauses = ("TH:7.3", *COUNT_CODES, "TH:7.8")
    named = {
        at.payload.clause for at in scene.round.events if isinstance(at.payload, e.RoundVoided)
    }
    return bool(scene.reported(*clauses)) or any(
        scene.rulings_under(clause) or any(within(at, clause) for at in named) for clause in clauses
    )


def _outcome_known(scene: Scene, until: int) -> bool:
    """Whether the Dealer's cards lay open by a place in the round, or nobody was left to play.

    A device deals every card face down before anybody decides (TH:4.12.1).
    """
    if scene.boxes and not any(box.live for box in scene.boxes.values()):
        return True
    before = scene.round.events[:until]
    dealers = opening(before, scene.dealing, area=DEALER)
    return len(dealers) >= (1 if scene.dealing == DEVICE else game.SIZES[DEALER])


def overruled(scene: Scene, cards: Dealt) -> Iterator[Remark]:
    """Rulings on the deal that say another thing than 7.3 to 7.8, or on nothing that happened."""
    goes_on = not cards.void
    for clause in ("TH:7.3", *COUNT_CODES, "TH:7.8"):
        known = scene.reported(clause) or any(at.clause == clause for at in cards.remarks)
        for event_id, made in scene.rulings_under(clause):
            void = made.decision in ("void", BEYOND_REPAIR)
            rebuild = made.decision == "reconstruct"
            if not known and (void or rebuild):
                yield without_cause(event_id, made, "the cards were not dealt wrongly so")
            elif void and goes_on and not (clause == BOX and cards.out):
                text = f"{titled(made.rank)} ruled {made.decision}, the rules let the round go on"
                yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))
            elif rebuild and not cards.rebuilt:
                text = f"{titled(made.rank)} ruled that cards are reconstructed which cannot be"
                yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))
            elif made.decision == "allow_withdrawal" and not cards.out:
                yield without_cause(event_id, made, "no hand was removed from play")


def _missed_burn(scene: Scene) -> Dealt | None:
    """TH:7.8. A burn is missing from the draw sequence of a card shoe."""
    areas, reported = _areas(scene, spare=BURN), scene.reported("TH:7.8")
    in_order = scene.dealing == SHOE and bool(scene.read.order)
    short = in_order and areas.count(BURN) < game.burns_owed(areas)
    if not reported and not short:
        return None
    told = Remark("BURN_MISSED", "TH:7.8", "the Burnt Card was not discarded", reported)
    viewed = scene.handled("TH:7.8")
    hands = None if viewed else _rebuilt(scene, "TH:7.8", moved=short)
    if hands is None:
        why = "a player has viewed cards" if viewed else "the cards cannot be reconstructed"
        return Dealt(scene.read.hands, (told, _voided("TH:7.8", why, reported)), ("TH:7.8",))
    return _reconstructed(hands, told)


def _misdeal(scene: Scene) -> Dealt | None:
    """TH:7.3. Every place has its cards, but not those that the order of the deal gives it."""
    areas, reported = _areas(scene), scene.reported("TH:7.3")
    wrong = _misplaced(scene, areas)
    if not reported and not wrong:
        return None
    told = Remark("MISDEALT", "TH:7.3", "the cards were dealt incorrectly", reported)
    if scene.handled("TH:7.3"):
        return _referred(scene, told)
    hands = _sets_moved(scene, areas) if wrong else None
    if not wrong and _ruled(scene, "TH:7.3", "reconstruct"):
        hands = scene.read.hands  # what lies there is what was put right
    if hands is not None:
        return _reconstructed(hands, told)
    why = "moving complete sets of cards does not restore the deal"
    return Dealt(scene.read.hands, (told, _voided("TH:7.3", why, reported)), ("TH:7.3",))


def _referred(scene: Scene, told: Remark) -> Dealt:
    """A misdeal with cards handled is not covered: void unless an Assistant Director decides."""
    text = "the cards had been handled, which the rules do not cover"
    refer = Remark("REFER_7.13", NOT_COVERED, text, told.evidence)
    void = () if case_word(scene) == "continue" else ("TH:7.3", NOT_COVERED)
    return Dealt(scene.read.hands, (told, refer), void)


def _wrong_count(scene: Scene) -> Dealt | None:
    """TH:7.4 and 7.6. A place has a card too many or too few."""
    wrong = list(_counts(scene))
    clauses = [clause for clause in (COMMON, BOX) if any(at.clause == clause for at in wrong)]
    if not clauses:
        return None
    told = [_miscounted(scene, clause, wrong) for clause in clauses]
    if not scene.in_time(*clauses):
        stands = _left_alone(scene, wrong)
        text = "it was noticed when the round was over: the settlement on record stands"
        late = (Remark("LATE_NOTICE", clauses[0], text),) if stands else ()
        return Dealt(scene.read.hands, (*told, *late), stands=stands)
    miscounted = any(at.found != at.wanted for at in wrong)
    hands = _rebuilt(scene, clauses[0], moved=miscounted)
    if hands is not None:
        return _reconstructed(hands, *told)
    if COMMON in clauses:
        why = "the cards cannot be reconstructed"
        return Dealt(scene.read.hands, (*told, _voided(COMMON, why, ())), (COMMON,))
    return Dealt(scene.read.hands, tuple(told), out=frozenset(at.area for at in wrong))


def _left_alone(scene: Scene, wrong: Sequence[game.Fault]) -> Mapping[str, tuple[str, ...]]:
    """The boxes that a wrong count touches: 7.4 all of them, 7.6 its own.

    Where the board, the Dealer or the box got no card at all the deal was broken off: nothing was
    compared, so no settlement can stand.
    """
    none = {at.area for at in wrong if not at.found}
    if none & game.SIZES.keys():
        return {}
    common = (COMMON,) if any(at.clause == COMMON for at in wrong) else ()
    own = {at.area for at in wrong if at.clause == BOX}
    found = {name: (*common, *((BOX,) if name in own else ())) for name in scene.boxes}
    return {name: clauses for name, clauses in found.items() if clauses and name not in none}


def _counts(scene: Scene) -> Iterator[game.Fault]:
    """Places whose count is wrong, by the cards themselves or by a report."""
    hands, boxes = scene.read.hands, tuple(scene.boxes)
    yield from _counted(scene)
    wrong = {at.clause for at in game.faults(hands, boxes)}
    for report in scene.reports:
        if report.clause in COUNT_CODES and report.clause not in wrong:
            area = report.subject if report.clause == BOX else COMMUNITY
            for named in [area] if area in (*boxes, COMMUNITY) else boxes:
                held = len(hands.get(named, ()))
                yield game.Fault(named, held, held, report.clause)


def _counted(scene: Scene) -> Iterator[game.Fault]:
    """Places with a card too many, or too few where no more can come."""
    for fault in game.faults(scene.read.hands, tuple(scene.boxes)):
        short = fault.found < fault.wanted
        unseen = short and not scene.read.order and not scene.reported(fault.clause)
        if _missed_by_the_device(scene, fault):
            continue
        if not (short and _to_come(scene, fault)) and not unseen and needed(scene, fault):
            yield fault


def _missed_by_the_device(scene: Scene, fault: game.Fault) -> bool:
    """Whether a place is short by the device and full by what others saw.

    Where the table itself says that it was short, or calls the round void, it was.
    """
    told = scene.reported(fault.clause) or scene.rulings_under(fault.clause)
    if told or declared_void.ids(scene.round.events):
        return False
    seen = sum(at.hand == fault.area for at in scene.read.strays)
    return seen > 0 and fault.found + seen == fault.wanted


def _to_come(scene: Scene, fault: game.Fault) -> bool:
    """Whether the deal has not gone on beyond a place that is short of cards."""
    boxes = tuple(scene.boxes)
    first = (boxes, (COMMUNITY,)) if scene.dealing == SHOE else ((COMMUNITY,), boxes)
    turns = (*first, (DEALER,))
    turn = next(n for n, areas in enumerate(turns) if fault.area in areas)
    gone_on = any(area in scene.read.hands for areas in turns[turn + 1 :] for area in areas)
    return not scene.ended and not (gone_on and scene.dealing) and not _told_of(scene, fault)


def _told_of(scene: Scene, fault: game.Fault) -> bool:
    """Whether somebody reported the number of cards of this very place."""
    about = {"dealer_count": DEALER, "community_count": COMMUNITY}
    return any(
        at.clause == fault.clause and fault.area == about.get(at.kind, at.subject or fault.area)
        for at in scene.reports
    )


def needed(scene: Scene, fault: game.Fault) -> bool:
    """Whether a place must have its cards although nobody may be left to play for them.

    A device deals them all before anybody folds (TH:4.12.1); a shoe need not begin with the
    board or the Dealer's hand once everybody folded (TH:4.11.2), but deals no part of them.
    """
    playing = any(box.live for box in scene.boxes.values())
    begun = fault.found > 0 or scene.dealing == DEVICE
    return playing or begun or fault.area in scene.boxes


def _miscounted(scene: Scene, clause: str, wrong: Sequence[game.Fault]) -> Remark:
    said = ", ".join(
        f"{at.area} has {at.found} cards, {at.wanted} are due"
        for at in wrong
        if at.clause == clause and at.found != at.wanted
    )
    text = said or "a wrong number of cards was reported"
    return Remark(COUNT_CODES[clause], clause, text, scene.reported(clause))


def _rebuilt(scene: Scene, clause: str, *, moved: bool) -> Hands | None:
    """The hands by the order of the deal; None where they cannot be reconstructed."""
    if _ruled(scene, clause, BEYOND_REPAIR, "void") or _reported_beyond_repair(scene):
        return None
    asked = _ruled(scene, clause, "reconstruct")
    if not moved or not scene.dealing:  # what lies there is what was put right
        return scene.read.hands if asked or not moved else None
    whole = game.order(scene.dealing, tuple(scene.boxes))
    if len(scene.read.order) < len(whole) and (scene.ended or _told_short(scene)):
        return None
    hands = _by_order(scene.read.order, whole)
    return hands if asked or not any(_changes(scene, clause, hands)) else None


def _told_short(scene: Scene) -> bool:
    """Whether a place lacks cards and somebody reported it: then none are to come any more."""
    faults = game.faults(scene.read.hands, tuple(scene.boxes))
    return any(at.found < at.wanted and _told_of(scene, at) for at in faults)


def _changes(scene: Scene, clause: str, rebuilt: Hands) -> Iterator[str]:
    """Places where a card that was seen or decided on would change (issue rebuilding)."""
    strict = scene.terms.readings["rebuilding"] == "no_seen_card_moves"
    for area in sorted(_known(scene, clause)):
        was, now = _cards(scene.read.hands, area), _cards(rebuilt, area)
        taken_off = iter(was)  # what everybody saw stays, in its order, but for the extra card
        kept = area in game.SIZES and not strict and all(card in taken_off for card in now)
        if was != now and not kept:
            yield area


def _known(scene: Scene, clause: str) -> set[str]:
    """Places whose cards somebody has seen or decided on.

    TH:7.8 asks for players who viewed their cards and for nothing else.
    """
    if clause == "TH:7.8" or scene.terms.readings["rebuilding"] == "whatever_was_seen":
        return set()
    until = scene.noticed_at(clause)
    acted = {
        box.name
        for box in scene.boxes.values()
        for at in scene.round.events[:until]
        if (isinstance(at.payload, e.WagerPlaced) and at.payload.wager_id in box.later)
        or at.event_id == box.fold
    }
    opened = {
        area for area in game.SIZES if opening(scene.round.events[:until], scene.dealing, area=area)
    }
    return acted | opened | scene.handled(clause)


def _by_order(order: Sequence[Sight], whole: Sequence[str]) -> Hands:
    hands: dict[str, tuple[Sight, ...]] = {}
    for sight, area in zip(order, whole, strict=False):
        if area != BURN:
            hands[area] = (*hands.get(area, ()), sight)
    return hands


def _misplaced(scene: Scene, areas: Sequence[str]) -> bool:
    """Whether cards lie where no Ante is, or in an order that no wrong count explains."""
    boxes = tuple(scene.boxes)
    if set(areas) - {*boxes, *game.SIZES, BURN}:
        return True
    if not scene.dealing or not scene.read.order or game.lawful(scene.dealing, boxes, areas):
        return False
    faults = game.faults(scene.read.hands, boxes)
    return not any(_counted(scene)) and not any(
        _missed_by_the_device(scene, fault) for fault in faults
    )


def _sets_moved(scene: Scene, areas: Sequence[str]) -> Hands | None:
    """The hands that moving complete sets of cards makes lawful; None where it does not."""
    boxes = tuple(scene.boxes)
    if scene.dealing and scene.read.order:
        whole = game.order(scene.dealing, boxes)
        pairs = set(zip(areas, whole, strict=False))
        places, owners = {place for place, _ in pairs}, {owner for _, owner in pairs}
        fits = len(areas) <= len(whole) and len(pairs) == len(places) == len(owners)
        return _by_order(scene.read.order, whole) if fits else None
    # Without the order of the draw: one set beside its box, and one box without a set.
    hands = dict(scene.read.hands)
    beside = [area for area in hands if area not in (*boxes, *game.SIZES)]
    empty = [box for box in boxes if box not in hands]
    if len(beside) != 1 or len(empty) != 1:
        return None
    hands[empty[0]] = hands.pop(beside[0])
    return hands


def _areas(scene: Scene, spare: str = COMMUNITY) -> list[str]:
    """Where each card was put, and what a noticed card too many of the community stands for."""
    if scene.read.order:
        return [
            spare if scene.spare.intersection(sight.evidence) else sight.hand
            for sight in scene.read.order
        ]
    return [area for area, held in scene.read.hands.items() for _ in held]


def _cards(hands: Hands, area: str) -> list[str]:
    return [str(game.seen(sight)) for sight in hands.get(area, ())]


def _ruled(scene: Scene, clause: str, *decisions: str) -> bool:
    return any(made.decision in decisions for _, made in scene.rulings_under(clause))


def _reported_beyond_repair(scene: Scene) -> bool:
    return any(
        isinstance(at.payload, e.IrregularityReported) and at.payload.kind == BEYOND_REPAIR
        for at in scene.round.events
    )


def _reconstructed(hands: Hands, *told: Remark) -> Dealt:
    text = "the order of the deal, applied to the cards as they left the device, gives the hands"
    last = Remark("RECONSTRUCTED", told[-1].clause, text, told[-1].evidence)
    return Dealt(hands, (*told, last), rebuilt=True)


def _voided(clause: str, why: str, evidence: Evidence) -> Remark:
    return Remark("", clause, f"{why}: the round is void", evidence)


# What may be wrong with a deal, in the order in which it counts.
WRONGS = (_missed_burn, _misdeal, _wrong_count)

"""Blackjack: which bets stand, what is added to them, and what decides each.

SA-BJ:3.3.1 to 3.3.3 (who may bet), 3.6 (bet behind), 3.8.1 to 3.8.5 (settlement).
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from replay.games import blackjack as game
from replay.games.blackjack.hands import SECOND, Played
from replay.ruled import Stand
from replay.rulings.blackjack import added
from replay.rulings.blackjack.record import BlackjackRecord, BlackjackRemark
from replay.rulings.shared import posted_limits
from replay.rulings.shared.remark import not_closed
from replay.sentence import Sentence, say
from replay.wagers import Wager

COUNTDOWN, MAIN, BEHIND, ONE_SEAT = "SA-BJ:3.4.1", "SA-BJ:3.3.2", "SA-BJ:3.3.3", "SA-BJ:3.3.1"
DRAWS, PAIRS, INSURES, PAID_ALIKE = "SA-BJ:3.4.5", "SA-BJ:3.8.4", "SA-BJ:3.8.2", "SA-BJ:3.8.5"

# Bets that stand where the table reads unlawful_bets as `settled`.
BY_READING = ("TWO_SEATS", "SEATED_BET_BEHIND", "PAIR_BEFORE_MAIN")
BY_SEAT = ("TWO_SEATS", "SEATED_BET_BEHIND", "BEHIND_EMPTY_SEAT")


class JudgedWagers(NamedTuple):
    """Every wager as it stands, and what there is to say about it."""

    stands: tuple[Stand, ...]
    remarks: tuple[BlackjackRemark, ...]


def told(record: BlackjackRecord) -> JudgedWagers:
    """Every wager of the round, each followed by what was added to it."""
    refused = {wager.wager_id: refusal(record, wager) for wager in record.wagers}
    accepted = [wager for wager in record.wagers if not _out(record, refused[wager.wager_id])]
    bets = added.additions(record, [at for at in accepted if at.bet == "main"])
    off_limits = {at.subject: at for at in _off_limits(record, accepted)}
    stands: list[Stand] = []
    for wager in record.wagers:
        remark = refused[wager.wager_id]
        codes = (remark.code,) if remark else ()
        if wager not in accepted:
            assert remark
            stands.append(Stand(wager, Fraction(0), "refused", (remark.clause,), codes))
            stands += bets.refused.get(wager.wager_id, ())
            continue
        if wager.wager_id in bets.uneven:
            codes = (*codes, "ADDED_BET_AMOUNT")
        if wager.wager_id in off_limits:
            codes = (*codes, "OFF_LIMITS")
        own = _pair if wager.bet == "pair" else _main
        first, *rest = own(record, wager, bets)
        stands += [first._replace(flags=(*codes, *first.flags)), *rest]
        stands += bets.refused.get(wager.wager_id, ())
    stands += bets.astray
    noted = (*(at for at in refused.values() if at), *_noted(record), *off_limits.values())
    return JudgedWagers(tuple(stands), (*noted, *bets.remarks))


def refusal(record: BlackjackRecord, wager: Wager) -> BlackjackRemark | None:
    """Why a wager is not allowed; None where it is."""
    holder = record.seats.holders.get(wager.box)
    seat = holder == wager.player_id
    others = wager.player_id in record.seats.holders.values()
    needs_main = seat or record.readings["pair_behind"] == "with_main"
    reasons = (
        (wager.late, "LATE_BET", COUNTDOWN, say("SA-BJ.placed_late")),
        (
            wager.bet not in game.PLACED,
            "BET_NOT_OFFERED",
            MAIN,
            say("SA-BJ.bet_not_placed", bet=wager.bet),
        ),
        (holder is None, "BEHIND_EMPTY_SEAT", BEHIND, _nobody(wager.box)),
        (
            seat and wager.box in record.seats.second,
            "TWO_SEATS",
            ONE_SEAT,
            say("SA-BJ.second_seat"),
        ),
        (
            not seat and others,
            "SEATED_BET_BEHIND",
            BEHIND,
            say("SA-BJ.seated_bets_behind"),
        ),
        (
            wager.bet == "pair" and needs_main and not _main_before(record, wager),
            "PAIR_BEFORE_MAIN",
            MAIN,
            say("SA-BJ.no_main_bet"),
        ),
    )
    for holds, code, clause, note in reasons:
        if holds:
            subject = wager.box if code == "TWO_SEATS" else wager.wager_id
            return BlackjackRemark(code, clause, subject, note, (wager.event_id,))
    return None


def _nobody(seat: str) -> Sentence:
    return say("SA-BJ.nobody_sits", seat=seat) if seat else say("SA-BJ.names_no_seat")


def _out(record: BlackjackRecord, remark: BlackjackRemark | None) -> bool:
    """Whether a wager with this remark is refused."""
    if remark is None:
        return False
    return remark.code not in BY_READING or record.readings["unlawful_bets"] == "refused"


def _main_before(record: BlackjackRecord, pair: Wager) -> bool:
    before = record.wagers[: record.wagers.index(pair)]
    return any(
        (wager.player_id, wager.box, wager.bet) == (pair.player_id, pair.box, "main")
        for wager in before
    )


def _twice(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """A second main bet of a seat, where the rules know one (SA-BJ:3.3.2); both lie on its hand."""
    seen: set[str] = set()
    for wager in record.wagers:
        if wager.bet != "main" or wager.late or _is_behind(record, wager):
            continue
        if wager.box in seen:
            note = say("SA-BJ.second_main_bet", seat=wager.box)
            yield BlackjackRemark("SECOND_MAIN_BET", MAIN, wager.wager_id, note, (wager.event_id,))
        seen.add(wager.box)


def _without_main(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """A seat with bets behind it that was dealt a hand and has no main bet (SA-BJ:3.3.2)."""
    in_time = [wager for wager in record.wagers if not wager.late]
    own = {at.box for at in in_time if at.bet == "main" and not _is_behind(record, at)}
    good = [at for at in in_time if refusal(record, at) is None]
    for seat in dict.fromkeys(at.box for at in good if _is_behind(record, at)):
        if seat not in own and record.table.of(seat):
            note = say("SA-BJ.hand_without_main", seat=seat)
            evidence = tuple(at.event_id for at in good if at.box == seat)
            yield BlackjackRemark("SEAT_WITHOUT_MAIN", MAIN, seat, note, evidence)


def _noted(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """What was done with wagers besides, and changes nothing."""
    yield from _twice(record)
    yield from _without_main(record)
    for found in not_closed(COUNTDOWN, record.round):
        yield BlackjackRemark("BETTING_NOT_CLOSED", found.clause, "", found.text, found.evidence)
    for wager in record.wagers:
        name = wager.wager_id
        if wager.late and wager.bet not in game.PLACED:  # refused as late already, and this besides
            note = say("SA-BJ.bet_not_placed", bet=wager.bet)
            yield BlackjackRemark("BET_NOT_OFFERED", MAIN, name, note, (wager.event_id,))
        if wager.late_changes:
            note = say("SA-BJ.changed_late")
            yield BlackjackRemark("LATE_BET", COUNTDOWN, name, note, wager.late_changes)
        if wager.withdrawal:
            note = say("SA-BJ.withdrawn_late")
            evidence = (wager.withdrawal.event_id,)
            yield BlackjackRemark("WITHDRAWAL_REFUSED", COUNTDOWN, name, note, evidence)


def _off_limits(record: BlackjackRecord, accepted: Iterable[Wager]) -> Iterator[BlackjackRemark]:
    """Stakes outside the posted limits, settled in full (issue limits)."""
    for at in posted_limits.remarks(MAIN, accepted, record.terms, game.PLACED.__contains__):
        yield BlackjackRemark(at.code, at.clause, at.subject, at.text, at.evidence)


def _main(record: BlackjackRecord, wager: Wager, bets: added.Additions) -> Iterator[Stand]:
    """A main bet with all that came of it: the hand it rides on, a second hand, insurance."""
    hands = record.table.of(wager.box)
    first = bets.doubled.get((wager.wager_id, hands[0].name), wager) if hands else wager
    yield _on_hand(record, first, hands[0] if hands else None)
    yield from (_insured(record, at) for at in bets.insured.get(wager.wager_id, ()))
    second = bets.second.get(wager.wager_id)
    if second:
        name = wager.box + SECOND
        rides = bets.doubled.get((second.wager_id, name), second)
        yield _on_hand(record, rides, hands[1])
        yield from bets.refused.get(second.wager_id, ())


def _on_hand(record: BlackjackRecord, wager: Wager, held: Played | None) -> Stand:
    """A main bet on one hand, by what decides that hand."""
    lies = Fraction(wager.lying)
    if held is None:
        return _without_hand(record, wager)
    clauses = _why(record, wager, held)
    faults = tuple(at.clause for at in record.table.faults if at.hand == held.name)
    if held.stuck or held.short:
        return Stand(wager, lies, "open", (*clauses, *faults) or (DRAWS,))
    hand = held.hand._replace(doubled=bool(wager.added))
    waits = not held.decided or _may_be_refunded(record, hand)
    if waits and not record.dealer_done:
        return Stand(wager, lies, "open", (*clauses, DRAWS))
    fact = game.fact(hand, record.table.dealer, record.readings)
    original = fact == game.ORIGINAL_ONLY
    action = Fraction(wager.stake) if original else lies
    return Stand(wager, action, "", clauses, facts=frozenset({fact}))


def _without_hand(record: BlackjackRecord, wager: Wager) -> Stand:
    """A bet on a seat that was dealt no cards: open where it had to be, else given back."""
    mains = [wager for wager in record.wagers if wager.bet == "main" and not wager.late]
    holder = record.seats.holders.get(wager.box)
    plays = any((at.box, at.player_id) == (wager.box, holder) for at in mains)
    if plays or not record.concluded:
        return Stand(wager, Fraction(wager.lying), "open", ("SA-BJ:3.4.2",))
    return Stand(wager, Fraction(0), "returned", (MAIN,))


def _may_be_refunded(record: BlackjackRecord, hand: game.BlackjackHand) -> bool:
    refunded = record.readings["busted_additions"] == "refunded"
    return refunded and not hand.surrendered and (hand.second or hand.doubled)


def _pair(record: BlackjackRecord, wager: Wager, bets: added.Additions) -> Iterator[Stand]:
    """SA-BJ:3.8.4. A pair is decided by the first two cards, whatever follows."""
    del bets
    two = record.table.opening.get(wager.box)
    if two is None:
        yield _without_hand(record, wager)
        return
    facts = {game.PAIR} if game.alike(two, record.readings["pair"]) else set[str]()
    behind = (PAID_ALIKE,) if _is_behind(record, wager) else ()
    yield Stand(wager, Fraction(wager.stake), "", (PAIRS, *behind), facts=frozenset(facts))


def _insured(record: BlackjackRecord, bet: added.Insurance) -> Stand:
    """SA-BJ:3.8.2. At most half the main bet is insured; what lies beyond goes back."""
    if bet.refused:
        return Stand(bet.wager, Fraction(0), "refused", (bet.refused.clause,), (bet.refused.code,))
    action = Fraction(bet.wager.stake)
    if record.readings["insurance_amount"] == "half_at_most":
        action = min(action, Fraction(bet.half))
    if len(record.table.dealer) < 2:
        return Stand(bet.wager, action, "open", (INSURES, DRAWS))
    hit = game.is_blackjack(record.table.dealer)
    facts = frozenset({game.DEALER_BLACKJACK} if hit else ())
    flags = ("INSURANCE_AMOUNT",) if bet.wager.stake != bet.half else ()
    return Stand(bet.wager, action, "", (INSURES,), flags, facts)


def _why(record: BlackjackRecord, wager: Wager, held: Played) -> tuple[str, ...]:
    """The clauses that put this stake on this hand."""
    behind = _is_behind(record, wager)
    reasons: Mapping[str, bool] = {
        "SA-BJ:3.5.3": held.hand.split,
        "SA-BJ:3.5.2": bool(wager.added),
        "SA-BJ:3.6.1": behind and (held.hand.split or held.hand.doubled),
        "SA-BJ:3.6.2": behind and held.hand.doubled and not wager.added,
        "SA-BJ:3.6.3": behind and held.hand.surrendered,
        PAID_ALIKE: behind,
    }
    return tuple(clause for clause, holds in reasons.items() if holds)


def _is_behind(record: BlackjackRecord, wager: Wager) -> bool:
    seat = wager.box.partition(".")[0]
    return record.seats.holders.get(seat) != wager.player_id

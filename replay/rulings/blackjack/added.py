"""Blackjack: bets that are added during play: doubles, second hands, insurance, and who follows.

SA-BJ:3.4.3, 3.5.2, 3.5.3, 3.6.1. The chips of a double lie with the main bet; a second hand
and an insurance are wagers of their own, named after the main bet: `w1.2`, `w1.insurance`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from replay.games import blackjack as game
from replay.games.blackjack.decisions import DECISIONS
from replay.games.blackjack.hands import SECOND, seat_of
from replay.ruled import Stand
from replay.rulings.blackjack.record import BlackjackRecord, BlackjackRemark, sits
from replay.sentence import Sentence, say
from replay.wagers import Wager
from schemas import events as e
from schemas.cards import Card
from schemas.money import whole

FOLLOW_MS = 5_000  # SA-BJ:3.6.1

FOLLOWS, INSURES = "SA-BJ:3.6.1", "SA-BJ:3.4.3"
ACTS, COUNTDOWN = "SA-BJ:3.4.4", "SA-BJ:3.4.1"
BEHIND, MEDDLED = "SA-BJ:3.3.3", "NOT_THE_SEATS_DECISION"
ADDS = {"double": "SA-BJ:3.5.2", "split": "SA-BJ:3.5.3"}


class Offer(NamedTuple):
    """A double or split of a seat, which those behind it may follow."""

    kind: str
    hand: str
    event_id: str


class Insurance(NamedTuple):
    """An insurance bet, and what it should be."""

    wager: Wager
    half: int  # half the main bet (SA-BJ:3.8.2)
    refused: BlackjackRemark | None = None


@dataclass(slots=True)
class Additions:
    """Everything added to the main bets of a round."""

    doubled: dict[tuple[str, str], Wager] = field(default_factory=dict)  # by wager and hand
    second: dict[str, Wager] = field(default_factory=dict)  # the bet on hand 2, by that on hand 1
    insured: dict[str, list[Insurance]] = field(default_factory=dict)
    refused: dict[str, list[Stand]] = field(default_factory=dict)
    uneven: set[str] = field(default_factory=set)  # bets whose added chips are not their equal
    answers: set[str] = field(default_factory=set)  # decisions that answer an offer
    heard: set[str] = field(default_factory=set)  # decisions whose chips have their line
    astray: list[Stand] = field(default_factory=list)  # chips put up where no wager lies
    remarks: list[BlackjackRemark] = field(default_factory=list)

    def refuse(
        self, wager: Wager, remark: BlackjackRemark, suffix: str, amount: int | None
    ) -> None:
        """Note an addition that does not count; its chips go back."""
        self.remarks.append(remark)
        self.heard.update(remark.evidence)
        if amount == 0:
            return
        before = self.refused.setdefault(wager.wager_id, [])
        name = self._free(wager, suffix, len(before))
        side = _side(wager, name, amount or wager.stake, remark.evidence[0])
        side = replace(side, bet="insurance" if suffix == "insurance" else wager.bet)
        before.append(Stand(side, Fraction(0), "refused", (remark.clause,), (remark.code,)))

    def _free(self, wager: Wager, suffix: str, before: int) -> str:
        """A name that no other bet has that came of this one."""
        insured = [at.wager for at in self.insured.get(wager.wager_id, ())]
        refused = [at.wager for at in self.refused.get(wager.wager_id, ())]
        taken = {at.wager_id for at in (*insured, *refused, *self.second.values())}
        names = (f"{suffix}-{n}" if n > 1 else suffix for n in count(before + 1))
        return next(name for name in names if f"{wager.wager_id}.{name}" not in taken)


def additions(record: BlackjackRecord, mains: Sequence[Wager]) -> Additions:
    """What was added to the main bets that stand."""
    found = Additions()
    for own in _by_player(mains):
        _second_hands(record, own, found)
        _doubles(record, own, found)
        _left_over(record, own, found)
    _insurances(record, mains, found)
    _without_a_bet(record, mains, found)
    _unheard(record, mains, found)
    return found


def _by_player(mains: Sequence[Wager]) -> list[list[Wager]]:
    """The main bets of each player on each seat."""
    groups: dict[tuple[str, str], list[Wager]] = {}
    for wager in mains:
        groups.setdefault((wager.player_id, wager.box), []).append(wager)
    return list(groups.values())


def _second_hands(record: BlackjackRecord, own: list[Wager], found: Additions) -> None:
    event_id = record.table.split_by.get(own[0].box)
    if event_id is None:
        return
    added = _added(record, own, Offer("split", own[0].box, event_id), found)
    for wager, amount in zip(own, added, strict=True):
        if amount:
            side = _side(wager, "2", amount, event_id)
            found.second[wager.wager_id] = replace(side, box=wager.box + SECOND)


def _doubles(record: BlackjackRecord, own: list[Wager], found: Additions) -> None:
    for held in record.table.of(own[0].box):
        event_id = record.table.doubled_by.get(held.name)
        riding = own
        if held.hand.second:
            riding = [found.second[at.wager_id] for at in own if at.wager_id in found.second]
        if event_id and riding:
            added = _added(record, riding, Offer("double", held.name, event_id), found)
            for wager, amount in zip(riding, added, strict=True):
                found.doubled[wager.wager_id, held.name] = replace(wager, added=amount)


def _added(record: BlackjackRecord, own: list[Wager], offer: Offer, found: Additions) -> list[int]:
    """The chips added to each bet: by the seat's own decision, or by following it in time."""
    first, equal = own[0], [at.stake for at in own]
    found.heard.add(offer.event_id)
    if record.seats.holders.get(seat_of(offer.hand)) == first.player_id:
        amount = next(made.amount for name, made in record.decisions if name == offer.event_id)
        if amount in (None, sum(equal)):
            return equal
        refused, name = record.readings["added_amount"] == "refused", first.wager_id
        subject = f"{name}.{SUFFIX[offer.kind]}" if refused else name
        note = say("SA-BJ.added_amount", amount=amount or 0, main=sum(equal))
        evidence = (offer.event_id,)
        remark = BlackjackRemark("ADDED_BET_AMOUNT", ADDS[offer.kind], subject, note, evidence)
        if refused:
            found.refuse(first, remark, SUFFIX[offer.kind], amount)
            return [0 for _ in own]
        found.remarks.append(remark)
        found.uneven.add(first.wager_id)
        return [amount or 0, *(0 for _ in own[1:])]
    answer = _answer(record, first.player_id, offer)
    wrong = _not_followed(record, answer, sum(equal), offer) if answer else None
    if answer:
        found.answers.add(answer[0])
        found.heard.add(answer[0])
    if answer and wrong:
        name, made = answer
        remark = BlackjackRemark("FOLLOW_LATE", FOLLOWS, first.wager_id, wrong, (name,))
        found.refuse(first, remark, SUFFIX[made.decision], made.amount)
    return equal if answer and not wrong else [0 for _ in own]


def _not_followed(
    record: BlackjackRecord, answer: tuple[str, e.DecisionMade], equal: int, offer: Offer
) -> Sentence | None:
    """Why an answer does not follow the offer; None where it does."""
    name, made = answer
    if name in record.late_decisions:
        return say("SA-BJ.answered_after_close")
    if made.response_ms is not None and made.response_ms > FOLLOW_MS:
        return say("SA-BJ.answered_late", ms=made.response_ms)
    if made.amount not in (None, equal):
        return say("SA-BJ.answered_unequal", amount=made.amount, equal=equal)
    return _seen_before(record, name, offer)


def _seen_before(record: BlackjackRecord, name: str, offer: Offer) -> Sentence | None:
    """The card the follower had seen: one to the hand of the added bet, or the dealer's second."""
    names = [at.event_id for at in record.moves]
    between = record.moves[names.index(offer.event_id) : names.index(name)]
    hand = offer.hand + SECOND if offer.kind == "split" else offer.hand
    card = next((at.card for at in between if at.card and at.hand in (hand, game.DEALER)), None)
    return say("SA-BJ.answered_after_card", card=str(card)) if card else None


def _answer(
    record: BlackjackRecord, player: str, offer: Offer
) -> tuple[str, e.DecisionMade] | None:
    """The follower's first answer to an offer, once it was made."""
    seat, wanted = seat_of(offer.hand), (player, f"follow_{offer.kind}")
    names = [name for name, _ in record.decisions]
    for name, made in record.decisions[names.index(offer.event_id) :]:
        asked = seat_of(made.box or made.hand) == seat and made.hand in ("", seat, offer.hand)
        if (made.player_id, made.decision) == wanted and asked:
            return name, made
    return None


def _left_over(record: BlackjackRecord, own: list[Wager], found: Additions) -> None:
    """Additions that nothing allows: the hand was not open for them, or nothing was offered."""
    first, table = own[0], record.table
    used = {*table.doubled_by.values(), *table.split_by.values(), *found.answers}
    faults = {fault.event_id: fault for fault in table.faults}
    for name, made in record.decisions:
        mine = made.player_id == first.player_id and seat_of(made.box or made.hand) == first.box
        if not mine or made.decision not in SUFFIX or name in used:
            continue
        suffix = "3" if made.decision == "split" and first.box in table.split_by else ""
        note = say("SA-BJ.not_open", decision=made.decision)
        clause = FOLLOWS if made.decision.startswith("follow_") else ACTS
        remark = BlackjackRemark("ACTION_NOT_OPEN", clause, first.wager_id, note, (name,))
        if made.decision in DECISIONS and not sits(record.seats, made):
            remark = _meddled(made, name)
        elif name in faults:  # the play was remarked on already
            fault = faults[name]
            remark = BlackjackRemark(fault.code, fault.clause, fault.hand, fault.note, (name,))
        found.refuse(first, remark, suffix or SUFFIX[made.decision], made.amount)


def _without_a_bet(record: BlackjackRecord, mains: Sequence[Wager], found: Additions) -> None:
    """Chips put up at a seat by players who have no bet there: they go back beside its own."""
    for name, made in record.decisions:
        seat = seat_of(made.box or made.hand)
        there = [wager for wager in mains if wager.box == seat]
        if made.decision not in SUFFIX or not made.amount or not there:
            continue
        if made.player_id not in {at.player_id for at in there}:
            remark = _meddled(made, name)
            if made.decision not in DECISIONS:
                note = say("SA-BJ.without_main_bet", decision=made.decision)
                remark = BlackjackRemark("ACTION_NOT_OPEN", FOLLOWS, seat, note, (name,))
            lent = replace(there[0], player_id=made.player_id)
            found.refuse(lent, remark, SUFFIX[made.decision], made.amount)


def _unheard(record: BlackjackRecord, mains: Sequence[Wager], found: Additions) -> None:
    """Chips put up with a decision that no bet takes: on a refused main bet, or on none at all."""
    for name, made in record.decisions:
        seat = seat_of(made.box or made.hand)
        there = [wager for wager in record.wagers if wager.box == seat]
        own = [at for at in there if at.player_id == made.player_id]
        amount = made.amount or _equal(made, [at for at in own if at not in mains])
        if name in found.heard or not amount:
            continue
        note = say("SA-BJ.chips_astray", amount=amount, decision=made.decision)
        remark = BlackjackRemark("ACTION_NOT_OPEN", ACTS, seat, note, (name,))
        suffix = NAMES.get(made.decision, made.decision)
        if there:
            lent = replace((own or there)[0], player_id=made.player_id)
            found.refuse(lent, remark, suffix, amount)
        else:
            found.remarks.append(remark)
            found.astray.append(_alone(made, name, seat, remark))


def _equal(made: e.DecisionMade, refused: Sequence[Wager]) -> int:
    """What a double or a split without a stated amount puts up: as much as the main bet."""
    if made.amount is not None or made.decision not in ADDS:
        return 0
    return next((at.stake for at in refused if at.bet == "main"), 0)


def _alone(made: e.DecisionMade, name: str, seat: str, remark: BlackjackRemark) -> Stand:
    """Chips that lie at a seat without a wager, named after the decision that put them there."""
    assert made.amount
    placed = e.WagerPlaced(name, made.player_id, "main", made.amount, seat)
    wager = Wager(name, made.player_id, "main", made.amount, seat, name, placed)
    return Stand(wager, Fraction(0), "refused", (remark.clause,), (remark.code,))


def _meddled(made: e.DecisionMade, name: str) -> BlackjackRemark:
    note = say("SA-BJ.not_seated_there", decision=made.decision)
    return BlackjackRemark(MEDDLED, BEHIND, made.box or made.hand, note, (name,))


def _insurances(record: BlackjackRecord, mains: Sequence[Wager], found: Additions) -> None:
    insured: set[tuple[str, str]] = set()
    spare: list[tuple[str, e.DecisionMade]] = []
    for name, made in record.decisions:
        if made.decision != "insure":
            continue
        seat = seat_of(made.box or made.hand)
        own = [wager for wager in mains if (wager.player_id, wager.box) == (made.player_id, seat)]
        if not own or (made.player_id, seat) in insured:
            spare.append((name, made))
            continue
        insured.add((made.player_id, seat))
        found.heard.add(name)
        half = whole(Fraction(sum(at.stake for at in own), 2))
        bet = _side(own[0], "insurance", half if made.amount is None else made.amount, name)
        bet = replace(bet, bet="insurance")
        remark = _uninsurable(record, made, bet, name)
        if remark:
            found.remarks.append(remark)
            bet = replace(bet, late=remark.code == "LATE_BET")
        elif bet.stake != half:
            note = say("SA-BJ.insurance_amount", stake=bet.stake, half=half)
            amount = BlackjackRemark("INSURANCE_AMOUNT", INSURES, bet.wager_id, note, (name,))
            found.remarks.append(amount)
        refused = remark if remark and _refuses(record, remark) else None
        found.insured.setdefault(own[0].wager_id, []).append(Insurance(bet, half, refused))
    for name, made in spare:
        _spare_insurance(mains, name, made, found)


def _spare_insurance(
    mains: Sequence[Wager], name: str, made: e.DecisionMade, found: Additions
) -> None:
    """A second insurance, or one without a main bet: what was put up goes back."""
    seat = seat_of(made.box or made.hand)
    there = [wager for wager in mains if wager.box == seat]
    own = [at for at in there if at.player_id == made.player_id]
    note = say("SA-BJ.second_insurance") if own else say("SA-BJ.insurance_without_main")
    remark = BlackjackRemark("ACTION_NOT_OPEN", INSURES, seat, note, (name,))
    if there and made.amount:
        lent = replace((own or there)[0], player_id=made.player_id)
        found.refuse(lent, remark, "insurance", made.amount)
    else:
        found.remarks.append(remark)


def _uninsurable(
    record: BlackjackRecord, made: e.DecisionMade, bet: Wager, name: str
) -> BlackjackRemark | None:
    """Why an insurance is not allowed; None where it is."""
    up = _shown(record, name)
    seated = record.seats.holders.get(bet.box) == made.player_id
    followers = record.readings["insurance_seats"] == "followers_too"
    acted = acted_before(record, name)
    own_turn = record.readings["insurance_time"] == "before_the_seat_acts"
    reasons = (
        (
            not up or up[0].rank != "A",
            "INSURANCE_WITHOUT_ACE",
            INSURES,
            _upcard(up),
        ),
        (
            not seated and not followers,
            "INSURANCE_NOT_SEATED",
            INSURES,
            say("SA-BJ.insurance_for_seats"),
        ),
        (_after_second(record, name), "LATE_BET", COUNTDOWN, say("SA-BJ.insured_after_second")),
        (name in record.late_decisions, "LATE_BET", INSURES, say("SA-BJ.insured_after_close")),
        (bet.box in acted, "LATE_BET", INSURES, say("SA-BJ.insured_after_acting")),
        (
            bool(acted) and not own_turn,
            "LATE_BET",
            INSURES,
            say("SA-BJ.insured_after_others", seats=acted),
        ),
    )
    for holds, code, clause, note in reasons:
        if holds:
            return BlackjackRemark(code, clause, bet.wager_id, note, (name,))
    return None


def _upcard(cards: Sequence[Card]) -> Sentence:
    if not cards:
        return say("SA-BJ.dealer_shows_nothing")
    return say("SA-BJ.dealer_shows", card=str(cards[0]))


def _refuses(record: BlackjackRecord, remark: BlackjackRemark) -> bool:
    by_reading = remark.code == "INSURANCE_WITHOUT_ACE"
    return not by_reading or record.readings["unlawful_bets"] == "refused"


def _shown(record: BlackjackRecord, name: str) -> list[Card]:
    """The dealer's first card, where it lay there already."""
    names = [at.event_id for at in record.moves]
    before = record.moves[: names.index(name)]
    return [move.card for move in before if move.hand == game.DEALER and move.card][:1]


def _after_second(record: BlackjackRecord, name: str) -> bool:
    """Whether the dealer's second card was out already."""
    names = [at.event_id for at in record.moves]
    before = record.moves[: names.index(name)]
    return sum(1 for move in before if move.hand == game.DEALER and move.card) > 1


def acted_before(record: BlackjackRecord, name: str) -> tuple[str, ...]:
    """The seats that had decided on their hands already: SA-BJ:3.4.3 comes before 3.4.4."""
    names = [at.event_id for at in record.moves]
    before = record.moves[: names.index(name) if name in names else 0]
    return tuple(dict.fromkeys(seat_of(move.hand) for move in before if move.decision in DECISIONS))


def _side(wager: Wager, suffix: str, stake: int, event_id: str) -> Wager:
    """A wager that came of another one."""
    name = f"{wager.wager_id}.{suffix}"
    placed = replace(wager.placed, wager_id=name, stake=stake, player_id=wager.player_id)
    return replace(
        wager, wager_id=name, stake=stake, event_id=event_id, placed=placed, late_changes=()
    )


SUFFIX = {"double": "double", "follow_double": "double", "split": "2", "follow_split": "2"}
NAMES = {**SUFFIX, "insure": "insurance"}

"""The hands compared, and every wager as it stands (TH:4.13, 5.1 to 5.6, 7.6, 7.11)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from replay.games import holdem_bonus as game
from replay.games.holdem_bonus import COMMUNITY, DEALER
from replay.games.shared.poker_hands import RANK, PokerHand, best, best_five
from replay.ruled import Stand, Step
from replay.rulings.holdem_bonus import limits, withdrawals
from replay.rulings.holdem_bonus.boxes import HoldemBox
from replay.rulings.holdem_bonus.deal import HoldemCards
from replay.rulings.holdem_bonus.record import HoldemRecord
from replay.rulings.holdem_bonus.witnesses import compared, known
from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from schemas import events as e
from schemas.cards import Card

LOST = "bonus_on_a_fold"  # the issue that a folded Bonus rests on

# TH:6.1.2. The lines of the Bonus as people say them.
BONUS_LINES = {
    "A-A": say("TH.bonus_aces"),
    "K-K, Q-Q or J-J": say("TH.bonus_court_pair"),
    "10-10 to 2-2": say("TH.bonus_low_pair"),
    "A-K suited": say("TH.bonus_ak_suited"),
    "A-K unsuited": say("TH.bonus_ak_unsuited"),
    "A-Q or A-J suited": say("TH.bonus_aq_suited"),
    "A-Q or A-J unsuited": say("TH.bonus_aq_unsuited"),
    "no bonus": say("TH.no_bonus"),
}


class Showdown(NamedTuple):
    """A round after its hands were compared."""

    stands: tuple[Stand, ...]
    outcome: str
    result: str
    remarks: tuple[Remark, ...]
    steps: tuple[Step, ...]
    readings: Mapping[str, str]


class Faced(NamedTuple):
    """One box against the Dealer."""

    facts: frozenset[str]
    word: str  # how it went, for people
    tie: tuple[str, ...] = ()  # the clause that compares hands of one class
    steps: tuple[Step, ...] = ()


def showdown(record: HoldemRecord, cards: HoldemCards) -> Showdown:
    """Every wager for the paytable, with the facts of its own box."""
    back = withdrawals.withdrawn(record, cards)
    folded = any(box.folded and "bonus" in box.wagers for box in record.boxes.values())
    stands, words, steps = dict(record.seated.aside), list[str](), list[Step]()
    if compared(record, cards):
        words.append(f"dealer {_dealers(cards)}")
    for box in record.boxes.values():
        faced = _faced(box, record, cards)
        words.append(f"{box.name} {faced.word}")
        steps += faced.steps
        for stand in limits.in_action(box, record.terms):
            name = stand.wager.wager_id
            if {name, box.wagers["ante"].wager_id} & back.good:
                stands[name] = _returned(stand, "TH:7.6.1", "WITHDRAWN")
            else:
                stands[name] = _stand(stand, box, faced, record, cards)
    return Showdown(
        tuple(stands[wager.wager_id] for wager in record.wagers),
        outcome="; ".join(words),
        result=_dealers(cards) if compared(record, cards) else "",
        remarks=back.remarks,
        steps=tuple(steps),
        readings={LOST: record.terms.readings[LOST]} if folded else {},
    )


def _dealers(cards: HoldemCards) -> str:
    return game.NAMES[best((*known(cards, DEALER), *known(cards, COMMUNITY))).kind]


def _faced(box: HoldemBox, record: HoldemRecord, cards: HoldemCards) -> Faced:
    """What happened at one box, in the words of the paytable."""
    if box.folded:
        return Faced(frozenset({"folded"}), "folded")
    unshown = frozenset({"not shown"} if not box.shown else ())
    if box.name not in compared(record, cards):
        return Faced(unshown, "not shown" if unshown else "not compared")
    hole, dealer = known(cards, box.name), known(cards, DEALER)
    community, readings = known(cards, COMMUNITY), record.terms.readings
    facts = game.facts(hole, dealer, community, readings) | unshown
    if unshown:
        return Faced(facts, "not shown")
    mine, theirs = best((*hole, *community)), best((*dealer, *community))
    won = game.compare(mine, theirs, community, readings)
    tie = (game.TIE_CLAUSES.get(mine.kind, "TH:4.4"),) if mine.kind is theirs.kind else ()
    text = say(
        "TH.compared",
        box=box.name,
        own=_makes(hole, community),
        dealer=_makes(dealer, community),
        board=_written(community),
        won=_parted(mine, theirs, won),
    )
    evidence = tuple(
        id
        for area in (box.name, COMMUNITY, DEALER)
        for at in cards.hands[area]
        for id in at.evidence
    )
    return Faced(
        facts,
        f"{game.NAMES[mine.kind]} {won}",
        tie,
        (Step(text, ("TH:4.3", "TH:5.1", *tie), evidence), *_bonus(box, hole, cards)),
    )


def _bonus(box: HoldemBox, hole: Sequence[Card], cards: HoldemCards) -> Iterator[Step]:
    """The two hole cards that a Bonus is settled on."""
    if "bonus" in box.wagers:
        evidence = tuple(id for at in cards.hands[box.name] for id in at.evidence)
        text = say("TH.bonus_cards", cards=_written(hole), line=BONUS_LINES[game.bonus(hole)])
        yield Step(text, ("TH:6.1.2",), evidence, box.wagers["bonus"].wager_id)


def _makes(hole: Sequence[Card], community: Sequence[Card]) -> Sentence:
    """Two cards, the class of their hand and the five cards that make it."""
    cards = (*hole, *community)
    named, five = game.NAMES[best(cards).kind], _written(best_five(cards))
    return say("TH.makes", cards=_written(hole), made=named, five=five)


def _parted(mine: PokerHand, theirs: PokerHand, won: str) -> Sentence:
    """Who is higher, and by which ranks where the class alone does not tell."""
    higher = won == "player higher"
    if won == "stand-off":
        return say("TH.stand_off")
    pairs = zip(mine.ranks, theirs.ranks, strict=True) if mine.kind is theirs.kind else ()
    own, other = next((pair for pair in pairs if pair[0] != pair[1]), (0, 0))
    if not own:
        return say("TH.player_higher") if higher else say("TH.dealer_higher")
    name = {value: rank for rank, value in RANK.items()}
    if higher:
        return say("TH.player_higher_by", own=name[own], other=name[other])
    return say("TH.dealer_higher_by", own=name[own], other=name[other])


def _stand(
    stand: Stand, box: HoldemBox, faced: Faced, record: HoldemRecord, cards: HoldemCards
) -> Stand:
    """One wager of a box as the rulings leave it."""
    if box.name in cards.stands:
        return _as_recorded(stand, record, cards.stands[box.name])
    if box.name in cards.out:
        return _returned(stand, "TH:7.6")
    if box.absent:
        return _returned(stand, "TH:7.11", "ABSENT")
    if stand.wager.bet != "bonus":
        return stand._replace(facts=faced.facts, clauses=(*stand.clauses, *faced.tie))
    spared = record.terms.readings["bonus_not_shown"] == "by_hole_cards"
    return stand._replace(facts=faced.facts - {"not shown"} if spared else faced.facts)


def _returned(stand: Stand, clause: str, *flags: str) -> Stand:
    return Stand(stand.wager, Fraction(0), "returned", (clause,), flags)


def _as_recorded(stand: Stand, record: HoldemRecord, clauses: tuple[str, ...]) -> Stand:
    """TH:7.4 and 7.6 ask for notice in time; after it what was settled is left alone."""
    for event in record.round.events:
        match event.payload:
            case e.WagerSettled(wager_id=wager_id) as seen if wager_id == stand.wager.wager_id:
                kept = _conserving(seen, stand.wager.lying)
                return Stand(stand.wager, stand.action, "stands", clauses, recorded=kept)
    return Stand(stand.wager, Fraction(0), "open", clauses)


def _conserving(seen: e.WagerSettled, stake: int) -> e.WagerSettled:
    """A record that stands: what was not taken of a stake goes back, and never more than it."""
    taken = min(seen.collected, stake)
    return replace(seen, collected=taken, returned=stake - taken)


def _written(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))

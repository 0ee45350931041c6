"""Hoiana Roulette: what people decided, and whether they could.

Rulebook RO, clauses 6.6, 7.11.1, 7.12 and section 8. A decision without the rank, or on something
its clause does not speak of, has no effect. Of those that contradict each other the highest
rank's stands, among equals the last.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from replay.rounds import Round
from replay.ruled import Flag, Step
from replay.rulings.shared.section_seven import within
from replay.sentence import Sentence, say
from schemas import events as e
from schemas.ranks import LADDER, at_least

# RO:8.4.1 to 8.4.8, what a dispute may be decided on.
GROUNDS = frozenset(f"8.4.{n}" for n in range(1, 9))

# The clause of each decision, and the lowest rank that may take it.
RANK = {
    "position": ("RO:6.6", "pit_supervisor"),
    "refuse_payment": ("RO:7.11.1", "management"),
    "allow_payment": ("RO:4.7.4.1", "management"),
    "business_decision": ("RO:7.12", "director"),
}
# Looked at elsewhere: colour chips handed back (RO:4.7.4), disputes (RO:8.4).
ELSEWHERE = ("redeemed", "dispute_decided")
CLAUSES = frozenset(clause for clause, _ in RANK.values())


class OrderGiven(NamedTuple):
    """One decision that counts; of two the greater stands."""

    rank: int
    single: bool  # about one wager, and so an exception to what was said of all
    place: int
    subject: str  # a wager, or empty for all
    says: str
    clause: str


class Orders(NamedTuple):
    """The decisions that count."""

    positions: Mapping[str, str]  # wager to the position it was ruled to lie on
    payments: tuple[OrderGiven, ...]  # whether winnings are refused, or paid after all
    flags: tuple[Flag, ...]
    steps: tuple[Step, ...]
    readings: Mapping[str, str]  # rule issues they depend on

    def refuses(self, wager_id: str) -> bool:
        """Whether management refused the winnings of this wager's chips."""
        standing = _standing(self.payments, wager_id)
        return standing is not None and standing.says == "refuse_payment"


def given(round: Round, management: str) -> Orders:
    """The decisions of a round; `management` is the lowest rank read as such (RO:7.11.1)."""
    places, payments = list[OrderGiven](), list[OrderGiven]()
    readings: dict[str, str] = {}
    flags: list[Flag] = []
    steps: list[Step] = []
    for event in round.events:
        ruling = event.payload
        if not isinstance(ruling, e.RulingMade):
            continue
        if ruling.decision in ELSEWHERE and not foreign_clause(ruling):
            continue
        clause, least = RANK.get(ruling.decision, ("", ""))
        if least == "management":
            least = readings["management"] = management
        against = _against(event, ruling, clause, least, round)
        if against:
            flags.append(against)
        elif ruling.decision == "position":
            places.append(_word(event, ruling, ruling.value, clause))
        elif ruling.decision != "business_decision":
            payments.append(_word(event, ruling, ruling.decision, clause))
        cited = against.clause if against else clause
        steps.append(_decided(event.event_id, ruling, cited, effective=not against))
    flags += [*_contradicted(places), *_contradicted(payments), *_of_disputes(round.events)]
    positions = {at.subject: at.says for at in sorted(places)}
    return Orders(positions, tuple(payments), tuple(flags), tuple(steps), readings)


def foreign_clause(ruling: e.RulingMade) -> bool:
    """Whether a ruling was made under another rulebook, which decides nothing here."""
    book, colon, _ = ruling.clause.partition(":")
    return bool(colon) and book != "RO"


def _against(
    event: e.Event, ruling: e.RulingMade, clause: str, least: str, round: Round
) -> Flag | None:
    """Why a decision has no effect; None where it has."""
    note: Sentence | None
    if foreign_clause(ruling):
        clause = clause or "RO:7.12"
        code = "WORD_UNKNOWN"
        note = say("RO.foreign_clause", clause=ruling.clause)
    elif not clause:
        clause = ruling.clause if ruling.clause in CLAUSES else "RO:7.12"
        code = "WORD_UNKNOWN"
        note = say("RO.no_decision", decision=ruling.decision)
    elif not at_least(ruling.rank, least):
        code = "RULING_AUTHORITY"
        note = say("RO.rank_too_low", least=least, rank=ruling.rank)
    else:
        code, note = "RULING_WITHOUT_CAUSE", _without_cause(event, ruling, round)
    subject = ruling.subject or clause.removeprefix("RO:")
    return Flag(code, clause, subject, note) if note else None


def _without_cause(event: e.Event, ruling: e.RulingMade, round: Round) -> Sentence | None:
    """What the decision lacks of that which its clause speaks of; None where nothing."""
    placed = {
        event.payload.wager_id: event.payload.chips
        for event in round.events
        if isinstance(event.payload, e.WagerPlaced)
    }
    if ruling.decision == "business_decision":
        return None
    if not ruling.subject:
        return say("RO.no_wager_named") if ruling.decision == "position" else None
    if ruling.subject not in placed:
        return say("RO.no_such_wager", wager=ruling.subject)
    if ruling.decision == "position":
        known = any(_tells_the_number(at) and at.seq < event.seq for at in round.events)
        return None if known else say("RO.number_not_known")
    chips = placed[ruling.subject]
    foreign = chips is not None and chips.table_id != round.table_id
    return None if foreign else say("RO.own_chips")


def _tells_the_number(event: e.Event) -> bool:
    match event.payload:
        case e.BallLanded() | e.DollyPlaced() | e.ResultCalled(shown_by="dealer" | "dolly"):
            return True
    return False


def _word(event: e.Event, ruling: e.RulingMade, says: str, clause: str) -> OrderGiven:
    rank, subject = LADDER.index(ruling.rank), ruling.subject
    return OrderGiven(rank, bool(subject), event.seq, subject, says, clause)


def _standing(words: Iterable[OrderGiven], wager_id: str) -> OrderGiven | None:
    """The decision that stands for a wager, or for all in general."""
    return max((at for at in words if at.subject in ("", wager_id)), default=None)


def _contradicted(words: Iterable[OrderGiven]) -> Iterator[Flag]:
    """Decisions that do not stand because another one says something else."""
    words = tuple(words)
    for word in words:
        standing = _standing(words, word.subject)
        if standing and standing.says != word.says:
            subject = word.subject or word.clause.removeprefix("RO:")
            note = say(
                "RO.decision_overruled",
                rank=LADDER[word.rank],
                said=_told(word),
                higher=LADDER[standing.rank],
                stands=_told(standing),
            )
            yield Flag("RULING_CONTRADICTED", word.clause, subject, note)


def _told(word: OrderGiven) -> Sentence:
    """What was decided: where a wager lies, or whether it is paid."""
    if word.clause == RANK["position"][0]:
        return say("RO.on_position", bet=word.says)
    return say("RO.decision", decision=word.says)


def _decided(event_id: str, ruling: e.RulingMade, clause: str, *, effective: bool) -> Step:
    rank, what = ruling.rank, _what(ruling)
    text = say("RO.decided", rank=rank, what=what)
    if not effective:
        text = say("RO.decided_without_effect", rank=rank, what=what)
    return Step(text, (clause,), (event_id,))


def _what(ruling: e.RulingMade) -> Sentence:
    """A decision with the value it was given."""
    if not ruling.value:
        return say("RO.decision", decision=ruling.decision)
    if ruling.decision == "position":
        return say("RO.on_position", bet=ruling.value)
    return say("RO.decision_and_value", decision=ruling.decision, value=ruling.value)


def _of_disputes(events: Iterable[e.Event]) -> Iterator[Flag]:
    """Section 8. A decision never rewrites the settlement; only its manner is looked at."""
    told: set[tuple[str, str]] = set()
    decided: list[tuple[e.RulingMade, bool]] = []
    for event in events:
        match event.payload:
            case e.IrregularityReported(kind=kind, subject=subject):
                told.add((kind, subject))
            case e.RulingMade(decision="dispute_decided") as ruling if not foreign_clause(ruling):
                informed = ("surveillance_informed", ruling.subject) in told
                decided.append((ruling, informed))
    for ruling, informed in decided:
        by = say("RO.decided_by", rank=ruling.rank)
        if not at_least(ruling.rank, "dealer_inspector"):
            yield Flag("DISPUTE_AUTHORITY", "RO:8.1", "8.1", by)
        if at_least(ruling.rank, "pit_manager") and not informed:
            yield Flag("DISPUTE_NO_SURVEILLANCE", "RO:8.2", "8.2", by)
        if not GROUNDS.intersection(re.findall(r"8\.4\.\d", ruling.value)):
            yield Flag("DISPUTE_NO_BASIS", "RO:8.4", "8.4", say("RO.no_ground"))
        disagreed = ("player_disagreed", ruling.subject) in told
        if disagreed and ("complaint_right_told", ruling.subject) not in told:
            yield Flag("DISPUTE_RIGHTS_NOT_TOLD", "RO:8.5", "8.5", say("RO.player_disagreed"))


# Each decision has its own clause, and those that other parts look at have these.
CLAUSE_OF = {word: clause for word, (clause, _) in RANK.items()} | dict(
    zip(ELSEWHERE, ("RO:4.7.4", "RO:8.4"), strict=True)
)


def ruling_words(clause: str) -> tuple[str, ...]:
    """The decisions of a clause, of its parts, and of the one it is a part of."""
    return tuple(
        word for word, own in CLAUSE_OF.items() if within(clause, own) or within(own, clause)
    )

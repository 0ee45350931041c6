"""What people did and decided: squeezes, calls, rulings, late chips (4.6 to 4.8, 7.10 to 7.20)."""

from collections.abc import Iterator

from replay.rulings.shared import stray_cards
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import (
    Evidence,
    Ruling,
    Spoken,
    contradicted,
    off_the_record,
    standing,
    unheard,
    within,
    without_cause,
)
from replay.rulings.tiger_baccarat import withdrawals
from replay.rulings.tiger_baccarat.record import NOT_COVERED, TigerBaccaratRecord
from replay.rulings.tiger_baccarat.words import said
from schemas import events as e
from schemas.ranks import at_least

# Reports that change nothing but should be known: code, clause, what follows.
NOTES = (
    ("SQUEEZE_MISDELIVERY", "TB:7.10.1", "squeeze cards went astray, the outcome was known"),
    ("SQUEEZE_MISDELIVERY", "TB:7.10.2", "squeeze cards went astray, the outcome was not known"),
    ("MULTIPLE_DRAW", "TB:7.12", "cards left the shoe together: their order makes the hands"),
    ("SQUEEZER_ABSENT", "TB:7.14", "the squeezing player was away: the dealer opened the cards"),
    ("SQUEEZE_NOT_OFFERED", "TB:7.15", "the dealer opened cards owed to a squeezer"),
)
# The decisions of the clauses that leave a choice; another word counts as not said.
SPOKEN: Spoken = {
    "TB:4.8": ("squeeze_refused",),
    "TB:7.1": ("void", "continue"),
    "TB:7.2": ("void", "continue"),
    "TB:7.3": ("void", "continue"),
    "TB:7.9": ("allow_withdrawal", "refuse_withdrawal"),
    "TB:7.10": ("allow_withdrawal", "refuse_withdrawal"),
    "TB:7.11.2": ("offered",),
    "TB:7.12": ("allow_withdrawal", "refuse_withdrawal"),
    "TB:7.13": ("order_fixed", "allow_withdrawal"),
    "TB:7.20": ("void", "continue"),
}


def every_round(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What is looked for in every round, settled or not."""
    behind = [wager for wager in record.wagers if wager.late or wager.late_changes]
    if behind:
        evidence = tuple(id for at in behind for id in (at.event_id, *at.late_changes))
        names = ", ".join(at.wager_id for at in behind)
        text = f"chips came or moved after no more bets: {names}"
        yield Remark("LATE_BET", "TB:4.6", text, evidence)
    yield from off_the_record(record, "TB:2.2.13")
    yield from _outside(record)
    yield from _squeezers(record)
    yield from _unheard(record)
    for event_id, made in record.rulings_under("TB:4.8"):
        if not at_least(made.rank, "pit_manager"):
            text = f"a {_rank(made)} refused a squeeze, which takes a pit manager"
            yield Remark("RANK_TOO_LOW", "TB:4.8", text, (event_id,))


def notes(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What was reported and treated by section 7 without changing the hand."""
    for code, clause, text in NOTES:
        if clause in record.reports:
            yield Remark(code, clause, text, record.reports[clause])
    yield from _order_ruled(record)


def wrong_calls(record: TigerBaccaratRecord, result: str) -> Iterator[Remark]:
    """Calls of the dealer that the cards contradict: the cards stand (7.16)."""
    for event in record.round.events:
        match event.payload:
            case e.ResultCalled(result=called, shown_by="dealer") if said(called) != result:
                text = f"the dealer called {called}, the cards say {result}: the cards stand"
                yield Remark("WRONG_CALL", "TB:7.16", text, (event.event_id,))


def referred(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """What the rules do not cover, and whether somebody of the right rank decided it (7.20)."""
    reported = record.reports.get(NOT_COVERED, ())
    rulings = record.rulings_under(NOT_COVERED)
    if not reported and not rulings:
        return
    text = "an irregularity that the rules do not cover"
    yield Remark("REFER_7.20", NOT_COVERED, text, reported)
    for event_id, made in () if reported else _on_the_case(record):
        yield without_cause(event_id, made, "nothing was reported that the rules do not cover")
    low = [(id, made) for id, made in rulings if not at_least(made.rank, "assistant_director")]
    for event_id, made in low:
        text = f"a {_rank(made)} decided, which takes an assistant director"
        yield Remark("RANK_TOO_LOW", NOT_COVERED, text, (event_id,))
    if len(low) == len(rulings):
        text = "no decision of an assistant director or above is on file"
        yield Remark("DECISION_MISSING", NOT_COVERED, text, reported)
    yield from contradicted(_on_the_case(record), "assistant_director", NOT_COVERED)


def called_off(record: TigerBaccaratRecord, evidence: Evidence) -> Iterator[Remark]:
    """A hand that the table called void before a card of it, which no clause but 7.20 covers."""
    told = tuple(referred(record))
    yield from told
    if not told and record.wagers:
        text = "the table called the hand void before its first card"
        yield Remark("REFER_7.20", NOT_COVERED, text, evidence)
        text = "no decision of an assistant director or above is on file"
        yield Remark("DECISION_MISSING", NOT_COVERED, text, evidence)


def void_by_decision(record: TigerBaccaratRecord) -> bool:
    """Whether the decision that stands under 7.20 is that the hand is void."""
    stands = standing(_on_the_case(record), "assistant_director")
    return stands is not None and stands.decision == "void"


def _on_the_case(record: TigerBaccaratRecord) -> list[Ruling]:
    """The rulings under 7.20 with a word that decides."""
    made = record.rulings_under(NOT_COVERED)
    return [(at, ruling) for at, ruling in made if ruling.decision in ("continue", "void")]


def _order_ruled(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """7.13: the order of cards drawn together is a pit manager's to fix."""
    reported = tuple(
        id for at in ("TB:7.13", "TB:7.13.1", "TB:7.13.2") for id in record.reports.get(at, ())
    )
    rulings = [
        (id, made) for id, made in record.rulings_under("TB:7.13") if made.decision == "order_fixed"
    ]
    if not reported and not rulings:
        return
    if not rulings:
        text = "cards left the shoe together and nobody fixed their order"
        yield Remark("DECISION_MISSING", "TB:7.13", text, reported)
        return
    text = "cards left the shoe together: the recorded order is the one that was ruled"
    yield Remark("ORDER_RULED", "TB:7.13", text, (*reported, *(id for id, _ in rulings)))
    if not any(at_least(made.rank, "pit_manager") for _, made in rulings):
        event_id, made = rulings[0]
        text = f"a {_rank(made)} fixed the order, which takes a pit manager"
        yield Remark("RANK_TOO_LOW", "TB:7.13", text, (event_id,))


def _outside(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Cards before the round, and after it where they are not the next hand's (2.2.13)."""
    used = {event_id for at in (*record.read.used, *record.read.spare) for event_id in at.evidence}
    for card in stray_cards.told(record.round, record.over):
        if not used.intersection(card.evidence):
            yield Remark(stray_cards.CODE, "TB:2.2.13", card.text, card.evidence)


def _squeezers(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """4.7: only the seated player with the highest bet may squeeze."""
    if record.free or {"TB:7.10.1", "TB:7.10.2"} & set(record.reports):
        return
    live = [wager for wager in record.wagers if not wager.late]
    highest = max((at.stake for at in live), default=0)
    for event in record.round.events:
        match event.payload:
            case e.CardHandled(purpose="squeeze", player_id=player):
                own = max((at.stake for at in live if at.player_id == player), default=0)
                if own < highest:
                    text = f"{player} squeezed with {own:,} at most, the highest bet is {highest:,}"
                    yield Remark("SQUEEZE_NOT_HIGHEST", "TB:4.7", text, (event.event_id,))


def _unheard(record: TigerBaccaratRecord) -> Iterator[Remark]:
    """Rulings in a word that is no decision, and leave for somebody who is not there."""
    yield from unheard(record, "TB:7", SPOKEN)
    asked = any(wager.withdrawal for wager in record.wagers)
    there = {name for wager in record.wagers for name in (wager.wager_id, wager.player_id)}
    for clause, words in SPOKEN.items():
        for event_id, made in record.rulings_under(clause):
            leave = made.decision in words and made.decision.endswith("_withdrawal")
            if leave and made.subject not in ("", *there):
                text = f"leave was ruled on for {made.subject}, who has no wager"
                yield Remark("RULING_WITHOUT_CAUSE", clause, text, (event_id,))
            elif leave and not asked and not _gave_leave(record, clause):
                yield without_cause(event_id, made, "nothing happened that lets a player withdraw")


def _gave_leave(record: TigerBaccaratRecord, clause: str) -> bool:
    """Whether something happened for which a clause lets players withdraw."""
    return any(within(at, clause) for at in withdrawals.carried(record))


def _rank(made: e.RulingMade) -> str:
    return made.rank.replace("_", " ")

"""A dispute as the desk shows it: clause 8 step by step, the money of each reading, what is due."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from audit.cases import clocks, new_steps, recompute, rules
from audit.cases.case import Case
from audit.cases.clocks import CaseClock
from audit.cases.jurisdiction import Jurisdiction
from audit.cases.rules import Actor, UnmetNeed
from audit.console.case_forms import BY_VERB, StepForm
from replay.locate import LocatedRound
from schemas import events as e

# The rows of the list on the left: the step, its word, and the clock that runs for it.
ROWS: Sequence[tuple[type[Any], str, str]] = (
    (e.DisputeRaised, "Raised", ""),
    (e.FirstAnswerGiven, "First answer", ""),
    (e.DisputeEscalated, "Escalated", ""),
    (e.SurveillanceInformed, "Surveillance informed", "inform"),
    (e.TimeframePromised, "Time given", "promise"),
    (e.DisputeDecided, "Decide", ""),
    (e.DecisionConfirmed, "Second person", ""),
    (e.CorrectionPaid, "Pay", ""),
    (e.PlayerTold, "Tell the player", ""),
    (e.PlayerAssisted, "Help to complain", ""),
    (e.DecisionReviewed, "Senior Management", "complaint"),
    (e.CaseClosed, "Close", ""),
)
ELSEWHERE = ("decide", "confirm")  # their forms stand in the column on the right
MORE = ("hold", "release", "confirm-release", "notify")
OTHERS = 3  # readings beside the posted one that the table of wagers has columns for


class DeskStep(NamedTuple):
    """One row of clause 8."""

    clause: str
    word: str
    state: str  # done, now or later
    events: tuple[e.CaseEvent, ...]
    form: StepForm | None
    needs: tuple[UnmetNeed, ...]  # why this person may not take it now
    clock: CaseClock | None


class WagerRow(NamedTuple):
    """One wager under the posted terms and under other readings."""

    line: e.OptionLine
    disputed: bool
    others: tuple[int | None, ...]  # due under each other option; None where it is not in it


def steps(case: Case, actor: Actor, duties: Jurisdiction) -> list[DeskStep]:
    """Clause 8 from top to bottom; the first step that may come next is the one to take now."""
    running = {clock.name: clock for clock in clocks.clocks(case, duties)}
    following = rules.open_verbs(case)
    rows: list[DeskStep] = []
    for kind, word, clock in ROWS:
        rule = rules.RULES[kind]
        done = tuple(event for event, _ in case.all(kind)) if _counts(case, kind) else ()
        is_next = rule.verb in following and not any(row.state == "now" for row in rows)
        state = "done" if done else "now" if is_next else "later"
        form = None if rule.verb in ELSEWHERE else BY_VERB.get(rule.verb)
        may_follow = form is not None and rule.verb in following
        needs = tuple(rules.unmet(case, actor, kind)) if may_follow else ()
        rows.append(
            DeskStep(
                rule.clause,
                word,
                state,
                done,
                form if may_follow else None,
                needs,
                running.get(clock),
            )
        )
    return rows


def _counts(case: Case, kind: type[Any]) -> bool:
    """Whether steps of a kind count as done: those after a decision only since the one in force."""
    if kind is e.DisputeDecided:
        return case.decision is not None
    if kind in (e.DecisionConfirmed, e.PlayerTold, e.PlayerAssisted):
        return case.since_decision(kind) is not None
    if kind is e.CorrectionPaid:
        return bool(case.since_decision(kind)) and not case.unpaid
    return True


def more(case: Case, actor: Actor) -> list[tuple[StepForm, tuple[UnmetNeed, ...]]]:
    """The steps outside the order of clause 8: holds and notices."""
    following = rules.open_verbs(case)
    return [
        (BY_VERB[verb], tuple(rules.unmet(case, actor, BY_VERB[verb].step)))
        for verb in MORE
        if verb in following
    ]


def posted(found: LocatedRound) -> e.DisputeOption:
    """What the round owed by the terms that were posted."""
    return next(recompute.options(found))


def options(case: Case) -> list[tuple[e.DisputeOption, int]]:
    """The options of the last recomputation, each with what it moves on the disputed wagers."""
    return [
        (option, sum(each.amount for each in new_steps.corrections(case, option)))
        for option in new_steps.options(case)
    ]


def wagers(case: Case) -> tuple[list[e.DisputeOption], list[WagerRow]]:
    """Everybody whom a reading touches: each wager as posted and under the other options."""
    known = new_steps.options(case)
    if not known:
        return [], []
    others = list(known[1 : 1 + OTHERS])
    due = [{line.wager_id: line.due_minor for line in option.lines} for option in others]
    named = case.raised.wagers
    rows = [
        WagerRow(line, line.wager_id in named, tuple(found.get(line.wager_id) for found in due))
        for line in known[0].lines
    ]
    return others, sorted(rows, key=lambda row: (not row.disputed, not _moves(row)))


def _moves(row: WagerRow) -> bool:
    other = any(due != row.line.due_minor for due in row.others)
    return other or bool(row.line.correction_minor)


def precedents(case: Case) -> Sequence[e.Precedent]:
    """The precedents of the last recomputation."""
    event = case.last(e.SettlementRecomputed)
    step = event.step if event else None
    return step.precedents if isinstance(step, e.SettlementRecomputed) else ()


def accounts_missing(case: Case) -> list[tuple[str, str]]:
    """Whose account is still to be taken: the player, and everybody who was on duty (8.4.5)."""
    taken = {step.given_by for _, step in case.all(e.StatementTaken)}
    parties = {step.party for _, step in case.all(e.StatementTaken)}
    player = case.raised.player_id
    missing = [] if "player" in parties else [("player", player)]
    on_duty = [(rank, who) for rank, who in case.raised.staff.items() if who not in taken]
    return missing + (on_duty if "house" not in parties else [])


def spoken(need: UnmetNeed, translate: Any) -> str:
    """What a step needs, in a language: the text is translated, then its values."""
    values = {name: _value(value, translate) for name, value in need.values.items()}
    text: str = translate(need.text)
    return text % values if values else text


def _value(text: str, translate: Any) -> str:
    """A value of a sentence: ranks are translated one by one, ids are not in the catalogue."""
    parts = []
    for part in text.split(", "):
        rank, above, _ = part.partition(" and above")
        duty, _, as_rank = part.partition(" as ")
        if above:
            parts.append(translate("%(rank)s and above") % {"rank": translate(rank)})
        elif as_rank and duty in WHY:
            parts.append(translate(f"{duty} as %(rank)s") % {"rank": translate(as_rank)})
        else:
            parts.append(translate(part) if part else "")
    return ", ".join(parts)


WHY = ("was on duty at the table",)
SPOKEN = (
    "%(rank)s and above",
    "was on duty at the table as %(rank)s",
    "gave the account of the player",
    "gave the account of the house",
    "gave the account of the witness",
    "decide it",
    "confirm it",
    "take it over",
    "review it",
    "no rank",
    "none",
)


def rows(
    cases: Mapping[str, Case], wanted: "CaseFilter", now: int, duties: Any
) -> Iterator["CaseRow"]:
    """The cases of a list, the newest first."""
    for case in sorted(cases.values(), key=lambda each: -each.steps[0].done_at):
        running = clocks.clocks(case, duties(case))
        if not wanted.takes(case):
            continue
        due = [clock for clock in running if clock.done_at is None]
        yield CaseRow(case, min(due, key=lambda clock: clock.due_at, default=None), now)


class CaseFilter(NamedTuple):
    """Which cases to list."""

    state: str = "open"  # open, closed or all
    table: str = ""
    pit: str = ""

    def takes(self, case: Case) -> bool:
        """Whether a case is wanted."""
        return (
            self.state in ("all", "open" if case.is_open else "closed")
            and self.table in ("", case.table_id)
            and case.table_id.startswith(self.pit)
        )


class CaseRow(NamedTuple):
    """A case in a list, with the clock that runs out first."""

    case: Case
    clock: CaseClock | None
    now: int

    @property
    def overdue(self) -> bool:
        """Whether that clock ran out."""
        return self.clock is not None and self.clock.state(self.now) == "overdue"

"""A dispute in words and as a JSON document: steps, clocks, holds, options, what may follow."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from audit.cases import clocks, rules
from audit.cases.case import Case
from audit.cases.clocks import CaseClock
from audit.cases.jurisdiction import Jurisdiction
from audit.cli import columns, times
from schemas import codec
from schemas import events as e

SHORT = 72  # characters of a text on a line of a list


def document(case: Case, duties: Jurisdiction, now: int) -> dict[str, Any]:
    """A case as plain JSON values; amounts are strings of minor units."""
    return {
        "case": case.case_id,
        "table": case.table_id,
        "round": case.raised.round_id,
        "stage": case.stage,
        "jurisdiction": duties.code,
        "raised": _plain(case.raised),
        "steps": [_step(case, event) for event in case.steps],
        "clocks": [
            clock._asdict()
            | {"due_at": times.told(clock.due_at), "state": clock.state(now)}
            | {"done_at": None if clock.done_at is None else times.told(clock.done_at)}
            for clock in clocks.clocks(case, duties)
        ],
        "holds": [
            {
                "hold": hold.hold_id,
                "classes": list(hold.classes),
                "reason": hold.reason,
                "state": hold_state(hold),
            }
            for hold in case.holds
        ],
        "unpaid": [_plain(payment) for payment in case.unpaid],
        "next": rules.open_verbs(case),
    }


def row(case: Case, duties: Jurisdiction, now: int, zone: str) -> tuple[str, ...]:
    """A case as a row of a list."""
    late = [clock.name for clock in clocks.clocks(case, duties) if clock.state(now) == "overdue"]
    raised = case.raised
    return (
        case.case_id,
        case.stage,
        moment(case.steps[0].done_at, zone),
        case.table_id,
        raised.player_id,
        money(raised.amount, raised.currency) if raised.amount else "",
        ", ".join(late),
        cut(raised.claim),
    )


ROW = ("case", "stage", "raised", "table", "player", "claimed", "overdue", "claim")


def lines(case: Case, duties: Jurisdiction, now: int, zone: str) -> Iterator[str]:
    """A case as lines of text, with times in the venue's zone."""
    raised = case.raised
    day = f", gaming day {raised.gaming_day}" if raised.gaming_day else ""
    yield f"{case.case_id}: {case.stage.replace('_', ' ')}"
    yield f"round {raised.round_id}, table {case.table_id}{day}, {raised.game or 'no terms posted'}"
    claimed = f", {money(raised.amount, raised.currency)}" if raised.amount else ""
    player = f" of player {raised.player_id}" if raised.player_id else ""
    yield f"claim{player}{claimed}: {raised.claim}"
    if raised.staff:
        duty = (f"{rank.replace('_', ' ')} {who}" for rank, who in sorted(raised.staff.items()))
        yield f"on duty then: {', '.join(duty)}"
    yield "\nSteps:"
    for event in case.steps:
        yield f"  {event.number}. {told(case, event, zone)}"
    yield from _clock_lines(clocks.clocks(case, duties), now, zone)
    yield from _hold_lines(case, zone)
    recomputed = case.last(e.SettlementRecomputed)
    if recomputed and isinstance(recomputed.step, e.SettlementRecomputed):
        yield from option_lines(recomputed.step, raised.currency)
    yield f"\nmay come next: {', '.join(map(rules.command, rules.open_verbs(case))) or 'nothing'}"


def told(case: Case, event: e.CaseEvent, zone: str) -> str:
    """One step as a sentence, with who did it, when, and its clause."""
    step = event.step
    who = f"{event.person_id} ({event.rank.replace('_', ' ')})"
    said = times.local(SENTENCES[type(step)](step), zone)
    basis = step.basis if isinstance(step, e.EvidenceAdded) else rules.RULES[type(step)].clause
    return f"{moment(event.done_at, zone)} {who} {said}  {case.clause(basis)}"


def option_lines(step: e.SettlementRecomputed, currency: str) -> Iterator[str]:
    """What the round owed under each option, wager by wager, and the precedents."""
    yield f"\nOptions ({currency or 'no currency posted'}; edition {step.edition or 'none'}):"
    rows = [
        (option.option_id, option.status, option.outcome, option.correction_minor)
        for option in step.options
    ]
    head = ("option", "status", "outcome", "house owes")
    yield from (f"  {line}" for line in columns.lines(head, rows))
    for option in step.options:
        yield f"\n  {option.option_id}: {option.what}  {option.clause}".rstrip()
        yield from _wager_lines(option)
        if option.later_rounds:
            first, *_, last = (*option.later_rounds, option.later_rounds[-1])
            count = len(option.later_rounds)
            yield f"    {count:,} later rounds would have got other cards: {first} to {last}"
    yield from _precedent_lines(step.precedents)


def hold_state(hold: Any) -> str:
    """Whether a hold stands, somebody asked to end it, or it was ended."""
    return "released" if hold.released else "release asked" if hold.asked else "in force"


def money(amount: int, currency: str) -> str:
    """An amount with its currency."""
    return f"{amount:,} {currency}".rstrip()


def moment(at_us: int, zone: str) -> str:
    """A time in the venue's zone, to the second."""
    return times.local(times.told(at_us), zone)[:19].replace("T", " ")


def cut(text: str) -> str:
    """A text that fits into a column."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"


def _wager_lines(option: e.DisputeOption) -> Iterator[str]:
    if not option.lines:
        yield "    nothing is due on any wager"
        return
    rows = [
        (
            line.wager_id,
            line.player_id,
            line.bet,
            line.outcome,
            line.stake,
            line.due_minor,
            "not seen" if line.seen_minor is None else f"{line.seen_minor:,}",
            line.correction_minor,
            " ".join(line.clauses),
        )
        for line in option.lines
    ]
    head = ("wager", "player", "bet", "outcome", "stake", "due", "seen", "house owes", "clauses")
    yield from (f"    {line}" for line in columns.lines(head, rows))


def _precedent_lines(precedents: Sequence[e.Precedent]) -> Iterator[str]:
    if not precedents:
        yield "\nPrecedents: none under these clauses"
        return
    yield "\nPrecedents, those on the same facts first:"
    rows = [
        (
            found.round_id,
            found.gaming_day,
            found.clause,
            found.decision,
            found.rank.replace("_", " "),
            "same" if found.same_pattern else "other",
            found.player_minor,
            found.unruled_minor,
        )
        for found in precedents
    ]
    head = ("round", "day", "clause", "decision", "by", "facts", "players got", "without ruling")
    yield from (f"  {line}" for line in columns.lines(head, rows))


def _clock_lines(found: Sequence[CaseClock], now: int, zone: str) -> Iterator[str]:
    if found:
        yield "\nClocks:"
    for clock in found:
        done = "" if clock.done_at is None else f", done {moment(clock.done_at, zone)}"
        due = moment(clock.due_at, zone)
        yield f"  {clock.state(now):<8} {clock.what} by {due}{done}  {clock.clause}"


def _hold_lines(case: Case, zone: str) -> Iterator[str]:
    yield "\nHolds:"
    for hold in case.holds:
        since = moment(hold.placed.done_at, zone)
        what = f"{', '.join(hold.classes)} since {since}: {hold.reason}"
        yield f"  {hold.hold_id} {hold_state(hold)}, {what}"


def _step(case: Case, event: e.CaseEvent) -> dict[str, Any]:
    rule = rules.RULES[type(event.step)]
    return {
        "number": event.number,
        "step": rule.verb,
        "event": type(event.step).__name__,
        "clause": case.clause(rule.clause),
        "person": event.person_id,
        "rank": event.rank,
        "done_at": times.told(event.done_at),
        "recorded_at": times.told(event.recorded_at),
        "prev_hash": event.prev_hash.hex(),
        "content": _plain(event.step),
    }


def _plain(value: Any) -> Any:
    """A record as JSON values; money as strings, times as RFC 3339."""
    return _written(codec.to_json(value))


def _written(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _written(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_written(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        if name.endswith("_at"):
            return times.told(value) if value else None
        if name.endswith("_minor") or name in ("amount", "stake"):
            return str(value)
    return value


def _payments(step: e.DisputeDecided | e.CorrectionPaid) -> str:
    moved = (
        f"{money(payment.amount, step.currency)} on {payment.wager_id} to {payment.player_id}"
        for payment in step.payments
    )
    return ", ".join(moved) or "no money moves"


def _assisted(step: e.PlayerAssisted) -> str:
    if step.complaint_id:
        return f"helped the player with complaint {step.complaint_id}"
    return "offered help; the player makes no formal complaint"


def _told(step: e.PlayerTold) -> str:
    view = "agrees" if step.agrees else "disagrees"
    right = "was told" if step.right_told else "was NOT told"
    return f"told the player, who {view} and {right} of the right to complain"


SENTENCES: Mapping[type[Any], Callable[[Any], str]] = {
    e.DisputeRaised: lambda _: "raised the dispute; video and events are held",
    e.FirstAnswerGiven: lambda step: (
        f"answered, {'accepted' if step.accepted else 'not accepted'}: {step.answer}"
    ),
    e.DisputeEscalated: lambda step: (
        f"escalated it to {step.to_person_id} ({step.to_rank.replace('_', ' ')})"
    ),
    e.SurveillanceInformed: lambda step: (
        f"informed Surveillance: {step.informed_person_id} by {step.how}"
    ),
    e.TimeframePromised: lambda step: f"promised an answer by {times.told(step.promised_at)}",
    e.StatementTaken: lambda step: (
        f"took the account of the {step.party}, {step.given_by}, {step.signature}: "
        f"{cut(step.text) or step.evidence_id or 'no text'}"
    ),
    e.EvidenceAdded: lambda step: (
        f"added {step.evidence_id}: {step.name}, {step.size:,} bytes, from {step.source}, "
        f"SHA-256 {step.sha256}"
    ),
    e.SettlementRecomputed: lambda step: (
        f"recomputed the round from {step.events} events; options: "
        f"{', '.join(option.option_id for option in step.options)}"
    ),
    e.DisputeDecided: lambda step: (
        f"decided: {step.outcome}, {_payments(step)}; {step.reasons} ({' '.join(step.clauses)})"
    ),
    e.DecisionConfirmed: lambda _: "confirmed the decision",
    e.CorrectionPaid: lambda step: f"paid {_payments(step)}, {step.reference}",
    e.PlayerTold: _told,
    e.PlayerAssisted: _assisted,
    e.DecisionReviewed: lambda step: (
        f"reviewed the decision: it {'stands' if step.stands else 'is set aside'}; {step.reasons}"
    ),
    e.AuthorityNotified: lambda step: (
        f"notified {step.authority} ({step.notice}), {step.reference}"
    ),
    e.HoldPlaced: lambda step: f"put {', '.join(step.classes)} under hold {step.hold_id}",
    e.HoldReleaseAsked: lambda step: f"asked to end hold {step.hold_id}: {step.reason}",
    e.HoldReleased: lambda step: f"ended hold {step.hold_id}",
    e.CaseClosed: lambda step: f"closed the case: {step.reason}",
}

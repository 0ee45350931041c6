"""The dispute in a report: its steps, the decision, and what the reader may do next."""

from collections.abc import Iterator

from audit.cases.case import WITH_SECTION_8, Case
from audit.cli import times
from audit.evidence import figures
from audit.evidence.report.report_text import ReportText, marked
from replay.sentence import Sentence, say
from replay.words.outcome import spoken_outcome
from schemas import events as e

STEPS: dict[type[object], Sentence] = {
    e.DisputeRaised: say("page.step_raised"),
    e.FirstAnswerGiven: say("page.step_answered"),
    e.DisputeEscalated: say("page.step_escalated"),
    e.SurveillanceInformed: say("page.step_informed"),
    e.TimeframePromised: say("page.step_promised"),
    e.StatementTaken: say("page.step_statement"),
    e.EvidenceAdded: say("page.step_evidence"),
    e.SettlementRecomputed: say("page.step_recomputed"),
    e.DisputeDecided: say("page.step_decided"),
    e.DecisionConfirmed: say("page.step_confirmed"),
    e.CorrectionPaid: say("page.step_paid"),
    e.PlayerTold: say("page.step_told"),
    e.PlayerAssisted: say("page.step_assisted"),
    e.DecisionReviewed: say("page.step_reviewed"),
    e.AuthorityNotified: say("page.step_notified"),
    e.HoldPlaced: say("page.step_held"),
    e.HoldReleaseAsked: say("page.step_release_asked"),
    e.HoldReleased: say("page.step_released"),
    e.CaseClosed: say("page.step_closed"),
}


def steps(page: ReportText) -> Iterator[dict[str, str]]:
    """The steps of the dispute: when, who, what, and the words that a person left."""
    for event in page.file.case.steps if page.file.case else ():
        yield {
            "at": figures.time(event.done_at, page.zone),
            "who": f"{event.person_id}, {page.label('rank', event.rank)}",
            "what": page.words(STEPS[type(event.step)]),
            "text": _said(page, event.step),
        }


def verdict(page: ReportText) -> list[Sentence]:
    """How the dispute stands, in a few sentences; nothing where there is none."""
    return list(_verdict(page, page.file.case)) if page.file.case else []


def _verdict(page: ReportText, case: Case) -> Iterator[Sentence]:
    if page.file.hidden.hides(case.raised):
        yield say("page.dispute_of_other")
        return
    raised = page.moment(case.steps[0].done_at)
    yield say("page.dispute_raised", at=raised, claim=case.raised.claim)
    made = case.decision
    if made is None or not isinstance(made.step, e.DisputeDecided):
        yield say("page.dispute_undecided")
        return
    at, who = page.moment(made.done_at), page.label("rank", made.rank)
    if made.step.outcome == "upheld":
        yield say("page.dispute_upheld", at=at, who=who)
    elif made.step.outcome == "partly":
        yield say("page.dispute_partly", at=at, who=who)
    else:
        yield say("page.dispute_rejected", at=at, who=who)
    yield say("page.dispute_confirmed") if case.confirmation else say("page.dispute_unconfirmed")
    yield from _payments(page, case, made.step)


def _payments(page: ReportText, case: Case, decided: e.DisputeDecided) -> Iterator[Sentence]:
    for payment in decided.payments:
        if payment.wager_id in page.file.withheld:
            continue
        money = page.money(abs(payment.amount))
        if payment.amount < 0:
            yield say("page.dispute_takes", money=money, player=payment.player_id)
        elif payment in case.unpaid:
            yield say("page.dispute_pays", money=money, player=payment.player_id)
        else:
            yield say("page.dispute_paid", money=money, player=payment.player_id)


def options(page: ReportText) -> Iterator[dict[str, str]]:
    """What the casino would owe under each option, over the wagers that this edition shows."""
    case = page.file.case
    made = case.last(e.SettlementRecomputed) if case else None
    if made is None or not isinstance(made.step, e.SettlementRecomputed):
        return
    decided = case.decision.step if case and case.decision else None
    chosen = decided.option_id if isinstance(decided, e.DisputeDecided) else ""
    for option in made.step.options:
        shown = [line for line in option.lines if line.wager_id not in page.file.withheld]
        owed = sum(line.correction_minor for line in shown)
        yield {
            "what": page.words(_option(option)),
            "outcome": marked(spoken_outcome(option.outcome, page.language, page.judged.code))
            or page.label("status", option.status),
            "owed": page.figure(owed, signed=True),
            "chosen": page.words(say("page.option_chosen")) if option.option_id == chosen else "",
        }


def _option(option: e.DisputeOption) -> Sentence:
    reading = option.option_id.rpartition("=")[2].replace("_", " ")
    if option.kind == "posted":
        return say("page.option_posted")
    if option.kind == "reading":
        return say("page.option_reading", clause=option.clause, reading=reading)
    if option.kind == "ruling":
        return say("page.option_ruling", clause=option.clause, word=reading)
    return say("page.option_lawful", later=len(option.later_rounds))


def next_steps(page: ReportText) -> Iterator[Sentence]:
    """What the reader may do now, each with its clause of section 8."""
    code = page.judged.code

    def clause(number: str) -> str:
        return f"{code}:{number}" if code in WITH_SECTION_8 else number

    case = page.file.case
    if case is None or case.decision is None:
        yield say("page.next_point", clause=clause("8.1"))
        yield say("page.next_account", clause=clause("8.4.5"))
        yield say("page.next_timeframe", clause=clause("8.3"))
    elif any(payment.wager_id not in page.file.withheld for payment in case.unpaid):
        yield say("page.next_collect", case=case.case_id)
    yield say("page.next_complain", clause=clause("8.5"))
    yield say("page.next_help", clause=clause("8.6"))
    yield say("page.next_verify")


def _said(page: ReportText, step: e.CaseStep) -> str:
    if page.file.hidden.hides(step) and not isinstance(step, e.SettlementRecomputed):
        return page.words(say("page.step_withheld"))
    match step:
        case e.DisputeRaised(claim=words) | e.FirstAnswerGiven(answer=words):
            return words
        case e.DisputeEscalated(to_person_id=who, to_rank=rank):
            return f"→ {who}, {page.label('rank', rank)}"
        case e.TimeframePromised(promised_at=promised):
            return page.moment(promised)
        case e.StatementTaken(given_by=who, text=words):
            return f"{who}: {words}"
        case e.EvidenceAdded(name=name, sha256=sha256):
            return f"{name}, SHA-256 {sha256[:16]}…"
        case e.SettlementRecomputed(options=found):
            return page.words(say("page.options", n=len(found)))
        case e.DisputeDecided(facts=facts, reasons=reasons, payments=payments):
            local = times.local(facts, page.zone, page.judged.round.gaming_day)
            return "\n".join([local, reasons, *(_payment(page, paid) for paid in payments)])
        case e.CorrectionPaid(payments=payments):
            return " ".join(_payment(page, paid) for paid in payments)
        case e.DecisionReviewed(reasons=words) | e.CaseClosed(reason=words):
            return words
    return ""


def _payment(page: ReportText, paid: e.CasePayment) -> str:
    if paid.wager_id in page.file.withheld:
        return page.words(say("page.withheld"))
    return f"{page.wager(paid.wager_id)}: {page.money(paid.amount)}."

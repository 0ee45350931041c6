"""The dispute in a report: its steps, the decision, and what the reader may do next."""

from collections.abc import Iterator

from audit.cases.case import WITH_SECTION_8
from audit.evidence import figures
from audit.evidence.report.report_text import ReportText
from replay.sentence import Sentence, say
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
        at = figures.moment(event.done_at, page.zone)
        yield {
            "at": at.strftime("%Y-%m-%d %H:%M"),
            "who": f"{event.person_id}, {page.label('rank', event.rank)}",
            "what": page.words(STEPS[type(event.step)]),
            "text": _said(page, event.step),
        }


def next_steps(page: ReportText) -> Iterator[Sentence]:
    """What the reader may do now, each with its clause of section 8."""
    code = page.judged.code

    def clause(number: str) -> str:
        return f"{code}:{number}" if code in WITH_SECTION_8 else number

    yield say("page.next_point", clause=clause("8.1"))
    yield say("page.next_account", clause=clause("8.4.5"))
    yield say("page.next_timeframe", clause=clause("8.3"))
    yield say("page.next_complain", clause=clause("8.5"))
    yield say("page.next_help", clause=clause("8.6"))
    yield say("page.next_verify")


def _said(page: ReportText, step: e.CaseStep) -> str:
    match step:
        case e.DisputeRaised(claim=words) | e.FirstAnswerGiven(answer=words):
            return words
        case e.DisputeEscalated(to_person_id=who, to_rank=rank):
            return f"→ {who}, {page.label('rank', rank)}"
        case e.TimeframePromised(promised_at=promised):
            return figures.moment(promised, page.zone).strftime("%Y-%m-%d %H:%M")
        case e.StatementTaken(given_by=who, text=words):
            return f"{who}: {words}"
        case e.EvidenceAdded(name=name, sha256=sha256):
            return f"{name}, SHA-256 {sha256[:16]}…"
        case e.SettlementRecomputed(options=options):
            return page.words(say("page.options", n=len(options)))
        case e.DisputeDecided(facts=found, reasons=reasons, payments=payments):
            return " ".join([found, reasons, *(_payment(page, paid) for paid in payments)])
        case e.CorrectionPaid(payments=payments):
            return " ".join(_payment(page, paid) for paid in payments)
        case e.DecisionReviewed(reasons=words) | e.CaseClosed(reason=words):
            return words
    return ""


def _payment(page: ReportText, paid: e.CasePayment) -> str:
    if paid.wager_id in page.file.withheld:
        return page.words(say("page.withheld"))
    return f"{paid.wager_id}: {page.money(paid.amount)}."

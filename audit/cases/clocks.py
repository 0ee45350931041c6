"""What is due in a dispute by when, from its steps and its jurisdiction; it reads no clock."""

from collections.abc import Iterator
from typing import NamedTuple

from audit.cases.case import Case
from audit.cases.jurisdiction import Jurisdiction, NoticeDuty
from schemas import events as e

MINUTE_US = 60_000_000
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US


class CaseClock(NamedTuple):
    """One thing that is due: by when, and when it was done. Times are UTC microseconds."""

    name: str
    clause: str
    what: str
    due_at: int
    done_at: int | None = None

    def state(self, now: int) -> str:
        """Kept, late, overdue, or running."""
        if self.done_at is not None:
            return "kept" if self.done_at <= self.due_at else "late"
        return "running" if now <= self.due_at else "overdue"


def clocks(case: Case, duties: Jurisdiction) -> tuple[CaseClock, ...]:
    """Every clock that runs or ran in a case."""
    return tuple(_clocks(case, duties))


def video_expires_at(case: Case, duties: Jurisdiction) -> int:
    """When footage of the round may be deleted, unless it is held; 0 where its time is unknown."""
    opened = case.raised.round_opened_at
    return opened + duties.video_days * DAY_US if opened else 0


def is_held(case: Case, kind: str) -> bool:
    """Whether a hold keeps a class of records."""
    return any(kind in hold.classes and not hold.released for hold in case.holds)


def notices_due(case: Case, duties: Jurisdiction) -> tuple[NoticeDuty, ...]:
    """The notices that this dispute calls for: a large claim that nobody accepted or paid (R14)."""
    raised, answer = case.raised, case.last(e.FirstAnswerGiven)
    accepted = answer and isinstance(answer.step, e.FirstAnswerGiven) and answer.step.accepted
    if accepted:
        return ()
    return tuple(
        duty
        for duty in duties.notices
        if duty.currency == raised.currency and raised.amount >= duty.amount
    )


def _clocks(case: Case, duties: Jurisdiction) -> Iterator[CaseClock]:
    escalated = case.last(e.DisputeEscalated)
    if escalated:
        due = _first_of(case, e.DisputeEscalated).done_at + duties.inform_minutes * MINUTE_US
        informed = case.last(e.SurveillanceInformed)
        done = _first_of(case, e.SurveillanceInformed).done_at if informed else None
        yield CaseClock("inform", case.clause("8.2"), "inform Surveillance", due, done)
    promises = case.all(e.TimeframePromised)
    if promises:
        told = case.told or case.last(e.CaseClosed)
        due, done = promises[-1][1].promised_at, told.done_at if told else None
        yield CaseClock("promise", case.clause("8.3"), "settle it as promised", due, done)
    complaint = case.complaint
    if complaint and duties.complaint_days:
        review = case.last(e.DecisionReviewed)
        due = complaint.done_at + duties.complaint_days * DAY_US
        done = review.done_at if review and review.number > complaint.number else None
        yield CaseClock("complaint", case.clause("8.5"), "answer the complaint", due, done)
    yield from _notices(case, duties)


def _notices(case: Case, duties: Jurisdiction) -> Iterator[CaseClock]:
    given = {step.notice: event.done_at for event, step in case.all(e.AuthorityNotified)}
    for duty in notices_due(case, duties):
        due = case.steps[0].done_at + duty.within_hours * HOUR_US
        what = f"notify {duty.authority} ({duty.source})"
        yield CaseClock(duty.name, case.clause("8.4.8"), what, due, given.get(duty.name))


def _first_of(
    case: Case, kind: type[e.DisputeEscalated] | type[e.SurveillanceInformed]
) -> e.CaseEvent:
    return case.all(kind)[0][0]

"""What is due in a dispute by when, in each jurisdiction."""

from dataclasses import replace

import pytest

from audit.cases import clocks, jurisdiction
from audit.cases.case import Case
from audit.cases.clocks import DAY_US, MINUTE_US
from schemas.shape import FORMATS
from tests.support.disputes import GATHERED, NOON, SETTLED, case_of

VN, NV, GB = (jurisdiction.of(code) for code in ("VN", "NV", "GB"))


def states(case: Case, duties: jurisdiction.Jurisdiction, now: int) -> dict[str, str]:
    return {clock.name: clock.state(now) for clock in clocks.clocks(case, duties)}


def claimed(case: Case, amount: int, currency: str) -> Case:
    first = case.steps[0]
    raised = replace(case.raised, amount=amount, currency=currency)
    return Case((replace(first, step=raised), *case.steps[1:]))


def test_surveillance_is_informed_within_ten_minutes_of_an_escalation() -> None:
    escalated = case_of("open, say, escalate")
    at = escalated.steps[-1].done_at

    assert states(escalated, VN, at + 10 * MINUTE_US) == {"inform": "running"}
    assert states(escalated, VN, at + 10 * MINUTE_US + 1) == {"inform": "overdue"}
    assert states(case_of("open, say, escalate, inform"), VN, at)["inform"] == "kept"


def test_a_promise_is_kept_when_the_player_is_told() -> None:
    promised = case_of(GATHERED)

    assert states(promised, VN, NOON)["promise"] == "running"
    assert states(promised, VN, NOON + 121 * MINUTE_US)["promise"] == "overdue"
    assert states(case_of(f"{SETTLED}, tell"), VN, NOON + 9 * DAY_US)["promise"] == "kept"


def test_a_complaint_has_eight_weeks_where_the_licence_says_so() -> None:
    complained = case_of(f"{SETTLED}, disagree, assist")
    late = complained.steps[-1].done_at + 56 * DAY_US + 1

    assert states(complained, GB, late)["complaint"] == "overdue"
    assert "complaint" not in states(complained, VN, late)
    answered = case_of(f"{SETTLED}, disagree, assist, review")
    assert states(answered, GB, late)["complaint"] == "kept"


@pytest.mark.parametrize(
    ("amount", "currency", "due"),
    [(50_000, "USD", True), (49_999, "USD", False), (50_000, "VND", False)],
)
def test_a_large_unpaid_dispute_calls_for_a_notice(amount: int, currency: str, due: bool) -> None:
    case = claimed(case_of("open, say"), amount, currency)

    assert bool(clocks.notices_due(case, NV)) is due
    assert clocks.notices_due(case, VN) == ()
    if due:
        assert states(case, NV, NOON + DAY_US) == {"unpaid_dispute": "overdue"}


def test_no_notice_where_the_answer_was_accepted_or_the_authority_was_told() -> None:
    accepted = claimed(case_of("open, accept"), 90_000, "USD")
    notified = claimed(case_of("open, notify"), 90_000, "USD")

    assert clocks.notices_due(accepted, NV) == ()
    assert states(notified, NV, NOON + DAY_US) == {"unpaid_dispute": "late"}


def test_footage_expires_after_the_days_of_the_jurisdiction_unless_it_is_held() -> None:
    case = case_of("open")
    opened = case.raised.round_opened_at

    assert clocks.video_expires_at(case, VN) == opened + 180 * DAY_US
    assert clocks.video_expires_at(case, NV) == opened + 7 * DAY_US
    assert clocks.is_held(case, "video")
    assert not clocks.is_held(case_of("open, release, confirm-release"), "video")


def test_every_jurisdiction_says_how_long_each_class_of_records_stays() -> None:
    for duties in jurisdiction.jurisdictions().values():
        assert set(duties.retention_days) == {"video", "events", "case", "access"}
        assert all(FORMATS["retention"][0](name) for name in duties.retention_days)
        assert min(duties.retention_days.values()) >= 7
        assert duties.source
    assert VN.retention_days["video"] == 180
    assert VN.filing_working_days == 5
    assert NV.retention_days["video"] == 15


def test_an_unknown_jurisdiction_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(jurisdiction.UnknownJurisdiction, match="one of GB, IN, MT, NV, PA, VN"):
        jurisdiction.of("XX")

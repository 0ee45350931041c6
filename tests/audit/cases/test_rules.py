"""Which step may be taken in a dispute, by whom, and after what."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cases import rules
from audit.cases.case import Case, fold
from audit.cases.rules import RULES, Actor
from schemas import events as e
from schemas.case_codec import STEPS as KINDS
from schemas.ranks import LADDER, OFFICES
from tests.support import disputes
from tests.support.disputes import GATHERED, SETTLED, STEPS, case_of
from tests.support.tables import cases

WORDS = {
    "informed": "open, say, escalate, inform, promise",
    "informed, player": "open, say, escalate, inform, promise, player",
    "informed, player, house": "open, say, escalate, inform, promise, player, house",
    "gathered": GATHERED,
    "decided": f"{GATHERED}, decide",
    "confirmed": f"{GATHERED}, decide, confirm",
    "settled": SETTLED,
    "told": f"{SETTLED}, tell",
    "disagreed": f"{SETTLED}, disagree",
    "complained": f"{SETTLED}, disagree, assist",
}


@pytest.mark.parametrize(
    "told",
    [
        "open, accept, close",
        f"{SETTLED}, tell, close",
        f"{SETTLED}, disagree, decline, close",
        f"{SETTLED}, disagree, assist, review, close",
        f"{SETTLED}, disagree, assist, set aside, decide anew, confirm, settle, tell, close",
        f"{GATHERED}, add, notify, decide, confirm, settle, tell nothing, disagree, decline, close",
        "open, hold, release, confirm-release, accept, close, notify",
        f"{SETTLED}, tell, close, hold, release, confirm-release",
    ],
)
def test_a_dispute_runs_to_its_end(told: str) -> None:
    case = case_of(told)

    assert len(case.steps) == len(told.split(", "))
    assert fold(case.steps) == {case.case_id: case}


@pytest.mark.parametrize(
    ("after", "verb", "clause", "wrong"),
    cases("""
        open | escalate | TB:8.1 | an answer at the table expected first | nobody answered
        open, accept | escalate | TB:8.1 | the answer was accepted | it is resolved
        open, say, escalate | say | TB:8.1 | it was escalated | the table had its word
        open, say | inform | TB:8.2 | it is still at the table | nobody escalated
        open, say | promise | TB:8.3 | it is still at the table | no manager has it
        open, say | decide | TB:8.1 | it is still at the table | decided at the table
        open, say, escalate | decide | TB:8.2 | Surveillance informed expected | no notice
        open, say, escalate, inform | decide | TB:8.3 | a timeframe promised | no promise
        informed | decide | TB:8.4.5 | account of the player | one side unheard
        informed, player | decide | TB:8.4.5 | of the house | the other unheard
        informed, player, house | decide | TB:8.4.1 | no recomputation | no money
        gathered | confirm | TB:8.4 | a decision expected | nothing to confirm
        gathered | settle | TB:8.4 | a decision expected | nothing to pay
        gathered | tell | TB:8.4 | a decision expected | nothing to tell
        decided | decide | TB:8.4 | one is in force | decided already
        decided | settle | TB:8.4 | confirmed by a second person | one person alone
        decided | tell | TB:8.4 | confirmed by a second person | one person alone
        confirmed | confirm | TB:8.4 | it is confirmed already | confirmed already
        settled | settle | TB:8.4 | a payment that is still open expected | paid twice
        settled | assist | TB:8.5 | was told the decision expected | not told
        told | assist | TB:8.6 | the player agreed | nothing to complain of
        disagreed | review | TB:8.5 | a formal complaint without an answer | no complaint
        open | close | TB:8.1 | an accepted answer or a decision | nothing resolved
        decided | close | TB:8.4 | confirmed by a second person | closed too early
        confirmed | close | TB:8.4 | 300,000 on W1 paid expected | not paid
        settled | close | TB:8.5 | was told the decision expected | not told
        disagreed | close | TB:8.6 | help with a formal complaint | not assisted
        complained | close | TB:8.5 | an answer of Senior Management | not reviewed
        open | confirm-release | TB:8.4.6 | somebody asked to end expected | nobody asked
        open, release | release | TB:8.4.6 | a hold that nobody asked to end expected | asked
        open, hold | hold | TB:8.4.6 | H2 is taken | the number twice
        open, add | add | TB:8.4.6 | E1 is taken | the number twice
        open, accept, close | say | TB:8.1 | T1-R7-D1 is closed | all is over
    """),
)
def test_a_step_that_comes_too_early_is_refused(
    after: str, verb: str, clause: str, wrong: str
) -> None:
    case = case_of(WORDS.get(after, after))
    actor, step = STEPS[verb]

    refused = rules.refusal(case, actor, step)

    assert refused is not None
    assert (refused.clause, refused.verb) == (clause, RULES[type(step)].verb)
    assert wrong in refused.what


def test_a_player_who_disagrees_and_knows_of_no_right_is_not_done_with() -> None:
    case = case_of(f"{SETTLED}, tell nothing")

    for verb in ("assist", "close"):
        refused = rules.refusal(case, *STEPS[verb])
        assert refused
        assert refused.clause == "TB:8.5"
        assert refused.first == "tell --right-told"


@pytest.mark.parametrize(
    ("after", "verb", "rank", "clause"),
    cases("""
        open      | say      | dealer           | TB:8.1  | no inspector
        open, say | escalate | dealer           | TB:8.1  | no inspector
        open, say, escalate | inform | pit_supervisor | TB:8.2 | 8.2 names the pit manager
        open, say, escalate | promise | pit_supervisor | TB:8.3 | no manager
        gathered  | decide   | pit_supervisor   | TB:8.4  | the table decides nothing
        gathered | decide | surveillance_director | TB:8.4 | Surveillance gives evidence
        decided   | confirm  | pit_supervisor   | TB:8.4  | no second person of rank
        confirmed | settle   | dealer           | TB:8.4  | no cashier
        settled   | tell     | pit_supervisor   | TB:8.5  | no manager
        complained | review  | director         | TB:8.5  | not Senior Management
        open      | hold     | pit_supervisor   | TB:8.4.6 | no manager
        open      | release  | pit_manager      | TB:8.4.6 | only overseers end a hold
        settled   | close    | dealer_inspector | TB:8.5  | no manager
    """),
)
def test_too_low_a_rank_is_refused(after: str, verb: str, rank: str, clause: str) -> None:
    case = case_of(WORDS.get(after, after))

    refused = rules.refusal(case, Actor("N1", rank), STEPS[verb][1])

    assert refused is not None
    assert refused.clause == clause
    assert f"{rank.replace('_', ' ')} found" in refused.what
    assert rank not in refused.who


@pytest.mark.parametrize(
    ("after", "verb", "person", "wrong"),
    cases("""
        gathered  | decide  | D1 | on duty at the table as dealer          | the dealer
        gathered | decide | I1 | on duty at the table as dealer inspector | the inspector
        gathered | decide | S1 | on duty at the table as pit supervisor | the supervisor
        gathered  | decide  | P1 | gave the account of the player          | a party
        decided | confirm | M1 | M1 decided it | the same person
        decided   | confirm | D1 | on duty at the table as dealer          | the dealer
        complained | review | M2 | decided or confirmed | the second person
        open, release | confirm-release | V2 | V2 asked for it | the same person
    """),
)
def test_nobody_judges_their_own_round(after: str, verb: str, person: str, wrong: str) -> None:
    case = case_of(WORDS.get(after, after))
    actor, step = STEPS[verb]

    refused = rules.refusal(case, actor._replace(person_id=person), step)

    assert refused is not None
    assert wrong in refused.what
    assert "R20" in refused.what


def test_a_dispute_goes_up_to_nobody_who_was_on_duty() -> None:
    case = case_of("open, say")
    inspector = STEPS["escalate"][0]

    low = rules.refusal(case, inspector, e.DisputeEscalated("S9", "pit_supervisor"))
    own = rules.refusal(case, inspector, e.DisputeEscalated("S1", "pit_manager"))

    assert low is not None
    assert "a pit manager or above expected to take it over, pit supervisor found" in low.what
    assert own is not None
    assert "R20" in own.what


def test_whoever_it_was_escalated_to_decides_or_somebody_above() -> None:
    told = GATHERED.removeprefix("open, say, escalate, ").split(", ")
    case = case_of("open, say")
    step = e.DisputeEscalated("M5", "shift_manager")
    case = case.after(disputes.event(Actor("I1", "dealer_inspector"), step, 3))
    for verb in told:
        case = disputes.after(case, verb)

    low = rules.refusal(case, Actor("M1", "pit_manager"), disputes.DECIDED)

    assert low is not None
    assert "a shift manager or above expected, as it was escalated" in low.what
    assert rules.refusal(case, Actor("M5", "shift_manager"), disputes.DECIDED) is None


def test_a_decision_that_was_set_aside_is_made_by_somebody_else() -> None:
    case = case_of(f"{SETTLED}, disagree, assist, set aside")

    refused = rules.refusal(case, *STEPS["decide"])

    assert case.decision is None
    assert case.stage == "set_aside"
    assert refused is not None
    assert "M1 made the decision before" in refused.what


def test_a_correction_is_what_the_decision_says() -> None:
    case = case_of(f"{GATHERED}, decide, confirm")
    more = e.CorrectionPaid((e.CasePayment("W1", "P1", 300_001),), "VND", "slip 17")

    refused = rules.refusal(case, Actor("C1", "cage_cashier"), more)

    assert refused is not None
    assert "300,001 on W1 to P1 found" in refused.what


def test_a_decision_follows_an_option_that_was_worked_out() -> None:
    case = case_of(GATHERED)
    manager = STEPS["decide"][0]
    other = e.DisputeDecided("upheld", "f", ("TB:5.1.3",), "r", option_id="reading:x=y")

    refused = rules.refusal(case, manager, other)

    assert refused is not None
    assert refused.what == "one of as-posted expected, reading:x=y found"


def test_a_round_of_a_game_without_section_8_is_disputed_by_the_houses_procedure() -> None:
    raised = e.DisputeRaised("S1-R1", "wrong dice", "VN", game="SA-SB")
    case = Case((disputes.event(Actor("I1", "dealer_inspector"), raised, 1),))

    refused = rules.refusal(case, *STEPS["escalate"])

    assert refused is not None
    assert refused.clause == "8.1"


def test_who_may_raise_a_dispute() -> None:
    assert rules.raising(Actor("I1", "dealer_inspector")) is None
    assert rules.raising(Actor("V1", "surveillance_operator")) is None
    refused = rules.raising(Actor("D1", "dealer"))
    assert refused is not None
    assert str(refused) == (
        "open is refused (8.1): dealer inspector and above, surveillance operator, "
        "surveillance director expected, dealer found"
    )


def test_what_may_come_next_is_what_is_not_refused() -> None:
    manager = Actor("M1", "pit_manager")

    assert rules.open_verbs(case_of("open, say, escalate"), manager)[:3] == [
        "escalate",
        "inform",
        "promise",
    ]
    assert "decide" not in rules.open_verbs(case_of("open, say, escalate"), manager)
    assert "decide" in rules.open_verbs(case_of(GATHERED), manager)
    assert rules.open_verbs(case_of("open, accept, close")) == ["notify", "hold", "release"]


def test_every_step_of_the_contract_has_a_rule_with_a_clause_and_somebody_who_may() -> None:
    assert set(RULES) == set(KINDS.values())
    for rule in RULES.values():
        assert re.fullmatch(r"8\.\d(\.\d)?", rule.clause)
        assert set(rule.who) <= {*LADDER, *OFFICES}
        assert rule.who


VERBS = st.lists(st.sampled_from(sorted(set(STEPS) - {"open"})), max_size=40)
WHO = st.sampled_from(sorted({actor for actor, _ in STEPS.values()}))


@given(VERBS, st.lists(WHO, max_size=40))
def test_any_steps_are_refused_with_a_reason_or_make_a_valid_case(
    verbs: list[str], others: list[Actor]
) -> None:
    case = case_of("open")
    for n, verb in enumerate(verbs):
        actor, step = STEPS[verb]
        actor = others[n] if n < len(others) and n % 3 == 2 else actor
        refused = rules.refusal(case, actor, step)
        if refused is None:
            case = case.after(disputes.event(actor, step, len(case.steps) + 1))
        else:
            assert refused.clause
            assert "expected" in refused.what
            assert refused.who

    assert fold(case.steps) == fold(case.steps) == {case.case_id: case}
    _must_be_valid(case)


def _must_be_valid(case: Case) -> None:
    """What holds of every case: nobody judged alone, or their own round, or unpaid money."""
    own = set(case.raised.staff.values())
    for event, _ in case.all(e.DisputeDecided):
        assert event.person_id not in own
        assert event.rank in rules.PIT
    if case.confirmation and case.decision:
        assert case.confirmation.person_id != case.decision.person_id
    if case.last(e.CorrectionPaid):
        assert case.last(e.DecisionConfirmed)
    if case.last(e.DecisionReviewed):
        assert case.complaint
    if not case.is_open and case.decision:
        assert case.unpaid == ()
        assert case.told
    assert case.holds[0].hold_id == "H1"


@pytest.mark.parametrize("verb", ["decide", "confirm"])
def test_who_gave_the_first_answer_judges_nothing_later(verb: str) -> None:
    case = case_of("open")
    _, answer = STEPS["say"]
    case = case.after(disputes.event(Actor("M7", "pit_manager"), answer, 2))
    for following in ("escalate", "inform", "promise", "player", "house", "recompute"):
        case = disputes.after(case, following)
    case = case if verb == "decide" else disputes.after(case, "decide")
    _, step = STEPS[verb]

    refused = rules.refusal(case, Actor("M7", "shift_manager"), step)

    assert refused is not None
    assert "M7 gave the first answer (R20)" in refused.what


def test_the_end_of_a_hold_is_named_as_it_is_typed() -> None:
    case = case_of("open, release")
    actor, step = STEPS["confirm-release"]

    refused = rules.refusal(case, actor._replace(rank="dealer"), step)

    assert refused is not None
    assert str(refused).startswith("confirm --hold is refused")
    assert "confirm --hold" in map(rules.command, rules.open_verbs(case))

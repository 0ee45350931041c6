"""A dispute told in verbs: each with a step and the person who takes it in a lawful case."""

from collections.abc import Callable, Mapping

from audit.cases import rules
from audit.cases.case import Case
from audit.cases.rules import Actor
from schemas import events as e
from schemas.codec import NO_HASH

NOON = 1_772_395_200_000_000  # UTC microseconds
MINUTE = 60_000_000

RAISED = e.DisputeRaised(
    round_id="T1-R7",
    claim="paid 5:1 instead of 8:1",
    jurisdiction="VN",
    gaming_day="2026-03-01",
    game="TB",
    currency="VND",
    player_id="P1",
    wagers=("W1",),
    amount=300_000,
    staff={"dealer": "D1", "dealer_inspector": "I1", "pit_supervisor": "S1"},
    rounds_near=("T1-R5", "T1-R6", "T1-R8", "T1-R9"),
    round_opened_at=NOON - 5 * MINUTE,
)
PAYMENT = e.CasePayment("W1", "P1", 300_000)
OPTION = e.DisputeOption(
    option_id="as-posted",
    kind="posted",
    what="the round as the posted terms settle it",
    hypothetical=False,
    status="settled",
    outcome="B 6-5",
    lines=(
        e.OptionLine("W1", "P1", "tiger", "win", 100_000, 800_000, 300_000, seen_minor=500_000),
    ),
    correction_minor=300_000,
)
RECOMPUTED = e.SettlementRecomputed(
    events=12, events_sha256="9f" * 32, options=(OPTION,), edition="01/01.10.2024"
)
DECIDED = e.DisputeDecided(
    outcome="upheld",
    facts="Banker won on 6 with two cards; 5:1 was paid.",
    clauses=("TB:5.1.3",),
    reasons="The posted odds are 8:1.",
    option_id="as-posted",
    payments=(PAYMENT,),
    currency="VND",
)

# What each verb does in a lawful case, and who does it.
STEPS: Mapping[str, tuple[Actor, e.CaseStep]] = {
    "open": (Actor("I1", "dealer_inspector"), RAISED),
    "say": (Actor("I1", "dealer_inspector"), e.FirstAnswerGiven("5:1 is right", accepted=False)),
    "accept": (Actor("I1", "dealer_inspector"), e.FirstAnswerGiven("8:1 it is", accepted=True)),
    "escalate": (Actor("I1", "dealer_inspector"), e.DisputeEscalated("M1", "pit_manager")),
    "inform": (Actor("M1", "pit_manager"), e.SurveillanceInformed("V1", "phone", ("T1-R7",))),
    "promise": (Actor("M1", "pit_manager"), e.TimeframePromised(NOON + 120 * MINUTE, "vi")),
    "player": (Actor("M1", "pit_manager"), e.StatementTaken("player", "P1", "signed", "8:1!")),
    "house": (Actor("M1", "pit_manager"), e.StatementTaken("house", "D1", "signed", "5:1")),
    "add": (
        Actor("V1", "surveillance_operator"),
        e.EvidenceAdded("E1", "8.4.6", "c.mp4", "0" * 64, 9, "video/mp4", "camera 3", NOON),
    ),
    "recompute": (Actor("V1", "surveillance_operator"), RECOMPUTED),
    "decide": (Actor("M1", "pit_manager"), DECIDED),
    "confirm": (Actor("M2", "shift_manager"), e.DecisionConfirmed()),
    "settle": (Actor("C1", "cage_cashier"), e.CorrectionPaid((PAYMENT,), "VND", "slip 17")),
    "tell": (Actor("M1", "pit_manager"), e.PlayerTold(True, True, "in-person")),
    "disagree": (Actor("M1", "pit_manager"), e.PlayerTold(False, True, "in-person")),
    "tell nothing": (Actor("M1", "pit_manager"), e.PlayerTold(False, False, "letter")),
    "assist": (Actor("G1", "guest_relations"), e.PlayerAssisted("C-1")),
    "decline": (Actor("G1", "guest_relations"), e.PlayerAssisted()),
    "review": (Actor("X1", "senior_management"), e.DecisionReviewed(True, "as decided")),
    "set aside": (Actor("X1", "senior_management"), e.DecisionReviewed(False, "clause misread")),
    "decide anew": (Actor("M3", "pit_manager"), DECIDED),
    "notify": (
        Actor("O1", "compliance_officer"),
        e.AuthorityNotified("unpaid_dispute", "the authority", "N-1"),
    ),
    "hold": (Actor("V2", "surveillance_director"), e.HoldPlaced("H2", ("case",), "a lawsuit")),
    "release": (Actor("V2", "surveillance_director"), e.HoldReleaseAsked("H1", "settled")),
    "confirm-release": (Actor("O1", "compliance_officer"), e.HoldReleased("H1")),
    "close": (Actor("M1", "pit_manager"), e.CaseClosed("paid")),
}
GATHERED = "open, say, escalate, inform, promise, player, house, recompute"
SETTLED = f"{GATHERED}, decide, confirm, settle"


def case_of(told: str) -> Case:
    """The case that these verbs make; every one of them is lawful."""
    case = None
    for verb in told.split(", "):
        case = after(case, verb)
    assert case is not None
    return case


def after(case: Case | None, verb: str) -> Case:
    """The case with one more verb, which is lawful."""
    actor, step = STEPS[verb]
    if case is None:
        return Case((event(actor, step, 1),))
    assert (refused := rules.refusal(case, actor, step)) is None, f"{verb}: {refused}"
    return case.after(event(actor, step, len(case.steps) + 1))


def always(step: e.CaseStep) -> Callable[[Case], e.CaseStep]:
    """What takes this step in any case."""
    return lambda _: step


def event(actor: Actor, step: e.CaseStep, number: int, case_id: str = "T1-R7-D1") -> e.CaseEvent:
    """A step as an event, a minute after the one before."""
    done_at = NOON + number * MINUTE
    return e.CaseEvent(
        "T1", case_id, number, NO_HASH, actor.person_id, actor.rank, done_at, done_at, step
    )

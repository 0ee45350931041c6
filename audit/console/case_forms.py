"""The forms of the dispute desk: one for each step that `roundproof case` takes, as a table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from audit.cases import new_steps, rules
from audit.cases.case import Case
from audit.cases.new_steps import checked
from audit.cli import screen, times
from schemas import events as e
from schemas.ranks import LADDER

LANGUAGES = ("", "vi", "en", "zh")
YES_NO = ("no", "yes")
BASES = ("8.4.2", "8.4.3", "8.4.4", "8.4.6", "8.4.7", "8.4.8")


@dataclass(frozen=True, slots=True)
class GivenValues:
    """What somebody filled in, and when they say that it was done."""

    values: Mapping[str, str]
    done_at: int

    def __getitem__(self, name: str) -> str:
        return screen.encodable(self.values.get(name, "")).strip()

    def words(self, name: str) -> list[str]:
        """Words with blanks or commas between them."""
        return self[name].replace(",", " ").split()

    def yes(self, name: str) -> bool:
        """Whether yes was chosen."""
        return self[name] == "yes"


class StepField(NamedTuple):
    """One field of a form."""

    name: str
    label: str
    kind: str = "text"  # text, area, choice or file
    choices: tuple[str, ...] = ()
    required: bool = True
    hint: str = ""


class StepForm(NamedTuple):
    """The form of one step: the event it makes, its fields, its button."""

    verb: str
    step: type[Any]
    button: str
    fields: tuple[StepField, ...]
    make: Callable[[Case, GivenValues], e.CaseStep] | None  # None: it needs more than its form
    rules_on_money: bool = False  # whether it asks for the right to decide

    @property
    def clause(self) -> str:
        """The number of its clause in section 8."""
        return rules.RULES[self.step].clause


def _note(label: str = "Note") -> StepField:
    return StepField("note", label, required=False)


def _language() -> StepField:
    return StepField("language", "Language", "choice", LANGUAGES, required=False)


def _promised(_: Case, given: GivenValues) -> e.CaseStep:
    made: e.TimeframePromised = checked(
        "TimeframePromised",
        promised_at=given.done_at + times.span_us(given["within"], "within"),
        language=given["language"],
        note=given["note"],
    )
    return made


def _stated(_: Case, given: GivenValues) -> e.CaseStep:
    made: e.StatementTaken = checked(
        "StatementTaken",
        party=given["party"],
        given_by=given["by"],
        text=given["text"],
        language=given["language"],
        interpreter_id=given["interpreter"],
        signature=given["signature"],
        evidence_id=given["evidence"],
    )
    return made


def _decided(case: Case, given: GivenValues) -> e.CaseStep:
    told = {
        "outcome": given["outcome"],
        "facts": given["facts"],
        "reasons": given["reasons"],
        "dissent": given["dissent"],
        "provisions": [law.strip() for law in given["law"].split(";") if law.strip()],
        "option_id": given["option"],
    }
    return new_steps.decision(case, told, given.words("clauses"), given.words("pay") or None)


def _told(_: Case, given: GivenValues) -> e.CaseStep:
    made: e.PlayerTold = checked(
        "PlayerTold",
        agrees=given.yes("agrees"),
        right_told=given.yes("right_told"),
        language=given["language"],
        how=given["how"],
        note=given["note"],
    )
    return made


def _plain(kind: str, **names: str) -> Callable[[Case, GivenValues], e.CaseStep]:
    """A step whose fields are the form's, under these names."""

    def make(_: Case, given: GivenValues) -> e.CaseStep:
        made: e.CaseStep = checked(kind, **{field: given[name] for field, name in names.items()})
        return made

    return make


FORMS = (
    StepForm(
        "say",
        e.FirstAnswerGiven,
        "Record the answer",
        (
            StepField("answer", "Answer given at the table", "area"),
            StepField("clauses", "Clauses", required=False, hint="TB:6.1.1.3"),
            StepField("accepted", "Does the player accept it?", "choice", YES_NO),
        ),
        lambda _, given: checked(
            "FirstAnswerGiven",
            answer=given["answer"],
            clauses=given.words("clauses"),
            accepted=given.yes("accepted"),
        ),
    ),
    StepForm(
        "escalate",
        e.DisputeEscalated,
        "Escalate",
        (
            StepField("to", "Who takes it over", hint="M1"),
            StepField("to_rank", "Their rank", "choice", LADDER[3:]),
            StepField("reason", "Why the table could not resolve it", required=False),
        ),
        _plain("DisputeEscalated", to_person_id="to", to_rank="to_rank", reason="reason"),
    ),
    StepForm(
        "inform",
        e.SurveillanceInformed,
        "Record the notice",
        (
            StepField("to", "Who in Surveillance", hint="V1"),
            StepField("how", "How", "choice", ("phone", "radio", "in-person", "system")),
        ),
        lambda case, given: new_steps.informed(case, given["to"], given["how"]),
    ),
    StepForm(
        "promise",
        e.TimeframePromised,
        "Record the promise",
        (StepField("within", "An answer within", hint="2h"), _language(), _note()),
        _promised,
    ),
    StepForm(
        "statement",
        e.StatementTaken,
        "Add statement",
        (
            StepField("party", "Party", "choice", ("player", "house", "witness")),
            StepField("by", "Given by", hint="P7"),
            StepField("text", "The account", "area", required=False),
            StepField("signature", "Signature", "choice", ("signed", "refused", "recorded")),
            _language(),
            StepField("interpreter", "Interpreter", required=False),
            StepField("evidence", "Recording in evidence", required=False, hint="E1"),
        ),
        _stated,
    ),
    StepForm(
        "recompute",
        e.SettlementRecomputed,
        "Recompute",
        (),
        None,
    ),
    StepForm(
        "decide",
        e.DisputeDecided,
        "Sign decision",
        (
            StepField("outcome", "The claim is", "choice", ("upheld", "partly", "rejected")),
            StepField("clauses", "Clauses relied on, else those of the reading", required=False),
            StepField("facts", "Facts found", "area"),
            StepField("reasons", "Reasons, in the words the player will read", "area"),
            StepField("pay", "Other payments, wager=amount", required=False),
            StepField("dissent", "Another view that was held", required=False),
            StepField("law", "Provisions of law considered", required=False),
        ),
        _decided,
        rules_on_money=True,
    ),
    StepForm(
        "confirm",
        e.DecisionConfirmed,
        "Confirm as the second person",
        (_note(),),
        _plain("DecisionConfirmed", note="note"),
        rules_on_money=True,
    ),
    StepForm(
        "settle",
        e.CorrectionPaid,
        "Record the payment",
        (
            StepField("reference", "Number of the slip"),
            StepField("wagers", "Only these wagers", required=False),
            StepField("event", "Event at the table", required=False),
        ),
        lambda case, given: new_steps.payment(
            case, given.words("wagers"), given["reference"], given["event"]
        ),
    ),
    StepForm(
        "tell",
        e.PlayerTold,
        "Record that the player was told",
        (
            StepField("agrees", "Does the player agree?", "choice", YES_NO),
            StepField("right_told", "Told of the right to complain?", "choice", ("yes", "no")),
            StepField("how", "How", "choice", ("in-person", "letter", "phone")),
            _language(),
            _note(),
        ),
        _told,
    ),
    StepForm(
        "assist",
        e.PlayerAssisted,
        "Record the help",
        (
            StepField(
                "complaint", "Number of the complaint; empty where none is made", required=False
            ),
            StepField("adr", "Number at an outside body", required=False),
            _language(),
            _note(),
        ),
        _plain(
            "PlayerAssisted",
            complaint_id="complaint",
            language="language",
            adr_reference="adr",
            note="note",
        ),
    ),
    StepForm(
        "review",
        e.DecisionReviewed,
        "Record the review",
        (
            StepField("stands", "Does the decision stand?", "choice", ("yes", "no")),
            StepField("reasons", "Reasons", "area"),
            StepField("reference", "Number of the answer", required=False),
        ),
        lambda _, given: checked(
            "DecisionReviewed",
            stands=given.yes("stands"),
            reasons=given["reasons"],
            reference=given["reference"],
        ),
        rules_on_money=True,
    ),
    StepForm(
        "close",
        e.CaseClosed,
        "Close the case",
        (
            StepField("reason", "How it ended"),
            StepField("lesson", "What is to be learnt", required=False),
        ),
        _plain("CaseClosed", reason="reason", lesson="lesson"),
    ),
    StepForm(
        "hold",
        e.HoldPlaced,
        "Place a hold",
        (
            StepField("reason", "Reason"),
            StepField("classes", "Only these classes", required=False, hint="video events"),
        ),
        lambda case, given: new_steps.hold(case, given.words("classes"), given["reason"]),
    ),
    StepForm(
        "release",
        e.HoldReleaseAsked,
        "Ask to end a hold",
        (StepField("hold", "Hold", hint="H1"), StepField("reason", "Reason")),
        _plain("HoldReleaseAsked", hold_id="hold", reason="reason"),
    ),
    StepForm(
        "confirm-release",
        e.HoldReleased,
        "End a hold as the second person",
        (StepField("hold", "Hold", hint="H1"),),
        _plain("HoldReleased", hold_id="hold"),
    ),
    StepForm(
        "notify",
        e.AuthorityNotified,
        "Record the notice to an authority",
        (
            StepField("notice", "Name of the duty"),
            StepField("authority", "Authority"),
            StepField("reference", "Number of the notice"),
        ),
        _plain("AuthorityNotified", notice="notice", authority="authority", reference="reference"),
    ),
    StepForm(
        "add",
        e.EvidenceAdded,
        "Take into evidence",
        (
            StepField("file", "File", "file"),
            StepField("source", "Who or what it comes from"),
            StepField("basis", "Clause", "choice", BASES),
            _note(),
        ),
        None,
    ),
)
BY_VERB: Mapping[str, StepForm] = {form.verb: form for form in FORMS}


def words() -> Iterator[str]:
    """Every word of the forms, for the catalogue."""
    for form in FORMS:
        yield form.button
        for field in form.fields:
            yield field.label
            if field.choices not in (LANGUAGES, BASES):
                yield from (choice.replace("_", " ") for choice in field.choices)

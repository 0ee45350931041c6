"""A dispute as a value: its steps in order, and what they amount to."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from schemas import events as e

Kind = TypeVar("Kind")

HOLD_OF_RAISING = "H1"  # every dispute begins with a hold on its records (8.2, 8.4.6)
HELD_FROM_RAISING = ("video", "events")
# The rulebooks of the Hoiana games, which have the dispute procedure as their section 8.
WITH_SECTION_8 = ("NN", "TB", "TH", "RO")


class Hold(NamedTuple):
    """A legal hold: what it keeps from being deleted, and whether it still does."""

    hold_id: str
    classes: tuple[str, ...]
    reason: str
    placed: e.CaseEvent
    asked: e.CaseEvent | None = None  # somebody wants it to end
    released: e.CaseEvent | None = None  # a second person ended it


class Case(NamedTuple):
    """One dispute. The first step raises it; `after` adds one that `rules` accepted."""

    steps: tuple[e.CaseEvent, ...]

    @property
    def case_id(self) -> str:
        """Its id."""
        return self.steps[0].case_id

    @property
    def table_id(self) -> str:
        """The table of the disputed round."""
        return self.steps[0].table_id

    @property
    def raised(self) -> e.DisputeRaised:
        """The claim, and the round as it was known then."""
        raised = self.steps[0].step
        assert isinstance(raised, e.DisputeRaised)
        return raised

    @property
    def stage(self) -> str:
        """How far it is, in one word."""
        return next(name for name, reached in _STAGES if reached(self))

    @property
    def is_open(self) -> bool:
        """Whether it was not closed yet."""
        return self.last(e.CaseClosed) is None

    @property
    def decision(self) -> e.CaseEvent | None:
        """The decision in force; none before it was made, or where a review set it aside."""
        made = self.last(e.DisputeDecided)
        aside = self._set_aside()
        return made if made and (aside is None or aside.number < made.number) else None

    @property
    def confirmation(self) -> e.CaseEvent | None:
        """The second person's confirmation of the decision in force."""
        return self.since_decision(e.DecisionConfirmed)

    @property
    def told(self) -> e.CaseEvent | None:
        """How the player was told of the decision in force, the last time."""
        return self.since_decision(e.PlayerTold)

    @property
    def unpaid(self) -> tuple[e.CasePayment, ...]:
        """The payments of the decision in force that were not made yet."""
        decided = self.decision.step if self.decision else None
        if not isinstance(decided, e.DisputeDecided):
            return ()
        made = [
            payment
            for event in self.steps
            if isinstance(event.step, e.CorrectionPaid) and event.number > _number(self.decision)
            for payment in event.step.payments
        ]
        return tuple(payment for payment in decided.payments if payment not in made)

    @property
    def complaint(self) -> e.CaseEvent | None:
        """The last formal complaint that was made."""
        return next(
            (
                event
                for event in reversed(self.steps)
                if isinstance(event.step, e.PlayerAssisted) and event.step.complaint_id
            ),
            None,
        )

    @property
    def unreviewed(self) -> e.CaseEvent | None:
        """The complaint that Senior Management has not answered yet."""
        review = self.last(e.DecisionReviewed)
        made = self.complaint
        return made if made and (review is None or review.number < made.number) else None

    @property
    def holds(self) -> tuple[Hold, ...]:
        """Every legal hold, in the order they were placed."""
        return tuple(_holds(self.steps))

    def all(self, kind: type[Kind]) -> list[tuple[e.CaseEvent, Kind]]:
        """Every step of a kind, with its event."""
        return [(event, event.step) for event in self.steps if isinstance(event.step, kind)]

    def last(self, *kinds: type[Any]) -> e.CaseEvent | None:
        """The last step of any of these kinds."""
        return next(
            (event for event in reversed(self.steps) if isinstance(event.step, kinds)), None
        )

    def since_decision(self, kind: type[Any]) -> e.CaseEvent | None:
        """The last step of a kind after the decision in force; none where there is none."""
        found = self.last(kind)
        decided = self.decision
        return found if found and decided and found.number > decided.number else None

    def after(self, event: e.CaseEvent) -> "Case":
        """The case with one more step."""
        return Case((*self.steps, event))

    def clause(self, number: str) -> str:
        """A clause of section 8 as this round's rulebook has it; other rulebooks have none."""
        return f"{self.raised.game}:{number}" if self.raised.game in WITH_SECTION_8 else number

    def _set_aside(self) -> e.CaseEvent | None:
        return next(
            (
                event
                for event in reversed(self.steps)
                if isinstance(event.step, e.DecisionReviewed) and not event.step.stands
            ),
            None,
        )


def fold(events: Iterable[e.CaseEvent]) -> dict[str, Case]:
    """The cases that a stream of steps makes, by id."""
    cases: dict[str, Case] = {}
    for event in events:
        known = cases.get(event.case_id)
        cases[event.case_id] = known.after(event) if known else Case((event,))
    return cases


def _holds(steps: Iterable[e.CaseEvent]) -> Iterator[Hold]:
    found: dict[str, Hold] = {}
    for event in steps:
        match event.step:
            case e.DisputeRaised():
                held = HELD_FROM_RAISING
                found[HOLD_OF_RAISING] = Hold(HOLD_OF_RAISING, held, "a dispute was raised", event)
            case e.HoldPlaced(hold_id=name, classes=classes, reason=reason):
                found[name] = Hold(name, classes, reason, event)
            case e.HoldReleaseAsked(hold_id=name):
                found[name] = found[name]._replace(asked=event)
            case e.HoldReleased(hold_id=name):
                found[name] = found[name]._replace(released=event)
    yield from found.values()


def _number(event: e.CaseEvent | None) -> int:
    return event.number if event else 0


def _is_told(case: Case) -> bool:
    return case.told is not None


# The furthest stage first: the first that holds is the case's.
_STAGES = (
    ("closed", lambda case: not case.is_open),
    ("complained", lambda case: case.unreviewed is not None),
    ("told", _is_told),
    ("settled", lambda case: bool(case.since_decision(e.CorrectionPaid)) and not case.unpaid),
    ("confirmed", lambda case: case.confirmation is not None),
    ("decided", lambda case: case.decision is not None),
    ("set_aside", lambda case: case._set_aside() is not None),
    ("escalated", lambda case: case.last(e.DisputeEscalated) is not None),
    ("answered", lambda case: case.last(e.FirstAnswerGiven) is not None),
    ("raised", lambda _: True),
)

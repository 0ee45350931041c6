"""A remark: one thing the auditor should know, as an audit code and as a step that explains it."""

from collections.abc import Iterator
from typing import NamedTuple

from replay import betting_end
from replay.rounds import Round
from replay.ruled import Flag, Step
from replay.sentence import Prose, say


class Remark(NamedTuple):
    """What was noticed, by which clause, and in which events."""

    code: str  # empty where it is a step only
    clause: str
    text: Prose
    evidence: tuple[str, ...] = ()  # event ids
    subject: str = ""  # a wager, a card, a hand or a shoe; empty for the round itself
    wager: bool = False  # the subject is a wager
    refuses: bool = False  # the wager it concerns was never good

    @property
    def flag(self) -> Flag:
        """The remark as an audit code."""
        return Flag(self.code, self.clause, self.subject, self.text)

    @property
    def step(self) -> Step:
        """The remark as a step of the derivation."""
        wager_id = self.subject if self.wager else ""
        return Step(self.text, (self.clause,), self.evidence, wager_id)


def not_closed(clause: str, round: Round) -> Iterator[Remark]:
    """A round whose outcome was shown although betting on it was never closed."""
    end = round.betting_end
    if end and betting_end.never_closed(round.events, end):
        text = say("shared.betting_never_closed")
        yield Remark("BETTING_NOT_CLOSED", clause, text, evidence=(end.event.event_id,))

"""Everything on file about one round that its report and its pack are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from audit.cases.case import Case
from audit.checks.run import CheckFinding
from audit.evidence import settlement_sheet
from audit.evidence.redaction import Redaction
from audit.evidence.settlement_sheet import SheetRow
from replay.judge import Judgement
from replay.relied_readings import relied


class CameraFrame(NamedTuple):
    """One picture of a camera that a reading of the round was made from."""

    name: str
    picture: bytes
    event_id: str
    sha256: str


WHOLE = Redaction()  # the full edition: it withholds nothing


@dataclass(frozen=True)
class RoundFile:
    """A judged round with its digest, its findings and its case."""

    judged: Judgement
    digest: str  # of everything derived for the round
    findings: tuple[CheckFinding, ...] = ()
    case: Case | None = None
    frames: tuple[CameraFrame, ...] = ()
    hidden: Redaction = WHOLE

    @property
    def party(self) -> str:
        """The player that this edition is for; empty for the full edition."""
        return self.hidden.party

    @cached_property
    def sheet(self) -> tuple[SheetRow, ...]:
        """Due against given, for every wager."""
        return settlement_sheet.sheet(self.judged)

    @cached_property
    def withheld(self) -> frozenset[str]:
        """The wagers whose owner and amounts this edition does not show."""
        others = (row.wager for row in self.sheet if self.party not in ("", row.wager.player_id))
        return frozenset(wager.wager_id for wager in others)

    @cached_property
    def relied(self) -> Mapping[str, Sequence[str]]:
        """Each unclear clause that the round relies on, with the readings that change it."""
        return relied(self.judged)

    @cached_property
    def flagged(self) -> frozenset[str]:
        """The wagers that were not settled as due, or that a finding is about."""
        wrong = {row.wager.wager_id for row in self.sheet if row.difference}
        named = {finding.subject for finding in self.findings}
        return frozenset(wrong | (named & {row.wager.wager_id for row in self.sheet}))

    @cached_property
    def costliest(self) -> CheckFinding | None:
        """The finding with the most money at stake that this edition may show."""
        return max(
            self.shown_findings,
            key=lambda finding: (finding.player_minor + finding.house_minor, finding.certain),
            default=None,
        )

    @cached_property
    def shown_findings(self) -> tuple[CheckFinding, ...]:
        """The findings that this edition may show."""
        own = {row.wager.wager_id for row in self.sheet} - self.withheld
        return tuple(
            finding
            for finding in self.findings
            if not self.hidden.hides_finding(
                (finding.subject, finding.expected, finding.found), own=finding.subject in own
            )
        )

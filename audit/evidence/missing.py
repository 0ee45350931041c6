"""What a pack does not hold, named: nobody should have to notice by himself."""

from collections.abc import Iterator
from typing import NamedTuple

from audit.cases.case import Case
from audit.evidence.gather import PICTURES, SURVEILLANCE, PackMaterial
from replay import words
from replay.sentence import Sentence, say
from schemas import events as e


class MissingItem(NamedTuple):
    """One item of clause 8.4 that is not there."""

    clause: str
    what: str
    sentence: Sentence

    def document(self) -> dict[str, str]:
        """The item as the manifest names it, in every language."""
        spoken = {language: words.text(self.sentence, language) for language in words.LANGUAGES}
        return {"clause": self.clause, "what": self.what} | spoken


def missing(material: PackMaterial) -> tuple[MissingItem, ...]:
    """What clause 8.4 names and the pack does not hold."""
    has_rules = material.file.judged.edition is not None
    found = lacking(material.file.case, has_rules=has_rules, checks_ran=material.checks_ran)
    return tuple(found)


def lacking(case: Case | None, *, has_rules: bool, checks_ran: bool) -> Iterator[MissingItem]:
    """What a pack of this case would not hold."""
    added = [step for _, step in case.all(e.EvidenceAdded)] if case else []
    bases = {step.basis for step in added}
    if not has_rules:
        yield MissingItem("8.4.1", "rules", say("page.missing_rules"))
    if "8.4.3" not in bases:
        yield MissingItem("8.4.3", "procedures", say("page.missing_procedures"))
    if not checks_ran:
        yield MissingItem("8.4.4", "checks", say("page.missing_checks"))
    yield from _accounts(case)
    if not any(step.basis == SURVEILLANCE and step.media_type in PICTURES for step in added):
        yield MissingItem("8.4.6", "camera_frames", say("page.missing_frames"))
    if "8.4.7" not in bases:
        yield MissingItem("8.4.7", "other_evidence", say("page.missing_other"))
    decided = case.decision.step if case and case.decision else None
    if not isinstance(decided, e.DisputeDecided) or not decided.provisions:
        yield MissingItem("8.4.8", "provisions", say("page.missing_provisions"))


def _accounts(case: Case | None) -> Iterator[MissingItem]:
    if case is None:
        yield MissingItem("8.4.5", "case", say("page.missing_case"))
        return
    given = {step.party for _, step in case.all(e.StatementTaken)}
    if "player" not in given:
        yield MissingItem("8.4.5", "player_account", say("page.missing_player_account"))
    if "house" not in given:
        yield MissingItem("8.4.5", "house_account", say("page.missing_house_account"))
    if case.decision is None:
        yield MissingItem("8.4", "decision", say("page.missing_decision"))

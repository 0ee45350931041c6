"""What a pack does not hold, named: nobody should have to notice by himself."""

from collections.abc import Iterator
from typing import NamedTuple

from audit.evidence.gather import PackMaterial
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
    """Everything that clause 8.4 names and the pack does not hold."""
    return tuple(_missing(material))


def _missing(material: PackMaterial) -> Iterator[MissingItem]:
    case, bases = material.file.case, {added.basis for added, _ in material.evidence}
    if material.file.judged.edition is None:
        yield MissingItem("8.4.1", "rules", say("page.missing_rules"))
    if "8.4.3" not in bases:
        yield MissingItem("8.4.3", "procedures", say("page.missing_procedures"))
    if not material.checks_ran:
        yield MissingItem("8.4.4", "checks", say("page.missing_checks"))
    if case is None:
        yield MissingItem("8.4.5", "case", say("page.missing_case"))
    else:
        given = {step.party for _, step in case.all(e.StatementTaken)}
        if "player" not in given:
            yield MissingItem("8.4.5", "player_account", say("page.missing_player_account"))
        if "house" not in given:
            yield MissingItem("8.4.5", "house_account", say("page.missing_house_account"))
        if case.decision is None:
            yield MissingItem("8.4", "decision", say("page.missing_decision"))
    if not material.file.frames:
        yield MissingItem("8.4.6", "camera_frames", say("page.missing_frames"))
    if not any(added.basis == "8.4.7" for added, _ in material.evidence):
        yield MissingItem("8.4.7", "other_evidence", say("page.missing_other"))
    decided = case.decision.step if case and case.decision else None
    if not isinstance(decided, e.DisputeDecided) or not decided.provisions:
        yield MissingItem("8.4.8", "provisions", say("page.missing_provisions"))

"""What an evidence pack of a case holds, clause by clause, and what a party's edition withholds."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from audit.cases.case import Case
from audit.evidence import redaction
from audit.evidence.missing import MissingItem
from replay import words
from replay.locate import LocatedRound
from schemas import events as e

# Clause 8.4, item by item: the folder of the pack, and its name on the page.
ITEMS = (
    ("8.4.1", "8.4.1-", "Approved game rules"),
    ("8.4.2", "8.4.2-", "Published information"),
    ("8.4.3", "8.4.3-", "Approved procedures"),
    ("8.4.4", "8.4.4-", "Internal controls"),
    ("8.4.5", "8.4.5-", "Accounts of both parties"),
    ("8.4.6", "8.4.6-", "Surveillance evidence"),
    ("8.4.7", "8.4.7-", "Other evidence"),
    ("8.4.8", "8.4.8-", "Vietnam law"),
    ("8.4", "decision/", "Decision"),
    ("", "derivation/", "Derivation"),
    ("", "proof/", "Proofs"),
)


class PackItem(NamedTuple):
    """One item of clause 8.4 in a pack."""

    clause: str
    word: str
    files: int
    size: int
    missing: tuple[str, ...]  # in words
    has: tuple[str, ...]  # what the case has for it


class PartyView(NamedTuple):
    """What the edition for a player shows and withholds of the round."""

    party: str
    players: int  # others at the table that day
    shown: tuple[e.OptionLine, ...]
    withheld: tuple[e.OptionLine, ...]


def items(
    case: Case, lacking: Iterable[MissingItem], manifest: Mapping[str, Any], language: str
) -> list[PackItem]:
    """The items from top to bottom; files and sizes once a draft was built."""
    lacking = tuple(lacking)
    files: Mapping[str, Any] = manifest.get("files", {})
    rows = []
    for clause, folder, word in ITEMS:
        own = [told["size"] for name, told in files.items() if name.startswith(folder)]
        spoken = tuple(
            words.text(each.sentence, language) for each in lacking if each.clause == clause
        )
        rows.append(PackItem(clause, word, len(own), sum(own), spoken, tuple(_has(case, clause))))
    return rows


def _has(case: Case, clause: str) -> Iterable[str]:
    for _, added in case.all(e.EvidenceAdded):
        if added.basis == clause:
            yield f"{added.evidence_id} {added.name}"
    if clause == "8.4.5":
        for _, taken in case.all(e.StatementTaken):
            yield f"{taken.given_by} ({taken.language or '–'})"
    decided = case.decision.step if case.decision else None
    if clause == "8.4.8" and isinstance(decided, e.DisputeDecided):
        yield from decided.provisions


def party_view(found: LocatedRound, lines: tuple[e.OptionLine, ...], party: str) -> PartyView:
    """The round as the party's edition shows it."""
    events = [event for round in found.day for event in round.events]
    hidden = redaction.redaction(party, events)
    own = tuple(line for line in lines if line.wager_id not in hidden.wagers)
    others = tuple(line for line in lines if line.wager_id in hidden.wagers)
    return PartyView(party, len(hidden.players), own, others)

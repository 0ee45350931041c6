"""Packs that were built in the console: their files, what the verifier said, who may hand them out.

A pack leaves the house by two people: one asks, another approves (R20). It can be downloaded after
that, and only while it verifies.
"""

import hashlib
import json
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from audit.cases.case import Case
from audit.console.store import ConsoleStore
from audit.evidence.build import VERIFIER, BuiltPack, build
from audit.evidence.gather import gather
from audit.house import seal
from ingest.disk import Disk
from ingest.seal.proof import NotSealed

FOLDER = "packs"
LANGUAGES = ("en", "vi")
LONGEST_S = 300
US = 1_000_000


class ExportRefused(Exception):
    """A pack may not be handed out; the text says what was expected, and is filled last."""

    def __init__(self, text: str, **values: str) -> None:
        super().__init__(text % values if values else text)
        self.text, self.values = text, values


class PackDraft(NamedTuple):
    """One pack that was built for a case."""

    pack_id: str
    case_id: str
    party: str
    sha256: str
    size: int
    steps: int
    built_by: str
    built_at: float
    code: int
    said: str
    asked_by: str = ""
    asked_at: float = 0.0
    reason: str = ""
    approved_by: str = ""
    approved_at: float = 0.0

    @property
    def verified(self) -> bool:
        """Whether the verifier proved it."""
        return self.code == 0


KEEP = (  # every column of the table
    "replace into packs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Drafts:
    """The packs of a house's console."""

    def __init__(self, store: ConsoleStore, home: Path, now: Callable[[], float]) -> None:
        self._store, self._home, self._now = store, home, now

    def build(self, case: Case, party: str, zone: str, who: str) -> PackDraft:
        """Build a pack and verify it; what no checkpoint covers yet is sealed first."""
        made = self._built(case.case_id, party, zone)
        sha256 = hashlib.sha256(made.body).hexdigest()
        known = self.named(case.case_id, made.pack_id)
        path = self.path(made.pack_id)
        path.parent.mkdir(mode=0o750, exist_ok=True)
        path.unlink(missing_ok=True)
        Disk().create(path, made.body)
        if known and known.sha256 == sha256:  # the same bytes: what was asked and approved stays
            return self.verify(known)
        code, said = verified(path)
        draft = PackDraft(
            *(made.pack_id, case.case_id, party, sha256, len(made.body), len(case.steps)),
            *(who, self._now(), code, said),
        )
        with self._store.writing() as db:
            db.execute(KEEP, draft)
        return draft

    def verify(self, draft: PackDraft) -> PackDraft:
        """Verify a pack again, as its file is now."""
        code, said = verified(self.path(draft.pack_id))
        with self._store.writing() as db:
            db.execute(
                "update packs set code = ?, said = ? where pack_id = ?", (code, said, draft.pack_id)
            )
        return draft._replace(code=code, said=said)

    def ask(self, draft: PackDraft, who: str, reason: str) -> None:
        """Ask to hand a pack out."""
        if not draft.verified:
            raise ExportRefused("a verified pack expected, this one is not")
        if not reason:
            raise ExportRefused("the reason and the receiver expected, nothing found")
        if draft.asked_by:
            raise ExportRefused(
                "a pack that nobody asked for expected, %(who)s did", who=draft.asked_by
            )
        with self._store.writing() as db:
            db.execute(
                "update packs set asked_by = ?, asked_at = ?, reason = ? where pack_id = ?",
                (who, self._now(), reason, draft.pack_id),
            )

    def approve(self, draft: PackDraft, who: str) -> None:
        """Approve it as the second person."""
        if not draft.asked_by:
            raise ExportRefused("a pack that somebody asked for expected, nobody did")
        if draft.approved_by:
            raise ExportRefused(
                "a pack that waits expected, %(who)s approved it", who=draft.approved_by
            )
        if draft.asked_by == who:
            raise ExportRefused(
                "a second person expected, %(person)s asked for it (R20)", person=who
            )
        with self._store.writing() as db:
            db.execute(
                "update packs set approved_by = ?, approved_at = ? where pack_id = ?",
                (who, self._now(), draft.pack_id),
            )

    def body(self, draft: PackDraft) -> bytes:
        """The bytes to hand out: approved, and still what was approved."""
        if not draft.approved_by:
            raise ExportRefused("a second person's approval expected, none found (R20)")
        body = self.path(draft.pack_id).read_bytes()
        if hashlib.sha256(body).hexdigest() != draft.sha256:
            raise ExportRefused("SHA-256 %(hash)s expected, another found", hash=draft.sha256)
        return body

    def of_case(self, case_id: str) -> list[PackDraft]:
        """The packs of a case, the newest first."""
        with self._store.reading() as db:
            rows = db.execute(
                "select * from packs where case_id = ? order by built_at desc", (case_id,)
            ).fetchall()
        return [_draft(row) for row in rows]

    def named(self, case_id: str, pack_id: str) -> PackDraft | None:
        """One pack of a case."""
        return next((each for each in self.of_case(case_id) if each.pack_id == pack_id), None)

    def path(self, pack_id: str) -> Path:
        """Where the file of a pack lies."""
        return self._store.path.parent / FOLDER / f"{pack_id}.zip"

    def _built(self, name: str, party: str, zone: str) -> BuiltPack:
        try:
            material = gather(self._home, name, party)
        except NotSealed:
            seal.seal_now(self._home, int(self._now() * US))
            material = gather(self._home, name, party)
        return build(self._home, material, LANGUAGES, zone)


def verified(path: Path) -> tuple[int, str]:
    """What the verifier that every pack carries says of a pack, run as a program of its own."""
    asked = [sys.executable, "-I", str(VERIFIER), str(path)]
    ran = subprocess.run(  # noqa: S603  (our own program)
        asked, capture_output=True, text=True, check=False, timeout=LONGEST_S
    )
    return ran.returncode, ran.stdout.strip() or ran.stderr.strip()


def manifest(path: Path) -> dict[str, Any]:
    """The manifest of a pack; empty where its file is not one any more."""
    try:
        with zipfile.ZipFile(path) as pack:
            found: dict[str, Any] = json.loads(pack.read("manifest.json"))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return {}
    return found


def report(path: Path, language: str) -> bytes:
    """The report of a pack in a language."""
    with zipfile.ZipFile(path) as pack:
        return pack.read(f"report.{language}.pdf")


def _draft(row: sqlite3.Row) -> PackDraft:
    return PackDraft(*tuple(row))

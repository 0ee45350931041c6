"""Builds an evidence pack: every file of clause 8.4, the manifest and the signature in one zip."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit.cases import case_log
from audit.drawing.felt import felt
from audit.drawing.theme import PAPER
from audit.evidence import certificates, manifest, pack_texts, settlement_file
from audit.evidence.canonical_zip import zipped
from audit.evidence.derivation_file import derivation
from audit.evidence.event_files import (
    Files,
    event_files,
    json_bytes,
    json_lines,
    leaves,
    payload,
    schemas,
    step_files,
)
from audit.evidence.gather import PackMaterial, check_ids
from audit.evidence.missing import MissingItem, missing
from audit.evidence.report import document as report_document
from audit.evidence.report import readings
from audit.evidence.report.pdf import pdf
from audit.evidence.report.report_text import ReportText, unmarked
from audit.evidence.rule_files import rule_files
from audit.house import seal
from audit.pages.finding import document as finding_document
from ingest.log import EVENTS
from ingest.seal import keys
from ingest.seal.note import COSIGNS, PublicKey
from replay import words
from replay.sentence import say
from schemas import codec
from schemas import events as e

SURVEILLANCE, PROOF = "8.4.6-surveillance", "proof"
VERIFIER = Path(__file__).with_name("verify.py")
SECONDS = 1_000_000  # microseconds


class BuiltPack(NamedTuple):
    """A pack: its id, its bytes, its files, and what it does not hold."""

    pack_id: str
    body: bytes
    files: Mapping[str, bytes]
    missing: tuple[MissingItem, ...]


def build(home: Path, material: PackMaterial, languages: Sequence[str], zone: str) -> BuiltPack:
    """The pack of what was gathered; the same record gives the same bytes."""
    key = seal.signing_key(home)
    said = manifest.head(material, languages)
    name = manifest.pack_id(said)
    lacking = missing(material)
    derived = derivation(material)
    files: Files = {
        "verify.py": VERIFIER.read_bytes(),
        "key.pem": keys.pem(key.public).encode(),
        **rule_files(material),
        **_controls(material),
        **_accounts(material),
        **_surveillance(material, derived),
        **_evidence(material),
        **_derivation(material, derived),
        **_dispute(material),
        **dict(_proofs(home, material)),
        "process/process.json": json_bytes(certificates.process(material)),
        "custody/custody.jsonl": json_lines(_custody(material)),
    }
    for language in languages:
        files |= _texts(material, language, name, key.public)
        files[f"report.{language}.pdf"] = _report(material, language, zone, name, lacking)
    counts = _counts(material)
    body = manifest.manifest(said, files, counts, lacking, key.public)
    files |= {manifest.NAME: body, manifest.SIGNATURE: key.signature(body)}
    return BuiltPack(name, zipped(files), files, lacking)


def _surveillance(material: PackMaterial, derived: Mapping[str, Any]) -> Files:
    """8.4.6: the events of the round and its neighbours, readings, coverage and clocks."""
    span, hidden = material.span, material.hidden
    page = ReportText(material.file, "en", "UTC")
    tables = [
        {"title": table["title"], "head": table["head"], "rows": unmarked(table["rows"])}
        for table in readings.tables(page)
    ]
    doubts = codec.to_json(derived["doubts"])
    return {
        **event_files(SURVEILLANCE, "events", span.records, hidden),
        **event_files(SURVEILLANCE, "context", span.context, hidden),
        **{f"{SURVEILLANCE}/schemas/{name}": text for name, text in schemas(span.records)},
        f"{SURVEILLANCE}/readings.json": json_bytes({"tables": tables, "doubts": doubts}),
        f"{SURVEILLANCE}/coverage.json": json_bytes(certificates.coverage(material)),
        f"{SURVEILLANCE}/clocks.json": json_bytes(certificates.clocks(material)),
    }


def _controls(material: PackMaterial) -> Files:
    """8.4.4: who was on duty in which rank, which checks ran over the round, and what they say."""
    found = {finding.check_id for finding in material.file.shown_findings}
    nothing = None if material.hidden.party else False  # it may find what this edition withholds
    checks = [
        {"check": check, "finds": check in found or nothing}
        for check in (check_ids() if material.checks_ran else ())
    ]
    return {
        "8.4.4-controls/staff.json": json_bytes(dict(material.file.judged.round.staff)),
        "8.4.4-controls/checks.json": json_bytes(checks),
    }


def _accounts(material: PackMaterial) -> Files:
    """8.4.5: the statements of both parties, as they were taken down."""
    case = material.file.case
    taken = case.all(e.StatementTaken) if case else []
    rows = [
        {"number": event.number, "by": event.person_id, "done_at": str(event.done_at)}
        | codec.to_json(step)
        for event, step in taken
        if not material.hidden.hides(step)
    ]
    return {"8.4.5-accounts/statements.jsonl": json_lines(rows)}


def _evidence(material: PackMaterial) -> Files:
    """The files of the case, under the clause that they were taken in for (8.4.3 to 8.4.8)."""
    folders = {
        "8.4.3": "8.4.3-procedures",
        "8.4.4": "8.4.4-controls",
        "8.4.6": f"{SURVEILLANCE}/frames",
        "8.4.8": "8.4.8-law",
    }
    if material.hidden.party:
        return {}  # nobody has looked whether a picture shows somebody else
    return {
        f"{folders.get(added.basis, '8.4.7-other')}/{added.evidence_id}{_suffix(added)}": body
        for added, body in material.evidence
    }


def _suffix(added: e.EvidenceAdded) -> str:
    """The file's own ending where it is plain letters; the name itself is never used."""
    ending = Path(added.name).suffix
    return ending.lower() if ending[1:].isalnum() and ending.isascii() else ""


def _derivation(material: PackMaterial, derived: Mapping[str, Any]) -> Files:
    hidden = material.file
    picture = felt(hidden.judged, theme=PAPER, flagged=hidden.flagged, withheld=hidden.withheld)
    found = [finding_document(finding) for finding in hidden.shown_findings]
    return {
        "derivation/derivation.json": json_bytes(derived),
        "derivation/settlement.json": json_bytes(settlement_file.settlement(material)),
        "derivation/findings.json": json_bytes(found),
        "derivation/felt.svg": picture.encode(),
    }


def _dispute(material: PackMaterial) -> Files:
    """The steps of the case, and the decision in force."""
    case = material.file.case
    if case is None:
        return {}
    files = step_files("decision", material.case_records, material.hidden)
    decided = case.decision
    if decided and not material.hidden.hides(decided.step):
        files["decision/decision.json"] = json_bytes(_strings(codec.to_json(decided)))
    step = decided.step if decided else None
    provisions = step.provisions if isinstance(step, e.DisputeDecided) else ()
    return files | {"8.4.8-law/provisions.json": json_bytes(list(provisions))}


def _proofs(home: Path, material: PackMaterial) -> Iterator[tuple[str, bytes]]:
    """Everything that leads from the events and the steps to the signed checkpoint."""
    proofs, span = material.proofs, material.span
    yield f"{PROOF}/leaves.txt", leaves(span.records)
    yield f"{PROOF}/events.lane-proof", proofs.span(span.table, span.start, span.end).text.encode()
    yield f"{PROOF}/events.tlog-proof", proofs.lane_head(span.table).text.encode()
    yield f"{PROOF}/checkpoint", proofs.note.encode()
    yield f"{PROOF}/context.tlog-proof", proofs.lane_head(span.table).text.encode()
    yield f"{PROOF}/context-leaves.txt", leaves(span.context)
    for n, record in enumerate(span.context, 1):
        path = f"{PROOF}/context-{n}.lane-proof"
        yield path, proofs.inclusion(span.table, record.offset, EVENTS).text.encode()
    if material.case_records:
        head = proofs.lane_head(span.table, case_log.STREAM)
        yield f"{PROOF}/case.tlog-proof", head.text.encode()
        yield f"{PROOF}/case-leaves.txt", leaves(material.case_records)
    for n, record in enumerate(material.case_records, 1):
        path = f"{PROOF}/case-{n}.lane-proof"
        text = proofs.inclusion(span.table, record.offset, case_log.STREAM).text
        yield path, text.encode()
    older = proofs.before()
    if older:
        yield f"{PROOF}/older-checkpoint", older.note.encode()
        yield f"{PROOF}/consistency", proofs.consistency(older.head.size).encode()
    folder = seal.key_folder(home)
    witnesses = "".join(f"{key.vkey}\n" for key in keys.trusted(folder, COSIGNS))
    yield f"{PROOF}/witnesses.txt", witnesses.encode()
    known = "".join(f"{key.vkey}\n" for key in keys.public_keys(folder))
    yield f"{PROOF}/keys.txt", known.encode()
    notes = keys.rotations(folder)
    if notes:
        yield f"{PROOF}/rotations", "\n".join(str(each) for each in notes).encode()


def _custody(material: PackMaterial) -> Iterator[dict[str, object]]:
    """Who had the evidence in hand: what the case took in, and who asked to see it, by time."""
    case = material.file.case
    found = []
    for event in case.steps if case else ():
        if isinstance(event.step, e.EvidenceAdded | e.StatementTaken | e.HoldPlaced):
            step = codec.to_json(event.step)
            row = {"what": type(event.step).__name__, "sha256": step.get("sha256", "")}
            found.append((event.done_at, event.person_id, event.rank, row))
    for made in material.accesses:
        row = {"what": made.action, "command": made.command, "number": str(made.number)}
        found.append((made.recorded_at, made.person_id, made.rank, row))
    for at, person, rank, row in sorted(found, key=lambda entry: entry[0]):
        yield {"at": str(at), "by": person, "rank": rank} | row


def _texts(material: PackMaterial, language: str, name: str, key: PublicKey) -> Files:
    made = certificates.process(material)
    round = material.file.judged.round
    hidden = material.hidden.party
    edition = words.text(say("page.pack_of_party", player=hidden), language) if hidden else ""
    values = {"pack": name, "key": key.vkey, "edition": edition}
    verify = pack_texts.filled(
        "VERIFY",
        language,
        round=round.round_id,
        table=round.table_id,
        file=f"{name}.zip",
        **values,
    )
    statement = pack_texts.filled(
        "statement",
        language,
        version=str(made["version"]),
        code=str(made["code_sha256"]),
        rulebook=str(made["rulebook"]),
        edition_number=str(made["edition"]),
        digest=str(made["run_sha256"]),
        second=str(made["second_run_sha256"]),
        **values,
    )
    return {f"VERIFY.{language}.md": verify, f"process/statement.{language}.md": statement}


def _report(
    material: PackMaterial, language: str, zone: str, name: str, lacking: Sequence[MissingItem]
) -> bytes:
    file = material.file
    spoken = tuple(words.text(item.sentence, language) for item in lacking)
    made = report_document.document(file, language, zone, name, spoken)
    picture = felt(
        file.judged,
        theme=PAPER,
        language=language,
        flagged=file.flagged,
        withheld=file.withheld,
    )
    frames = {} if file.party else {frame.name: frame.picture for frame in file.frames}
    if file.party:
        made["frames"] = []
    qr = f"{name}\n{file.judged.round.round_id}\n{file.digest}\n{material.proofs.head.text}"
    as_of = material.event(material.span.end - 1).occurred_at // SECONDS
    return pdf(made, picture, frames, qr, as_of)


def _counts(material: PackMaterial) -> dict[str, int]:
    records, hidden = material.span.records, material.hidden
    case = material.file.case
    return {
        "events": len(records),
        "withheld": sum(hidden.hides(payload(record)) for record in records),
        "context": len(material.span.context),
        "frames": 0 if hidden.party else len(material.file.frames),
        "evidence": 0 if hidden.party else len(material.evidence),
        "statements": len(case.all(e.StatementTaken)) if case else 0,
        "steps": len(material.case_records),
    }


def _strings(value: object) -> object:
    """JSON values with every whole number as text, as amounts need it."""
    if isinstance(value, dict):
        return {key: _strings(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_strings(part) for part in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

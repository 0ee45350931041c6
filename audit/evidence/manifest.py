"""The manifest of a pack: every file with its hash and size, what is missing, and the signature."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from audit.evidence.event_files import json_bytes
from audit.evidence.gather import PackMaterial
from audit.evidence.missing import MissingItem
from ingest.seal.note import PublicKey

FORMAT = "roundproof-pack/1"
NAME, SIGNATURE = "manifest.json", "manifest.sig"
ID_DIGITS = 16


def head(material: PackMaterial, languages: Sequence[str]) -> dict[str, Any]:
    """What the pack is about; its id is the hash of this."""
    round, case, signed = material.file.judged.round, material.file.case, material.proofs.head
    return {
        "format": FORMAT,
        "edition": "party" if material.hidden.party else "full",
        "party": material.hidden.party,
        "languages": list(languages),
        "subject": {
            "round": round.round_id,
            "table": round.table_id,
            "gaming_day": round.gaming_day,
            "case": case.case_id if case else "",
        },
        "span": {
            "table": material.span.table,
            "start": material.span.start,
            "end": material.span.end,
        },
        "checkpoint": {
            "origin": signed.origin,
            "size": signed.size,
            "root": base64.b64encode(signed.root).decode(),
        },
        "round_digest": material.file.digest,
    }


def pack_id(said: Mapping[str, Any]) -> str:
    """The id of a pack: the same for the same edition of the same record."""
    return f"rp-{hashlib.sha256(json_bytes(dict(said))).hexdigest()[:ID_DIGITS]}"


def manifest(
    said: Mapping[str, Any],
    files: Mapping[str, bytes],
    counts: Mapping[str, int],
    missing: Sequence[MissingItem],
    key: PublicKey,
) -> bytes:
    """The manifest of these files."""
    return json_bytes(
        dict(said)
        | {
            "pack": pack_id(said),
            "counts": dict(counts),
            "key": {
                "name": key.name,
                "id": key.id.hex(),
                "ed25519": key.key.hex(),
                "vkey": key.vkey,
            },
            "files": {
                name: {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
                for name, body in files.items()
            },
            "missing": [item.document() for item in missing],
        }
    )

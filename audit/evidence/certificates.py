"""What a pack certifies of the record: that it is whole, how far clocks may err, how it was made.

A gap is named, never filled: a device sequence that did not come, a device that was silent longer
than its beat promises, a camera whose view was disturbed (M15).
"""

import hashlib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import pairwise
from typing import Any

from audit.evidence.gather import PackMaterial, check_ids
from audit.evidence.rule_files import rules_text
from replay.tables import code_hash
from schemas import avro
from schemas import events as e

PATIENCE = 2  # beats that may be missing before a device counts as silent
TO_MICROS = 1_000_000


def coverage(material: PackMaterial) -> dict[str, Any]:
    """Whether anything is missing from the span: sequences, beats, camera views."""
    spanned = _spanned(material)
    devices = [_device(material, name) for name in sorted({at.device_id for at in spanned})]
    gaps = [gap for device in devices for gap in device["gaps"]]
    gaps += _alarms(spanned)
    return {
        "table": material.span.table,
        "start": material.span.start,
        "end": material.span.end,
        "events": len(material.span.records),
        "sequence": "complete: every sequence from start to end is in the pack or withheld in it",
        "from": str(spanned[0].occurred_at),
        "to": str(spanned[-1].occurred_at),
        "devices": devices,
        "gaps": gaps,
        "complete": not gaps,
    }


def clocks(material: PackMaterial) -> dict[str, Any]:
    """How far each device's clock may err, and what was seen of it."""
    found = []
    spanned = _spanned(material)
    for name in sorted({event.device_id for event in spanned}):
        own = [event for event in spanned if event.device_id == name]
        day = [event for event in material.day if event.device_id == name]
        beats = [event.payload for event in day if isinstance(event.payload, e.DeviceBeat)]
        delays = [event.ingested_at - event.occurred_at for event in own]
        found.append(
            {
                "device": name,
                "kind": own[0].device_kind,
                "events": len(own),
                "err_ms": max(event.err_ms for event in own),
                "offset_ms": max((abs(beat.offset_ms) for beat in beats), default=None),
                "arrived_after_us": [str(min(delays)), str(max(delays))],
            }
        )
    steps = [
        {"device": event.payload.clock_device, "step_ms": str(event.payload.step_ms)}
        for event in material.day
        if isinstance(event.payload, e.ClockStepped)
    ]
    return {"devices": found, "clocks_that_ran_back": steps, "times": "UTC microseconds"}


def process(material: PackMaterial) -> dict[str, Any]:
    """How the derivation was made, so that others can make it again: versions and hashes."""
    edition = material.file.judged.edition
    return {
        "product": "roundproof",
        "version": version("roundproof"),
        "code_sha256": code_hash.of_rows(),
        "schema": avro.FINGERPRINT,
        "rulebook": edition.code if edition else "",
        "edition": edition.number if edition else "",
        "rulebook_sha256": rules_sha256(material),
        "run_sha256": material.file.digest,
        "second_run_sha256": material.second_digest,
        "runs_agree": material.file.digest == material.second_digest,
        "checks": list(check_ids()),
    }


def rules_sha256(material: PackMaterial) -> str:
    """The hash of the rule text in force."""
    edition = material.file.judged.edition
    return hashlib.sha256(rules_text(edition)).hexdigest() if edition else ""


def _spanned(material: PackMaterial) -> list[e.Event]:
    first = material.day[0].seq
    return list(material.day[material.span.start - first : material.span.end - first])


def _device(material: PackMaterial, name: str) -> dict[str, Any]:
    """One device over the span: its numbers, its beats, and what is missing of either."""
    own = [event for event in _spanned(material) if event.device_id == name]
    numbers = sorted(event.device_seq for event in own)
    return {
        "device": name,
        "kind": own[0].device_kind,
        "events": len(own),
        "first_number": numbers[0],
        "last_number": numbers[-1],
        "gaps": [*_missing(name, numbers), *_silences(material, name)],
    }


def _missing(name: str, numbers: Sequence[int]) -> Iterator[dict[str, Any]]:
    for before, after in pairwise(numbers):
        if after > before + 1:
            yield {"device": name, "what": "numbers", "from": before + 1, "to": after - 1}


def _silences(material: PackMaterial, name: str) -> Iterator[dict[str, Any]]:
    """Times within the span at which a device that beats was silent for too long."""
    spanned = _spanned(material)
    begun, ended = spanned[0].occurred_at, spanned[-1].occurred_at
    day = [event for event in material.day if event.device_id == name]
    beats = [event.payload for event in day if isinstance(event.payload, e.DeviceBeat)]
    if not beats:
        return
    allowed = beats[0].interval_s * (PATIENCE + 1) * TO_MICROS
    times = sorted(event.occurred_at for event in day)
    for before, after in pairwise(times):
        if after - before > allowed and after > begun and before < ended:
            yield {"device": name, "what": "silent", "from": str(before), "to": str(after)}


def _alarms(events: Sequence[e.Event]) -> Iterator[dict[str, Any]]:
    """Gaps that the gateway found, and camera views that were disturbed, within the span."""
    for event in events:
        match event.payload:
            case e.GapFound(gap_device=device, expected=expected, found=found):
                yield {"device": device, "what": "numbers", "from": expected, "to": found - 1}
            case e.CameraDisturbed(kind=kind):
                yield {
                    "device": event.device_id,
                    "what": f"view {kind}",
                    "from": str(event.occurred_at),
                    "to": str(event.occurred_at),
                }

"""Round sheets: one round as a person writes it down, and the answer to it.

A sheet is the posted terms plus the round's events without their envelope (docs/round-sheets.md).
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from replay.judge import Judgement
from replay.rounds import Round, Shoe, fold
from replay.ruling import Memory
from replay.settle import Due
from schemas import avro, shape
from schemas import events as e

TABLE, DAY, ROUND = "T1", "2026-03-01", "R1"
KEYS = frozenset({"round", "table", "gaming_day", "terms", "shoe", "carry", "events"})

# What stands before a round: such events come first, and the round opens after them.
BEFORE = (e.ShoeLoaded, e.CardsBurned, e.CardsShuffled, e.StaffCameOn, e.ColourChipsIssued)


class Sheet(NamedTuple):
    """A round and what the rounds before it left behind."""

    round: Round
    memory: Memory


def read(value: Any) -> Sheet:
    """The sheet a JSON object describes; shape.Refused says where it is wrong."""
    if not isinstance(value, dict):
        raise shape.Refused("wrong_type", "sheet", "an object", type(value).__name__)
    for key in sorted(set(value) - KEYS):
        raise shape.Refused(
            "unknown_field", f"sheet.{key}", f"one of {', '.join(sorted(KEYS))}", key
        )
    if not isinstance(value.get("terms"), dict):
        raise shape.Refused("missing_field", "sheet.terms", "the posted terms", "nothing")
    if not isinstance(value.get("events"), list):
        raise shape.Refused("missing_field", "sheet.events", "a list of events", "nothing")
    terms = shape.payload({"type": "TermsPosted", **value["terms"]}, "sheet.terms")
    said = [shape.payload(item, f"sheet.events[{n}]") for n, item in enumerate(value["events"])]
    table, name = str(value.get("table", TABLE)), str(value.get("round", ROUND))
    day = str(value.get("gaming_day", DAY))
    payloads = [e.TableOpened(day), terms, *_opened(said)]
    events = [_event(table, name, seq, payload) for seq, payload in enumerate(payloads)]
    rounds = list(fold(day, events))
    if len(rounds) != 1:
        raise shape.Refused("bad_value", "sheet.events", "one round", f"{len(rounds)} rounds")
    return Sheet(_with_shoe(rounds[0], value.get("shoe")), dict(value.get("carry") or {}))


def answer(judged: Judgement) -> dict[str, Any]:
    """The judged round as plain JSON values; amounts are whole minor units."""
    ruled = judged.ruled
    return {
        "round": judged.round.round_id,
        "table": judged.round.table_id,
        "status": ruled.status,
        "outcome": ruled.outcome,
        "result": ruled.result,
        "clauses": list(ruled.clauses),
        "facts": sorted(ruled.facts),
        "lines": [_line(due) for due in judged.dues],
        "flags": [flag._asdict() for flag in judged.flags],
        "pay_order": list(ruled.pay_order),
        "readings": dict(sorted(ruled.readings.items())),
        "carry": dict(sorted(ruled.memory.items())),
    }


def _line(due: Due) -> dict[str, Any]:
    row: dict[str, Any] = due._asdict()
    row |= {"action": str(due.action), "clauses": list(due.clauses), "flags": list(due.flags)}
    return row | {"back": due.back}


def _opened(said: list[e.Payload]) -> list[e.Payload]:
    if any(isinstance(payload, e.RoundOpened) for payload in said):
        return said
    ahead = next((n for n, p in enumerate(said) if not isinstance(p, BEFORE)), len(said))
    return [*said[:ahead], e.RoundOpened(), *said[ahead:]]


def _event(table: str, name: str, seq: int, payload: e.Payload) -> e.Event:
    inside = name if isinstance(payload, e.RoundOpened) else None
    return e.Event(
        event_id=f"{table}/sheet/{seq}",
        table_id=table,
        seq=seq,
        device_kind="sheet",
        device_id="sheet",
        device_seq=seq,
        occurred_at=0,
        err_ms=0,
        ingested_at=0,
        schema=avro.FINGERPRINT,
        prev_hash=bytes(32),
        payload=payload,
        round_id=inside,
    )


def _with_shoe(round: Round, stated: Mapping[str, Any] | None) -> Round:
    """The round with the state of its shoe as the sheet says, where it says anything."""
    if stated is None:
        return round
    known = {field.name for field in fields(Shoe)} - {"burn"}
    for key in sorted(set(stated) - known):
        raise shape.Refused(
            "unknown_field", f"sheet.shoe.{key}", f"one of {', '.join(sorted(known))}", key
        )
    shoe = round.shoe or Shoe("shoe", 0, shuffled=True, burned=True)
    return replace(round, shoe=replace(shoe, **stated))

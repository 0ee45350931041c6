"""Framing: the bytes before a message's body that name the schema it was written with.

    Avro single object    C3 01 | fingerprint, 8 bytes | body
    Confluent             00    | registry's number, 4 bytes, big-endian | body

The fingerprint is CRC-64-AVRO, https://avro.apache.org/docs/1.12.0/specification/#single-object-encoding.
Only a schema registry knows what a number stands for, so ingest/kafka/confluent_framing.py asks it.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, NoReturn

from ingest.log import MAX_BODY
from schemas import avro, contract, lock
from schemas.shape import Refused

MARKER = b"\xc3\x01"
HEADER = 10  # bytes before the body
CONFLUENT_MARKER = b"\x00"
CONFLUENT_HEADER = 5
# What messages hold.
FRAMED = (
    "Event", "Reading", "DeadLetter", "Finding", "DerivedRound", "CaseEvent", "AccessRecorded",
    "CheckpointSigned",
)  # fmt: skip

Unframe = Callable[[bytes], tuple[str, bytes]]


class Framing(NamedTuple):
    """A pair of functions: body and fingerprint to message, and back."""

    frame: Callable[[bytes, str], bytes]
    unframe: Unframe


def frame(body: bytes, fingerprint: str) -> bytes:
    """A single object: the marker, the fingerprint of the schema, and the body."""
    return MARKER + bytes.fromhex(fingerprint) + body


def unframe(value: bytes) -> tuple[str, bytes]:
    """The fingerprint and the body of a message; Refused where it is not framed or not ours."""
    bounded(value)
    fingerprint, body = split(value)
    return known(fingerprint), body


def split(
    value: bytes, where: str = "message", not_framed: str = "not_framed"
) -> tuple[str, bytes]:
    """The fingerprint and the body of a single object, whether or not the fingerprint is ours.

    A refusal names `where`; its code is `not_framed` where the marker is missing.
    """
    if value[:2] != MARKER[: len(value)]:
        found = value[:2].hex(" ").upper()
        raise Refused(not_framed, where, "an Avro single object (C3 01)", found)
    if len(value) < HEADER:
        raise Refused("truncated", where, f"{HEADER} bytes of header", str(len(value)))
    return value[2:HEADER].hex(), value[HEADER:]


def bounded(value: bytes) -> None:
    """Refuse a message that is empty, or longer than any of ours."""
    if not value:
        refuse("empty", "a framed body", "nothing")
    if len(value) > MAX_BODY + HEADER:
        refuse("too_large", f"at most {MAX_BODY + HEADER} bytes", str(len(value)))


def known(fingerprint: str) -> str:
    """The fingerprint; Refused unless schemas.lock holds it."""
    if fingerprint not in _schemas():
        refuse("unknown_schema", "a fingerprint of schemas.lock", fingerprint)
    return fingerprint


def fingerprints() -> frozenset[str]:
    """The fingerprints of every schema that a message may have."""
    return frozenset(_schemas())


def schema_of(fingerprint: str) -> contract.Record:
    """The schema of a fingerprint, self-contained, for any Avro library."""
    return _schemas()[fingerprint]


def refuse(code: str, expected: str, found: str) -> NoReturn:
    """Raise Refused for a message."""
    raise Refused(code, "message", expected, found)


SINGLE_OBJECT = Framing(frame, unframe)


@cache
def _schemas() -> dict[str, contract.Record]:
    held = lock.installed()
    contracts = [held.records(version.number) for version in held.versions] + [avro.RECORDS]
    found = [contract.whole(name, each) for each in contracts for name in FRAMED if name in each]
    return {contract.fingerprint(schema): schema for schema in found}

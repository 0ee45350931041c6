"""Dead letters: messages that were refused, each with its reason and its bytes."""

import hashlib
from io import BytesIO
from typing import Any

import fastavro

from schemas import avro, contract
from schemas.events import DeadLetter
from schemas.shape import Refused

SCHEMA = fastavro.parse_schema(contract.whole("DeadLetter", avro.RECORDS))
FINGERPRINT = contract.fingerprint(SCHEMA)
FIELDS = tuple(field["name"] for field in avro.RECORDS["DeadLetter"]["fields"])


def letter(
    why: Refused, body: bytes, size: int, *, source: str, position: int, received_at: int
) -> DeadLetter:
    """The letter for refused bytes; `size` counts them all, where `body` is only their start."""
    return DeadLetter(
        reason=why.code,
        where=why.where,
        expected=why.expected,
        found=why.found,
        source=source,
        position=position,
        received_at=received_at,
        size=size,
        body=body,
    )


def encode(letter: DeadLetter) -> bytes:
    """The letter's Avro bytes."""
    stream = BytesIO()
    fastavro.schemaless_writer(stream, SCHEMA, {name: getattr(letter, name) for name in FIELDS})
    return stream.getvalue()


def decode(body: bytes) -> DeadLetter:
    """The letter that a record of our own log holds."""
    raw: Any = fastavro.schemaless_reader(BytesIO(body), SCHEMA, None)
    return DeadLetter(**raw)


def digest(letter: DeadLetter) -> bytes:
    """An id: the same for the same bytes from the same place, so a second import adds nothing."""
    origin = f"{letter.source}\n{letter.position}\n{letter.size}\n".encode()
    return hashlib.blake2b(origin + letter.body, digest_size=8).digest()

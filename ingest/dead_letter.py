"""Dead letters: what could not be read, as Avro bytes and back."""

import hashlib
from io import BytesIO
from typing import Any

import fastavro

from schemas import avro, contract
from schemas.events import DeadLetter

SCHEMA = fastavro.parse_schema(contract.whole("DeadLetter", avro.RECORDS))
FINGERPRINT = contract.fingerprint(SCHEMA)
FIELDS = tuple(field["name"] for field in avro.RECORDS["DeadLetter"]["fields"])


def encode(letter: DeadLetter) -> bytes:
    """The letter's Avro bytes."""
    stream = BytesIO()
    fastavro.schemaless_writer(stream, SCHEMA, {name: getattr(letter, name) for name in FIELDS})
    return stream.getvalue()


def decode(body: bytes) -> DeadLetter:
    """The letter some bytes of our own log hold."""
    raw: Any = fastavro.schemaless_reader(BytesIO(body), SCHEMA, None)
    return DeadLetter(**raw)


def digest(letter: DeadLetter) -> bytes:
    """The same for the same bytes from the same place, so that a second import adds nothing."""
    told = f"{letter.source}\n{letter.position}\n{letter.size}\n".encode()
    return hashlib.blake2b(told + letter.body, digest_size=8).digest()

"""Confluent's wire format: a zero byte, the schema's number in a registry, the body.

https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/#wire-format
The registry only says which of our schemas a number stands for; we decode with schemas.lock.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from ingest.kafka.client import Kafka, KafkaAway, KafkaDenied
from ingest.log import EVENTS
from ingest.parse import framing
from ingest.parse.framing import CONFLUENT_HEADER, CONFLUENT_MARKER, Framing
from schemas.lock import writer
from schemas.shape import Refused

CONTENT = "application/vnd.schemaregistry.v1+json"
MAX_ANSWER = 4 * 1024 * 1024
REMEMBERED = 10_000  # numbers of foreign schemas that we remember


class BadRegistry(ValueError):
    """The address of the registry cannot be used; the message says what is expected."""


class RegistryAway(KafkaAway):
    """The registry was not reached or could not answer; a retry may help."""


def framing_of(kafka: Kafka, stream: str = EVENTS) -> Framing:
    """The framing of a stream, by the setting `kafka_framing`."""
    if kafka.framing == "single-object":
        return framing.SINGLE_OBJECT
    registry = Registry(kafka.registry, kafka.topic(stream), kafka.delivery_s)
    return Framing(registry.frame, registry.unframe)


class Registry:
    """The numbers of a topic's schemas; the registry is asked once for each."""

    def __init__(self, url: str, topic: str, timeout_s: float = 10.0) -> None:
        self._url, self._subject = _checked(url), f"{topic}-value"
        self._timeout_s = timeout_s
        self._numbers: dict[str, int] = {}
        self._fingerprints: dict[int, str] = {}
        self._foreign: dict[int, str] = {}

    def frame(self, body: bytes, fingerprint: str) -> bytes:
        """A message: the zero byte, the number of the schema, and the body."""
        number = self._numbers.get(fingerprint)
        if number is None:
            number = self._numbers[fingerprint] = self._registered(fingerprint)
        return CONFLUENT_MARKER + number.to_bytes(CONFLUENT_HEADER - 1, "big") + body

    def unframe(self, value: bytes) -> tuple[str, bytes]:
        """The fingerprint and the body of a message; single objects are read too."""
        framing.bounded(value)
        if value[:1] != CONFLUENT_MARKER:
            return framing.unframe(value)
        if len(value) < CONFLUENT_HEADER:
            framing.refuse("truncated", f"{CONFLUENT_HEADER} bytes of header", str(len(value)))
        return self._fingerprint(int.from_bytes(value[1:CONFLUENT_HEADER], "big")), value[
            CONFLUENT_HEADER:
        ]

    def _registered(self, fingerprint: str) -> int:
        """The number of a schema; the registry assigns one where there is none."""
        schema = json.dumps(
            framing.schema_of(fingerprint), separators=(",", ":"), ensure_ascii=False
        )
        path = f"/subjects/{quote(self._subject, safe='')}/versions"
        answer = self._ask(path, {"schema": schema, "schemaType": "AVRO"})
        if answer is None or type(answer.get("id")) is not int:
            raise KafkaDenied(
                f"registry {self._url}: an id for {self._subject} expected, none given"
            )
        number: int = answer["id"]
        return number

    def _fingerprint(self, number: int) -> str:
        known = self._fingerprints.get(number)
        if known is not None:
            return known
        told = self._foreign.get(number) or self._fingerprint_of(number)
        try:
            self._fingerprints[number] = framing.known(told)
        except Refused:
            if len(self._foreign) < REMEMBERED:
                self._foreign[number] = told
            raise
        return told

    def _fingerprint_of(self, number: int) -> str:
        """The fingerprint of the schema that the registry holds under a number."""
        answer = self._ask(f"/schemas/ids/{number}")
        text = answer.get("schema") if answer else None
        return (isinstance(text, str) and writer(text.encode())) or f"registry id {number}"

    def _ask(self, path: str, said: Mapping[str, str] | None = None) -> dict[str, Any] | None:
        """The registry's answer; None for 404."""
        body = None if said is None else json.dumps(said).encode()
        headers = {"Accept": CONTENT, "Content-Type": CONTENT}
        request = Request(self._url + path, body, headers)  # noqa: S310 - checked to be http(s)
        try:
            with urlopen(request, timeout=self._timeout_s) as answer:  # noqa: S310 - as above
                found = json.loads(answer.read(MAX_ANSWER))
        except HTTPError as error:
            with error:
                if error.code == 404 and said is None:
                    return None
                told = error.read(200).decode("utf-8", "replace")
            kind = RegistryAway if error.code >= 500 else KafkaDenied
            raise kind(f"registry {self._url}{path}: {error.code} {told}") from error
        except (URLError, TimeoutError, ConnectionError, ValueError) as error:
            raise RegistryAway(f"registry {self._url}: {error}") from error
        return found if isinstance(found, dict) else {}


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadRegistry(f"kafka_registry: an http(s) address expected, {url!r} found")
    if parts.username or parts.password:
        raise BadRegistry("kafka_registry: an address without user and password expected")
    return url.rstrip("/")

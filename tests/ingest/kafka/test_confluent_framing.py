"""Confluent's framing, and registries that know nothing, refuse, lie or are away.

The server here answers as a test tells it to; a real registry is in test_kafka_interop.py.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from ingest import dead_letter
from ingest.kafka import confluent_framing
from ingest.kafka.client import Kafka, KafkaDenied
from ingest.kafka.confluent_framing import BadRegistry, Registry, RegistryAway
from ingest.parse import framing
from schemas import avro
from schemas.shape import Refused

TOPIC = "rp.events"
SUBJECT = f"/subjects/{TOPIC}-value/versions"
Answers = dict[str, tuple[int, Any]]


@contextmanager
def answering(answers: Answers) -> Iterator[tuple[str, list[str]]]:
    """A registry with a ready answer for each path, and the paths that were asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, said = answers.get(self.path, (404, {"error_code": 40403}))
            body = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the names are the library's

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def schema(fingerprint: str) -> dict[str, str]:
    return {"schema": json.dumps(framing.schema_of(fingerprint))}


GOOD: Answers = {SUBJECT: (200, {"id": 7}), "/schemas/ids/7": (200, schema(avro.FINGERPRINT))}


def test_a_number_stands_for_the_schema_and_is_asked_for_once() -> None:
    with answering(GOOD) as (url, asked):
        ours = Registry(url, TOPIC)
        framed = [ours.frame(body, avro.FINGERPRINT) for body in (b"one", b"two")]
        theirs = Registry(url + "/", TOPIC)
        found = [theirs.unframe(value) for value in framed]

    assert framed == [b"\x00\x00\x00\x00\x07one", b"\x00\x00\x00\x00\x07two"]
    assert found == [(avro.FINGERPRINT, b"one"), (avro.FINGERPRINT, b"two")]
    assert asked == [SUBJECT, "/schemas/ids/7"]


def test_what_was_framed_the_other_way_before_is_still_read() -> None:
    with answering(GOOD) as (url, asked):
        found = Registry(url, TOPIC).unframe(framing.frame(b"body", avro.FINGERPRINT))

    assert found == (avro.FINGERPRINT, b"body")
    assert asked == []


FOREIGN = {"schema": '{"type": "record", "name": "Other", "fields": []}'}


@pytest.mark.parametrize(
    ("value", "answers", "code"),
    [
        pytest.param(b"", {}, "empty", id="nothing"),
        pytest.param(b"\x00\x00\x00", {}, "truncated", id="half a number"),
        pytest.param(b"\x01\x00\x00\x00\x07body", {}, "not_framed", id="another magic byte"),
        pytest.param(b"\x00\x00\x00\x00\x09body", {}, "unknown_schema", id="an unknown number"),
        pytest.param(
            b"\x00\x00\x00\x00\x09body",
            {"/schemas/ids/9": (200, FOREIGN)},
            "unknown_schema",
            id="a foreign schema",
        ),
        pytest.param(
            b"\x00\x00\x00\x00\x09body",
            {"/schemas/ids/9": (200, {"schema": 5})},
            "unknown_schema",
            id="a schema that is none",
        ),
        pytest.param(
            b"\x00\x00\x00\x00\x09body",
            {"/schemas/ids/9": (200, ["schema"])},
            "unknown_schema",
            id="an answer that is none",
        ),
    ],
)
def test_a_message_that_is_not_ours_is_refused(value: bytes, answers: Answers, code: str) -> None:
    with answering(answers) as (url, _), pytest.raises(Refused) as refused:
        Registry(url, TOPIC).unframe(value)

    assert refused.value.code == code


def test_a_flood_of_foreign_numbers_asks_for_each_once() -> None:
    with answering({"/schemas/ids/9": (200, FOREIGN)}) as (url, asked):
        ours = Registry(url, TOPIC)
        for number in (9, 10, 9, 10, 9):
            with pytest.raises(Refused, match=r"fingerprint of schemas\.lock"):
                ours.unframe(b"\x00" + number.to_bytes(4, "big"))

    assert asked == ["/schemas/ids/9", "/schemas/ids/10"]


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        ((409, {"message": "incompatible"}), KafkaDenied, "409 .*incompatible"),
        ((401, {}), KafkaDenied, "401"),
        ((404, {}), KafkaDenied, "404"),
        ((503, b"busy"), RegistryAway, "503 busy"),
        ((200, {"id": "7"}), KafkaDenied, "an id for rp.events-value expected"),
        ((200, b"<html>"), RegistryAway, "Expecting value"),
    ],
)
def test_a_registry_that_gives_no_number_is_told(
    answer: tuple[int, Any], kind: type[Exception], told: str
) -> None:
    with answering({SUBJECT: answer}) as (url, _), pytest.raises(kind, match=told):
        Registry(url, TOPIC).frame(b"body", avro.FINGERPRINT)


def test_a_registry_that_is_away_is_away_and_makes_no_stray() -> None:
    away = Registry("http://127.0.0.1:1", TOPIC)

    with pytest.raises(RegistryAway, match="registry http://127"):
        away.frame(b"body", avro.FINGERPRINT)
    with pytest.raises(RegistryAway, match="registry http://127"):
        away.unframe(b"\x00\x00\x00\x00\x07body")


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "registry:8081", "http://"])
def test_an_address_is_http(url: str) -> None:
    with pytest.raises(BadRegistry, match="an http"):
        Registry(url, TOPIC)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(BadRegistry, match="without user and password") as refused:
        Registry("https://user:p1anted@registry:8081", TOPIC)

    assert "p1anted" not in str(refused.value)


def test_the_setting_chooses() -> None:
    plain = Kafka("k:9092")
    other = Kafka("k:9092", framing="confluent", registry="http://127.0.0.1:1")

    assert confluent_framing.framing_of(plain) == framing.SINGLE_OBJECT
    assert (
        confluent_framing.framing_of(plain, "dlq").frame(b"x", dead_letter.FINGERPRINT)[:2]
        == framing.MARKER
    )
    assert confluent_framing.framing_of(other) != framing.SINGLE_OBJECT

"""A simulated day on Kafka, watchers of it, and what they published."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ingest.kafka.client import Kafka
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.parse import framing
from replay.batch.source import Sealed
from schemas import avro, codec, published
from schemas.events import DerivedRound, Finding
from tests.broker.environment import leading_to

IDLE_S = "1"


def send(kafka: Kafka, days: Iterable[Sequence[Sealed]]) -> None:
    """Table-days on the events' topic, in turn of the tables as they happened."""
    events = [event for sealed in days for event, _ in sealed]
    events.sort(key=lambda event: (event.ingested_at, event.seq))
    by_table: dict[str, list[int]] = {}
    for event in events:
        by_table.setdefault(event.table_id, []).append(event.seq)
    assert all(seqs == sorted(seqs) for seqs in by_table.values())
    with TopicProducer(kafka) as outbox:
        outbox.send(
            OutgoingMessage(
                kafka.topic("events"),
                event.table_id.encode(),
                framing.frame(codec.encode_event(event), avro.FINGERPRINT),
            )
            for event in events
        )


def watcher(kafka: Kafka, *more: str) -> "subprocess.Popen[str]":
    """A watcher of its own process that ends when nothing comes."""
    words = [
        sys.executable,
        "-m",
        "audit.cli.main",
        "watch",
        "--until-idle",
        IDLE_S,
        "--jsonl",
        *more,
    ]
    return subprocess.Popen(
        words,
        env=os.environ | leading_to(kafka),
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def watched(kafka: Kafka, *more: str) -> str:
    """What a watcher that lives to its end says."""
    with watcher(kafka, *more) as process:
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def shot(kafka: Kafka, shots: Sequence[int]) -> list[int]:
    """Watchers one after the other, each killed at such a call of its own; how they ended."""
    words = [sys.executable, "-m", "tests.support.killed_watcher", kafka.bootstrap, kafka.prefix]
    done = subprocess.run(
        words,
        input="".join(f"{each}\n" for each in shots),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300 + 60 * len(shots),
    )
    return [int(line) for line in done.stdout.split()]


def findings(kafka: Kafka) -> list[Finding]:
    """Everything that was published as a finding, a table's in their order."""
    return [published.decode_finding(body) for body in bodies(kafka, "findings")]


def rounds(kafka: Kafka) -> list[DerivedRound]:
    """Everything that was published as a judged round, a table's in their order."""
    return [published.decode_round(body) for body in bodies(kafka, "derived")]


def bodies(kafka: Kafka, stream: str) -> list[bytes]:
    """The bytes of every message of a stream, without their framing."""
    found = []
    with TopicConsumer(kafka, (stream,)) as tail:
        ends = tail.ends()
        while any(at < ends[part] for part, at in tail.positions.items()):
            found += [framing.unframe(message.value or b"")[1] for message in tail.poll()]
    return found

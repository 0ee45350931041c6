"""How long a finding takes: from the settling event appended to the finding readable.

python bench/live_latency.py [SECONDS] [TABLES]     by default 30 and 300, at ten times real pace

Each table plays a simulated day of its game with a few faults; a table at real pace has ten rounds
a minute. One worker watches, one broker holds the topics (ROUNDPROOF_KAFKA, or one of our own), and
the load comes from a process of its own.
"""

import hashlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from ingest.kafka import topics
from ingest.kafka.client import Kafka, producer
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.topics import TopicSettings
from ingest.parse import framing
from schemas import avro, codec, published
from schemas import events as e
from tests.broker.borrowed import broker
from tests.support.live_days import SEATS, day

GOAL_MS = 500
ROUNDS_A_SECOND = 50  # of 300 tables at ten times real pace
FULL = 300
WARM_S = 15.0
PARTITIONS = 12


class Seen(NamedTuple):
    """A finding: how long until the broker had it, and until it was read, milliseconds."""

    published: float
    readable: float


class Passed(NamedTuple):
    """What a worker did: passes, their seconds, rounds, messages, seconds of the processor."""

    passes: float
    spent_s: float
    rounds: float
    messages: float
    cpu_s: float
    partitions: float

    def since(self, before: "Passed") -> "Passed":
        """What was done since then."""
        return Passed(*(late - early for early, late in zip(before, self, strict=True)))


FIGURES = (
    "roundproof_watch_pass_seconds_count",
    "roundproof_watch_pass_seconds_sum",
    "roundproof_watch_rounds_looked_at_total",
    "roundproof_watch_messages_total",
    "process_cpu_seconds_total",
    "roundproof_watch_partitions",
)


def main() -> None:
    seconds = float(sys.argv[1]) if sys.argv[1:] else 30.0
    tables = int(sys.argv[2]) if sys.argv[2:] else FULL
    print("simulating the tables' days ...", flush=True)
    sources = {code: [event for event, _ in day(code, rounds=40, faults=3)] for code in SEATS}
    rate = ROUNDS_A_SECOND * tables / FULL * sum(map(len, sources.values())) / (40 * len(SEATS))
    load = list(interleaved(sources, tables, int(rate * (WARM_S + seconds + 5))))
    with broker() as bootstrap:
        kafka = Kafka(bootstrap, prefix=f"bench{os.getpid()}.")
        topics.init(kafka, TopicSettings(PARTITIONS, replication=1))
        with watching(kafka) as figures:
            while not passes(figures).partitions:
                time.sleep(0.2)
            sender = multiprocessing.Process(target=played, args=(kafka, load, rate))
            sender.start()
            list(seen(kafka, WARM_S))
            before = passes(figures)
            found = list(seen(kafka, seconds))
            after = passes(figures)
            sender.terminate()
    say(found, after.since(before), seconds)
    print(f"{tables} tables, {rate:,.0f} events/s")


def interleaved(
    sources: dict[str, list[e.Event]], tables: int, count: int
) -> Iterator[tuple[bytes, bytes]]:
    """The tables' events as they come, each table's chained, as key and framed bytes."""
    codes, rng = sorted(sources), random.Random(1)
    playing = [chained(f"L{n:03}", sources[codes[n % len(codes)]]) for n in range(tables)]
    for _ in range(count):
        yield next(rng.choice(playing))


def chained(table: str, source: list[e.Event]) -> Iterator[tuple[bytes, bytes]]:
    """A game's day under the name of a table, again and again."""
    seq, prev, own = 0, codec.NO_HASH, source[0].table_id
    while True:
        turn = seq // len(source)
        for event in source:
            device = event.device_id.replace(own, table)
            device_seq = event.device_seq + turn * 1_000_000
            body = codec.encode_event(
                replace(
                    event,
                    event_id=f"{table}/{device}/{device_seq}",
                    table_id=table,
                    seq=seq,
                    device_id=device,
                    device_seq=device_seq,
                    prev_hash=prev,
                    round_id=event.round_id and event.round_id.replace(own, f"{table}-{turn}"),
                )
            )
            seq, prev = seq + 1, hashlib.sha256(body).digest()
            yield table.encode(), framing.frame(body, avro.FINGERPRINT)


def played(kafka: Kafka, load: list[tuple[bytes, bytes]], rate: float) -> None:
    """Send events at a steady pace."""
    client = producer(kafka)
    begun = time.monotonic()
    for n, (key, value) in enumerate(load):
        ahead = n / rate - (time.monotonic() - begun)
        if ahead > 0.002:
            time.sleep(ahead)
        client.send(kafka.topic("events"), key=key, value=value)
    client.flush()


def seen(kafka: Kafka, seconds: float) -> Iterator[Seen]:
    """The findings that come in the next seconds, as an outside reader gets them."""
    with TopicConsumer(kafka, ("findings",)) as tail:
        tail.seek(tail.ends())
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for message in tail.poll(1_000, 0.05):
                now = time.time_ns() // 1_000
                told = published.decode_finding(framing.unframe(message.value or b"")[1])
                there = message.appended_at - told.appended_at
                yield Seen(there / 1_000, (now - told.appended_at) / 1_000)


@contextmanager
def watching(kafka: Kafka) -> Iterator[str]:
    """A worker; yields the address of its figures."""
    settings = {"ROUNDPROOF_KAFKA": kafka.bootstrap, "ROUNDPROOF_KAFKA_PREFIX": kafka.prefix}
    words = [sys.executable, "-m", "audit.cli.main", "watch", "--metrics", "0"]
    with subprocess.Popen(
        words,
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as worker:
        assert worker.stderr is not None
        try:
            yield worker.stderr.readline().split()[-1]
        finally:
            worker.terminate()
            worker.communicate()


def passes(address: str) -> Passed:
    """What the worker counted so far."""
    with urllib.request.urlopen(address) as answer:
        lines = answer.read().decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return Passed(*(float(values[name]) for name in FIGURES))


def say(found: list[Seen], passed: Passed, seconds: float) -> None:
    if not found or not passed.passes:
        sys.exit("no findings came: was the watcher up in time?")
    print(f"{len(found):,} findings in {seconds:.0f} s, {passed.rounds / seconds:,.1f} rounds/s "
          f"judged, {passed.messages / seconds:,.0f} messages/s")  # fmt: skip
    print(f"{passed.passes / seconds:,.1f} passes/s of {passed.rounds / passed.passes:,.1f} "
          f"rounds, {passed.spent_s / passed.passes * 1_000:,.0f} ms each")  # fmt: skip
    print(f"processor: {passed.cpu_s / passed.messages * 1e6:,.0f} us a message, "
          f"{passed.cpu_s / seconds:.0%} of a core")  # fmt: skip
    rows = {
        "published": sorted(each.published for each in found),
        "read": sorted(each.readable - each.published for each in found),
        "readable": sorted(each.readable for each in found),
    }
    for name, times in rows.items():
        p50, p99 = (times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.99))
        print(f"{name:<10} p50 {p50:>7,.0f} ms   p99 {p99:>7,.0f} ms")
    p99 = rows["readable"][min(len(found) - 1, int(len(found) * 0.99))]
    print(json.dumps({"p99_ms": round(p99), "goal_ms": GOAL_MS, "met": p99 < GOAL_MS}))


if __name__ == "__main__":
    main()

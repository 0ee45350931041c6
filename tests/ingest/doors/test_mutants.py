"""A hundred thousand bent messages: each is decoded or refused with a reason, and none stops us."""

import random
import time
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from ingest.log import DEAD_LETTERS
from ingest.order import GATEWAY
from ingest.parse import batch as parse_batch
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Unread
from ingest.seal.chain import events
from schemas import codec
from schemas.events import Reading
from schemas.shape import Refused
from tests.support.message_mutants import mutants
from tests.support.readings import container, house, json_line, talk

REASONS = {
    "bad_block", "bad_sync", "bad_value", "duplicate_key", "empty", "missing_field", "not_allowed",
    "not_avro", "not_json", "not_utf8", "older_than_spool", "reserved", "table_stopped", "too_deep",
    "too_large", "tombstone", "trailing_bytes", "truncated", "unknown_codec", "unknown_field",
    "unknown_schema", "unknown_type", "wrong_key", "wrong_type",
}  # fmt: skip
LONGEST_S = 0.5  # of processor time for one message: far above any, far below a hang

Decode = Callable[[bytes], Reading]


@pytest.fixture(scope="module")
def seed() -> int:
    """A new one each run; a failure prints it, and it can be put here to see the same again."""
    chosen = random.SystemRandom().randrange(2**32)
    print(f"seed {chosen}")  # noqa: T201
    return chosen


@pytest.mark.parametrize(
    ("read", "write", "count"),
    [
        (parse_reading.json_reading, json_line, 48_000),
        (parse_reading.single_object, parse_reading.frame_reading, 48_000),
    ],
    ids=["json", "avro"],
)
def test_bent_messages(
    read: Decode, write: Callable[[Reading], bytes], count: int, seed: int
) -> None:
    good = [write(each) for each in talk(60)]
    seen = Counter[str]()

    for body in mutants(good, count, seed):
        begun = time.process_time()
        seen[outcome(read, body)] += 1
        assert time.process_time() - begun < LONGEST_S, (seed, body)

    assert seen.total() == count
    assert set(seen) <= REASONS | {"decoded"}, seed
    assert seen["decoded"] > count // 100
    assert len(seen) > 6


def test_bent_containers(seed: int) -> None:
    """The header is long, so most are bent behind it."""
    whole = container(list(talk(12)), sync_interval=150)
    body_at = len(container([]))
    head, body = whole[:body_at], whole[body_at:]
    seen = Counter[str]()

    for n, bent in enumerate(mutants([body], 3_700, seed)):
        broken = head + bent if n % 20 else next(mutants([whole], 1, seed + n))
        for found in parse_batch.container(BytesIO(broken)):
            seen[found.why.code if isinstance(found, Unread) else "decoded"] += 1

    assert set(seen) <= REASONS | {"decoded"}, seed
    assert min(seen["decoded"], seen["bad_sync"], seen["truncated"]) > 0


def test_bent_batches_through_the_whole_gateway(tmp_path: Path, seed: int) -> None:
    """What is refused is in the dead letters, what is accepted is in a chain that holds."""
    lines = [json_line(each) for each in talk(60)]
    array = b"[" + b",".join(lines[:6]) + b"]"
    log, gateway = house(tmp_path)
    accepted = dead = 0
    with log:
        for body in mutants([*lines, array, container(list(talk(6)))], 300, seed):
            counts = gateway.take(parse_batch.batch(body), "mutant")
            accepted, dead = accepted + counts.accepted, dead + counts.dead_lettered

    stored = [event for table in log.partitions("events") for event, _ in events(log, table)]
    assert accepted == sum(1 for event in stored if event.device_id != GATEWAY), seed
    assert 0 < log.end(DEAD_LETTERS, GATEWAY) <= dead


def outcome(read: Decode, body: bytes) -> str:
    """How a message ended; what was decoded must be able to become an event."""
    try:
        found = read(body)
    except Refused as refused:
        return refused.code
    codec.encode_said(found.payload, found.round_id)
    return "decoded"

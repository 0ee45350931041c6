"""Readings for the tests of the door: a small table that talks."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import fastavro

from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from schemas import avro, codec
from schemas import events as e

NOON = 1_772_395_200_000_000  # 2026-03-01T20:00:00Z


def reading(seq: int = 0, **changes: Any) -> e.Reading:
    """A shoe's reading, as it would be but for the changes."""
    usual: dict[str, Any] = {
        "table_id": "T12",
        "device_kind": "shoe",
        "device_id": "shoe-3",
        "device_seq": seq,
        "occurred_at": NOON + seq * 1_000_000,
        "payload": e.CardDrawn(seq + 1, "player", "9H"),
        "err_ms": 5,
        "round_id": "T12-R1",
    }
    return e.Reading(**(usual | changes))


def talk(count: int, tables: int = 3) -> Iterator[e.Reading]:
    """A stretch of play on several tables, two devices each, without a fault."""
    for n in range(count):
        table, step = f"T{n % tables}", n // tables
        device, seq = ("shoe", "chips")[step % 2], step // 2
        payloads: tuple[e.Payload, ...] = (
            e.CardDrawn(seq + 1, "player", "9H"),
            e.StakeRead(f"{table}-W{seq}", 500_000),
        )
        yield e.Reading(
            table,
            device,
            f"{device}-{table}",
            seq,
            NOON + step * 1_000_000,
            payloads[step % 2],
            err_ms=5,
            round_id=f"{table}-R{seq // 10}",
            received_at=NOON + step * 1_000_000 + 4_000,
        )


def json_line(value: e.Reading) -> bytes:
    """The reading as a line of JSON."""
    return codec.dump_line(value).encode() + b"\n"


def container(readings: list[e.Reading], schema: Any = avro.READING, **options: Any) -> bytes:
    """An Avro container as any other program would write it."""
    stream = BytesIO()
    raw = [
        fastavro.schemaless_reader(
            BytesIO(codec.encode_reading(value)),
            avro.READING,
            None,
            return_record_name=True,
            return_record_name_override=True,
        )
        for value in readings
    ]
    fastavro.writer(stream, schema, raw, **options)
    return stream.getvalue()


def house(root: Path, **options: Any) -> tuple[LocalLog, Gateway]:
    """A log open for writing and the gateway before it; its clock stands still."""
    log = LocalLog(root, GATEWAY_STREAMS, **options)
    return log, Gateway(log, lambda: NOON, trusts_received_at=True)

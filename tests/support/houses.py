"""Small houses for tests: a log of events written by hand, or a simulated day brought in."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from ingest.archive.store import ArchiveWriter
from ingest.gateway import Gateway
from ingest.kafka.event_sorter import Message, SortedEvent
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS, LogRecord
from ingest.seal import chain as event_chain
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from schemas import avro, codec
from schemas import events as e
from schemas.speakers import SPEAKERS

DAY = "2026-03-01"
BEGUN = 1_772_334_000_000_000  # the first second of the day, UTC microseconds
SEATS = (TableSetup("T1", "RO"), TableSetup("T2", "TB"), TableSetup("T3", "SA-SB"))

Said = tuple[e.Payload, str | None]  # a payload and the round it names


def simulated(
    home: Path, rounds: int = 12, seats: Sequence[TableSetup] = SEATS, seed: str = "7"
) -> Path:
    """A house with a lawful day of every game in its log."""
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: BEGUN, trusts_received_at=True)
        door.take(SeededHouse(DayRequest(seed, tuple(seats), rounds, DAY)).readings(), "a test")
    return home


def archived(home: Path) -> Path:
    """The house with everything of its log in its archive."""
    log = LocalLog(home / "log")
    with ArchiveWriter(home / "archive") as keeper:
        for table in log.partitions("events"):
            keeper.take(goods(table, list(log.read("events", table))))
    return home


def goods(table: str, records: Sequence[LogRecord]) -> list[SortedEvent]:
    """Records of a table as a reader of Kafka hands them on."""
    message = Message("rp.events", 0, 0, table.encode(), b"", 0)
    return [
        SortedEvent(event, sha256, record, message)
        for record, (event, sha256) in zip(
            records, event_chain.verified(records, table), strict=True
        )
    ]


def written(
    home: Path,
    table: str,
    said: Iterable[Said],
    occurred_at: Mapping[int, int] | None = None,
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """A house whose log holds these events of a table, after those it held before.

    No door looks at them. `occurred_at` gives some of them, by their place, another time, and
    `kinds` some payloads another kind of device.
    """
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        before = [record.body for record in log.read("events", table)]
        log.append("events", table, bodies(table, said, before, occurred_at or {}, kinds))
    return home


def sealed(table: str, said: Iterable[Said]) -> list[tuple[e.Event, str]]:
    """Events with their hashes, as a replay gets them."""
    found = []
    for body in bodies(table, said, []):
        event = codec.decode_event(BytesIO(body))
        found.append((event, hashlib.sha256(body).hexdigest()))
    return found


def bodies(
    table: str,
    said: Iterable[Said],
    before: Sequence[bytes],
    occurred_at: Mapping[int, int] = MappingProxyType({}),
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> list[bytes]:
    """The bytes of chained events, one a second."""
    chain = list(before)
    for seq, (payload, round_id) in enumerate(said, len(before)):
        event = e.Event(
            event_id=f"{table}/console/{seq}",
            table_id=table,
            seq=seq,
            device_kind=kinds.get(type(payload).__name__, SPEAKERS[type(payload)][0]),
            device_id="console",
            device_seq=seq,
            occurred_at=occurred_at.get(seq, BEGUN + seq * 1_000_000),
            err_ms=50,
            ingested_at=BEGUN + seq * 1_000_000 + 200,
            schema=avro.FINGERPRINT,
            prev_hash=hashlib.sha256(chain[-1]).digest() if chain else codec.NO_HASH,
            payload=payload,
            round_id=round_id,
        )
        chain.append(codec.encode_event(event))
    return chain[len(before) :]


def spin(
    round_id: str, pocket: int, *wagers: e.WagerPlaced, late: Sequence[e.Payload] = ()
) -> list[Said]:
    """One roulette round, from its opening to its closing, and what came after."""
    inside: list[e.Payload] = [
        e.RoundOpened(),
        *wagers,
        e.BallReleased("clockwise", "anticlockwise"),
        e.BettingClosed(),
        e.BallTracked(12),
        e.BallLanded(pocket),
        e.DollyPlaced(pocket),
        e.RoundClosed(),
        *late,
    ]
    return [(payload, round_id) for payload in inside]


def opened(day: str = DAY) -> list[Said]:
    """A roulette table's opening and its terms."""
    return [(e.TableOpened(day), None), (e.TermsPosted("RO", "VND"), None)]


def red(stake: int = 100_000, wager_id: str = "W1") -> e.WagerPlaced:
    """A wager on red."""
    return e.WagerPlaced(wager_id, "P1", "red", stake)

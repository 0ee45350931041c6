"""A second reader, written from docs/formats.md alone, reads what Roundproof reads.

`Segments`, `head`, `chained` and the digest below import nothing of the project.
"""

import hashlib
import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import fastavro
import pyarrow.parquet as pq
import pytest

from audit.checks import findings_log
from audit.checks.run import CheckFinding
from ingest.local.log import LocalLog
from ingest.parse import framing
from ingest.seal import chain as event_chain
from replay.batch.digest import digest
from replay.batch.plan import Choice
from replay.batch.replay import replay
from replay.tables import round_digest
from schemas import avro, codec
from tests.support.houses import archived, simulated

PAGE = Path("docs/formats.md").read_text("utf-8")
ZEROS = "0" * 64
OF_A_ROUND = (
    "rounds", "wagers", "dues", "unruled_dues", "flags", "cards", "doubts", "results",
    "spins", "shakes",
)  # fmt: skip
OF_THE_ROUND = ("round_id", "table_id", "gaming_day", "game")  # packed in `rounds` alone
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - derived times are UTC without a zone


class Body(NamedTuple):
    """One record: its offset, its Avro bytes and the schema of its segment."""

    offset: int
    body: bytes
    schema: Any


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house of three tables with a log, an archive and derived files."""
    made = archived(simulated(tmp_path_factory.mktemp("formats"), rounds=3))
    replay(made, Choice(), workers=1)
    return made


@pytest.fixture(scope="module")
def tables(home: Path) -> list[str]:
    """The tables of the house."""
    found = sorted(path.name for path in (home / "log/events").iterdir() if path.is_dir())
    assert len(found) == 3
    return found


def test_a_second_reader_finds_the_same_events_and_hashes(home: Path, tables: list[str]) -> None:
    for table in tables:
        ours = list(event_chain.events(LocalLog(home / "log"), table))
        theirs = list(chained(home / "log/events" / table, "events"))

        assert [sha256 for _, sha256 in ours] == [sha256 for _, sha256 in theirs]
        assert [event["event_id"] for event, _ in theirs] == [event.event_id for event, _ in ours]
        assert [event["schema"] for event, _ in theirs] == [avro.FINGERPRINT] * len(ours)


def test_any_avro_library_reads_a_segment(home: Path, tables: list[str]) -> None:
    with (home / "log/events" / tables[0] / "00000000.avro").open("rb") as file:
        records: Any = fastavro.reader(file)
        found = [record["seq"] for record in records]

    assert found == list(range(len(found)))
    assert len(found) > 20


def test_the_head_names_the_last_record(home: Path, tables: list[str]) -> None:
    for table in tables:
        folder = home / "log/events" / table
        last = list(bodies(folder, "events"))[-1]

        assert head(folder) == (last.offset + 1, hashlib.sha256(last.body).hexdigest())


def test_the_archive_holds_the_same_bytes_under_its_manifests(
    home: Path, tables: list[str]
) -> None:
    index = json.loads((home / "archive/index.json").read_bytes())
    for table in tables:
        folder = home / "archive/events" / table
        kept = [record.body for record in bodies(folder, "events")]
        previous, ends, last_hash = ZEROS, 0, ""
        paths = sorted(folder.glob("*.json"))
        for path in paths:
            made = json.loads(path.read_bytes())
            assert (made["table_id"], made["start"], made["previous"]) == (table, ends, previous)
            assert path.stem == f"{ends:08d}"
            for name, sha256 in made["files"].items():
                assert _sha256((folder / name).read_bytes()) == sha256
            previous, ends, last_hash = _sha256(path.read_bytes()), made["end"], made["last_hash"]
            assert _sha256(kept[ends - 1]) == last_hash

        assert kept == [record.body for record in bodies(home / "log/events" / table, "events")]
        assert paths
        assert index[table] == {
            "end": len(kept),
            "last_hash": _sha256(kept[-1]),
            "parts": len(paths),
            "manifest": previous,
        }


def test_a_framed_message_carries_the_bytes_of_the_log(home: Path, tables: list[str]) -> None:
    record = next(bodies(home / "log/events" / tables[0], "events"))
    value = framing.frame(record.body, avro.FINGERPRINT)
    marker, fingerprint = struct.unpack(">2s8s", value[:10])

    assert marker == b"\xc3\x01"
    assert fingerprint == _fingerprint(record.schema)
    assert value[10:] == record.body
    assert codec.decode_event(BytesIO(value[10:])).seq == 0


def test_the_derived_files_are_those_of_the_manifest(home: Path, tables: list[str]) -> None:
    for table in tables:
        folder, made = _table_day(home, table)
        seal = made.pop("seal")

        assert _sha256(json.dumps(made, sort_keys=True, separators=(",", ":")).encode()) == seal
        assert made["files"] == {
            path.name: _sha256(path.read_bytes())
            for path in sorted(folder.iterdir())
            if path.name != "manifest.json"
        }


def test_a_second_reader_computes_the_same_digests(home: Path, tables: list[str]) -> None:
    days = b"roundproof house 2\n"
    for table in tables:
        folder, made = _table_day(home, table)
        rows = {name: _named_rows(folder / f"{name}.parquet") for name in OF_A_ROUND}
        rounds = [row["round_id"] for row in rows["rounds"]]
        stated = [row["digest"] for row in rows["rounds"]]
        counted = made["end"] - made["start"]
        day = (table, made["gaming_day"], counted, made["last_hash"], stated)

        assert [_round_digest(rows, round_id) for round_id in rounds] == stated
        assert _sha256(b"roundproof day 2\n" + b"".join(map(_packed, day))) == made["digest"]
        assert (len(rounds), made["version"]) == (made["rounds"], 2)
        assert rounds
        days += b"".join(map(_packed, (table, made["gaming_day"], made["digest"])))

    assert _sha256(days) == digest(home).total


def test_the_page_packs_values_as_the_code_does() -> None:
    vectors = re.findall(r"^\| `(.+)` \| `([0-9a-f]+)` \|$", PAGE, re.MULTILINE)

    assert len(vectors) == 9
    for text, packed in vectors:
        assert _packed(json.loads(text)).hex() == packed, text
        assert round_digest.packed(json.loads(text)).hex() == packed, text
    assert _round_digest({name: [] for name in OF_A_ROUND}, "") in PAGE
    assert round_digest.of_round({}) in PAGE


def test_a_second_reader_finds_the_same_findings(tmp_path: Path) -> None:
    finding = CheckFinding(
        finding_id="PAY-01-1",
        check_id="PAY-01",
        severity="S1",
        title="A winner was paid too much",
        table_id="T1",
        gaming_day=None,
        round_id=None,
        subject="W1",
        certain=True,
        expected="nothing paid",
        found="5 paid",
        clauses=("TB:5.1.1",),
        evidence=("T1/c/1",),
        house_minor=5,
        player_minor=0,
        currency=None,
    )
    findings_log.tell(tmp_path, "run-1", ["PAY-01"], [finding])
    stands = findings_log.tell(tmp_path, "run-2", ["PAY-01"], [])

    found = list(chained(tmp_path / "log/findings/T1", "findings"))

    assert [(told["version"], told["state"], told["run_id"]) for told, _ in found] == [
        (1, "raised", "run-1"),
        (2, "withdrawn", "run-2"),
    ]
    assert stands.heads["T1"] == (2, bytes.fromhex(found[-1][1]))


def test_the_page_names_the_fields_of_an_event_in_their_order() -> None:
    section = PAGE.partition("### The chain")[2].partition("###")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = [name.strip(" `") for row in rows for name in row.split(",")]

    assert named == [field["name"] for field in avro.RECORDS["Event"]["fields"]]


# The second reader.


def chained(folder: Path, stream: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The records of a chained partition, each with its SHA-256; the head fits the last."""
    before = bytes(32)
    count = 0
    for offset, body, schema in bodies(folder, stream):
        record: Any = fastavro.schemaless_reader(BytesIO(body), schema, None)
        assert record["prev_hash"] == before
        assert record["table_id"] == folder.name
        assert record.get("seq", offset) == offset
        before = hashlib.sha256(body).digest()
        count += 1
        yield record, before.hex()
    assert head(folder) == (count, before.hex())


def bodies(folder: Path, stream: str) -> Iterator[Body]:
    """The records of a partition, in the order of their offsets."""
    offset = 0
    for path in sorted(folder.glob("*.avro"), key=lambda path: int(path.stem)):
        assert int(path.stem) == offset
        words = f"roundproof/{stream}/{folder.name}/{offset}"
        sync = hashlib.sha256(words.encode()).digest()[:16]
        stream_of_bytes = BytesIO(path.read_bytes())
        schema = _header(stream_of_bytes, sync)
        while stream_of_bytes.tell() < path.stat().st_size:
            assert _long(stream_of_bytes) == 1
            body = stream_of_bytes.read(_long(stream_of_bytes))
            assert stream_of_bytes.read(16) == sync
            yield Body(offset, body, schema)
            offset += 1


def head(folder: Path) -> tuple[int, str]:
    """Number of records and hash of the last, by the newer whole slot."""
    content = (folder / ".head").read_bytes()
    assert len(content) == 2 * 95
    found = []
    for slot in (content[:95], content[95:]):
        if slot[85:] == b" %08x\n" % zlib.crc32(slot[:85]):
            count, sha256 = slot[:85].decode("ascii").split(" ")
            found.append((int(count), sha256))
    return max(found)


def _header(stream: BytesIO, sync: bytes) -> Any:
    assert stream.read(4) == b"Obj\x01"
    metadata = {}
    for _ in range(_long(stream)):
        key = stream.read(_long(stream))
        metadata[key] = stream.read(_long(stream))
    assert _long(stream) == 0
    assert list(metadata) == [b"avro.codec", b"avro.schema"]
    assert metadata[b"avro.codec"] == b"null"
    assert stream.read(16) == sync
    return fastavro.parse_schema(json.loads(metadata[b"avro.schema"]))


def _long(stream: BytesIO) -> int:
    value = shift = 0
    while True:
        (byte,) = stream.read(1)
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return (value >> 1) ^ -(value & 1)


def _table_day(home: Path, table: str) -> tuple[Path, dict[str, Any]]:
    (folder,) = (home / "derived" / table).iterdir()
    return folder, json.loads((folder / "manifest.json").read_bytes())


def _rows(path: Path) -> list[list[Any]]:
    """The rows of a Parquet file as JSON has them; none where there is no file."""
    if not path.exists():
        return []
    table = pq.read_table(path)
    return [[_plain(value) for value in row.values()] for row in table.to_pylist()]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        since = value - EPOCH
        return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return value.isoformat() if isinstance(value, date) else value


def _named_rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    names = pq.ParquetFile(path).schema_arrow.names
    return [dict(zip(names, row, strict=True)) for row in _rows(path)]


def _round_digest(rows: Mapping[str, list[dict[str, Any]]], round_id: str) -> str:
    whole = b"roundproof round 2\n"
    for name in OF_A_ROUND:
        found = [row for row in rows[name] if row["round_id"] == round_id]
        whole += struct.pack(">I", len(found))
        whole += b"".join(_column(name, row, column) for row in found for column in row)
    return _sha256(whole)


def _column(table: str, row: Mapping[str, Any], column: str) -> bytes:
    if column in ("digest", "differing") or column.endswith("params"):
        return b""
    if table != "rounds" and column in OF_THE_ROUND:
        return b""
    if column.endswith("key"):
        params = row[column.replace("key", "params")]
        return _packed({"key": row[column], "params": json.loads(params)} if row[column] else None)
    return _packed(row[column])


def _packed(value: Any) -> bytes:
    if value is None:
        return b"\x00"
    if isinstance(value, bool):
        return b"\x02" if value else b"\x01"
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return b"\x03" + struct.pack(">q", value)
    if isinstance(value, str | int):
        return b"\x04" + struct.pack(">I", len(str(value).encode())) + str(value).encode()
    if isinstance(value, float):
        return b"\x06" + struct.pack(">d", value)
    if isinstance(value, dict):
        named = sorted((_packed(name), _packed(at)) for name, at in value["params"].items())
        head = b"\x07" + _packed(value["key"]) + struct.pack(">I", len(named))
        return head + b"".join(name + at for name, at in named)
    return b"\x05" + struct.pack(">I", len(value)) + b"".join(map(_packed, value))


def _fingerprint(schema: Any) -> bytes:
    form = fastavro.schema.to_parsing_canonical_form(schema)
    return bytes.fromhex(fastavro.schema.fingerprint(form, "CRC-64-AVRO"))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

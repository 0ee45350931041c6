"""docs/kafka.md says what the topics and the roles are, and no less."""

from pathlib import Path

from ingest.kafka import topics
from ingest.kafka.client import MAX_REQUEST, Kafka
from ingest.log import MAX_BODY
from ingest.parse import framing

PAGE = Path("docs/kafka.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines()]


def test_every_topic_has_its_row() -> None:
    named = " ".join(row[0] for row in ROWS if row and row[0].startswith("`rp."))

    assert [stream for stream in topics.STREAMS if f"`rp.{stream}`" not in named] == []


def test_every_role_has_its_rights() -> None:
    kafka, told = Kafka("k:9092"), {row[0].strip("`"): row[1:] for row in ROWS if len(row) == 4}

    for role, may in topics.ROLES.items():
        every = may.reads == topics.STREAMS
        reads = "all, and every setting" if every else _listed(may.reads)
        groups = f"`{topics.group(kafka, role)}*`" if may.reads else ""
        assert told[role] == [reads, _listed(may.writes), groups]


def test_the_frames_are_as_the_page_draws_them() -> None:
    assert f"\n{framing.MARKER.hex(' ').upper()} | CRC-64-AVRO" in PAGE
    assert f"\n{framing.CONFLUENT_MARKER.hex()} | number of the schema" in PAGE
    assert MAX_REQUEST == MAX_BODY + 64 * 1024  # as `kafka check` asks for, in the page's words


def _listed(streams: tuple[str, ...]) -> str:
    return ", ".join(f"`{stream}`" for stream in streams)


def test_the_rights_of_devices_are_as_the_page_says() -> None:
    given = topics.allow(Kafka("k:9092"), ["shoe-3"], dry_run=True)

    assert "User:shoe-3 write topic rp.readings.shoe-3" in given
    assert "User:gateway read topic rp.readings.*" in given
    assert "User:auditor read topic rp.readings.*" in given
    assert not [right for right in given if right.startswith("User:device ")]
    assert "| one of each device's name | | `readings.DEVICE` | |" in PAGE

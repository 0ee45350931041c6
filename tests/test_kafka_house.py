"""One simulated day through the embedded log, Kafka and the archive: the same digest each time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.kafka.client import Kafka
from tests.broker.environment import leading_to

pytestmark = pytest.mark.slow

TABLES = "T01:TB,R01:RO,S01:SA-SB"


def roundproof(kafka: Kafka, home: Path, *words: str, exits: int = 0) -> str:
    """What a command prints with this Kafka; it must end with the exit code that is expected."""
    return asked(kafka, home, *words, exits=exits).stdout


def asked(
    kafka: Kafka, home: Path, *words: str, exits: int = 0
) -> subprocess.CompletedProcess[str]:
    """The same with what it says beside its answer."""
    command = [str(Path(sys.executable).with_name("roundproof")), "--home", str(home), *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | leading_to(kafka)
    )
    assert done.returncode == exits, done.stderr
    return done


@pytest.fixture
def gateway(kafka: Kafka, tmp_path: Path) -> Path:
    """A house whose day is in its own log and in Kafka."""
    home = tmp_path / "gateway"
    day = tmp_path / "day"
    words = ("--seed", "5", "--tables", TABLES, "--rounds", "12")
    roundproof(kafka, home, "simulate", "--out", str(day), *words)
    roundproof(kafka, home, "ingest", "file", str(day / "readings.jsonl"))
    return home


def test_every_way_to_the_same_digest(kafka: Kafka, gateway: Path, tmp_path: Path) -> None:
    auditor, keeper = tmp_path / "auditor", tmp_path / "keeper"
    kept = json.loads(roundproof(kafka, keeper, "archive", "run", "--until-idle", "1", "--json"))

    local = json.loads(roundproof(kafka, gateway, "replay", "--json"))
    pulled = json.loads(roundproof(kafka, auditor, "replay", "--from", "kafka", "--json"))
    archived = json.loads(roundproof(kafka, keeper, "replay", "--from", "archive", "--json"))

    assert local["events"] == pulled["events"] == archived["events"] == kept["events"] > 500
    assert local["digest"] == pulled["digest"] == archived["digest"]
    assert (kept["sealed"], kept["strays"]) == (3, 0)


@pytest.mark.usefixtures("gateway")
def test_the_archive_answers_for_itself(kafka: Kafka, tmp_path: Path) -> None:
    keeper = tmp_path / "keeper"
    assert roundproof(kafka, keeper, "archive", "verify", exits=3) == ""
    roundproof(kafka, keeper, "archive", "run", "--until-idle", "1")

    listed = roundproof(kafka, keeper, "archive", "list")
    verified = roundproof(kafka, keeper, "archive", "verify")
    segment = next((keeper / "archive" / "events" / "T01").glob("*.avro"))
    body = segment.read_bytes()
    segment.write_bytes(body[:-20] + bytes((body[-20] ^ 4,)) + body[-19:])

    assert listed.count("2026-") == 3
    assert "3 sealed parts: all as written" in verified
    assert roundproof(kafka, keeper, "archive", "verify", exits=4) == ""
    derived = asked(kafka, keeper, "replay", "--from", "archive", exits=4)
    assert "2 table-days derived, 0 kept: 24 rounds" in derived.stdout
    assert "table T01" in derived.stderr
    kept = asked(kafka, keeper, "archive", "run", "--until-idle", "1", exits=4)
    assert "table T01" in kept.stderr


def test_without_kafka_one_is_told_what_to_set(tmp_path: Path) -> None:
    nowhere = Kafka("")

    for words in (("archive", "run"), ("replay", "--from", "kafka")):
        roundproof(nowhere, tmp_path, *words, exits=2)

"""`roundproof ingest` with a Kafka behind it, as people type it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from audit.cli import app
from audit.cli.errors import Code, explained
from ingest.doors import kafka_topic
from ingest.kafka.client import Kafka
from ingest.kafka.confluent_framing import RegistryAway
from ingest.local.log import LocalLog
from ingest.log import EVENTS, GATEWAY_STREAMS
from ingest.parse.reading import frame_reading
from tests.ingest.doors.test_kafka_topic import produced
from tests.ingest.forward.test_kafka_sink import in_kafka, messages
from tests.support import houses
from tests.support.readings import json_line, talk
from tests.support.sealed_houses import key_made, seal

Type = Callable[..., Result]
NOBODY = "127.0.0.1:1"


@pytest.fixture
def typed(kafka: Kafka, tmp_path: Path) -> Type:
    """Types a command of a house of its own, whose settings name the broker."""

    def run(
        *words: str,
        bootstrap: str = kafka.bootstrap,
        prefix: str = kafka.prefix,
        delivery_s: str = "10",
    ) -> Result:
        environment = {
            "ROUNDPROOF_KAFKA": bootstrap,
            "ROUNDPROOF_KAFKA_PREFIX": prefix,
            "ROUNDPROOF_KAFKA_DELIVERY_S": delivery_s if bootstrap == kafka.bootstrap else "0.3",
        }
        home = str(tmp_path / "var")
        return CliRunner().invoke(app.command_line(), ["--home", home, *words], env=environment)

    return run


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "readings.jsonl"
    path.write_bytes(b"".join(map(json_line, talk(60))) + b"oops\n")
    return str(path)


def home(tmp_path: Path) -> LocalLog:
    return LocalLog(tmp_path / "var" / "log")


def test_a_file_is_in_kafka_when_the_command_ends(
    typed: Type, file: str, kafka: Kafka, tmp_path: Path
) -> None:
    done = typed("ingest", "file", file, "--json")

    assert json.loads(done.stdout)["accepted"] == 60
    log = home(tmp_path)
    local = {name: [each.body for each in log.read(EVENTS, name)] for name in ("T0", "T1", "T2")}
    assert in_kafka(kafka) == local


def test_while_kafka_is_away_status_says_so_and_forward_sends_later(
    typed: Type, file: str, kafka: Kafka
) -> None:
    spooled = typed("ingest", "file", file, bootstrap=NOBODY)
    away = typed("ingest", "status", "--json", bootstrap=NOBODY)
    shown = typed("ingest", "status", bootstrap=NOBODY)
    refused = typed("ingest", "forward", bootstrap=NOBODY)
    sent = typed("ingest", "forward", "--json")
    after = json.loads(typed("ingest", "status", "--json").stdout)

    assert spooled.exit_code == Code.FINDINGS  # one line of the file is a dead letter
    assert "safe on disk; next: roundproof ingest forward" in spooled.stderr
    told = json.loads(away.stdout)
    assert told["kafka"]["state"] == "away"
    assert NOBODY in told["kafka"]["reason"]
    assert [table["lag"] for table in told["tables"]] == [20, 20, 20]
    assert told["tables"][0]["oldest_waiting_at"] == "2026-03-01T20:00:00.004000Z"
    assert told["tables"][0]["spool_bytes"] > 2_000
    assert "Kafka is unreachable" in shown.stderr
    assert shown.stdout.splitlines()[1].split()[:4] == ["T0", "20", "0", "20"]
    assert refused.exception is not None
    assert explained(refused.exception).code == Code.UNREACHABLE
    assert json.loads(sent.stdout) == {"forwarded": 61, "cases_and_access": 0, "wrong": ""}
    assert after["kafka"]["state"] == "ok"
    assert [(t["forwarded"], t["lag"]) for t in after["tables"]] == [(20, 0)] * 3
    assert (after["dead_letters"], after["dead_letters_lag"]) == ({"not_json": 1}, 0)
    assert messages(kafka, EVENTS) == 60


@pytest.mark.parametrize("protocol", ["SSL", "SASL_PLAINTEXT"])
def test_a_kafka_that_will_not_have_us_is_told_at_once_and_as_such(
    typed: Type, file: str, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    typed("ingest", "file", file, bootstrap=NOBODY)
    monkeypatch.setenv("ROUNDPROOF_KAFKA_PROTOCOL", protocol)
    monkeypatch.setenv("ROUNDPROOF_KAFKA_USER", "gateway")
    monkeypatch.setenv("ROUNDPROOF_KAFKA_PASSWORD", "guess")

    for words in (("ingest", "forward"), ("ingest", "forward", "--follow")):
        done = typed(*words)
        assert done.exception is not None
        told = explained(done.exception)
        assert told.code == Code.NOT_ALLOWED
        assert told.next_step == "roundproof config show --origin"


def test_forward_to_a_topic_that_is_not_there_says_how_it_is_made(typed: Type, file: str) -> None:
    typed("ingest", "file", file, bootstrap=NOBODY)

    done = typed("ingest", "forward", prefix="nobody.", delivery_s="1")

    assert done.exception is not None
    told = explained(done.exception)
    assert (told.code, told.next_step) == (Code.NOT_FOUND, "roundproof kafka init")


def test_the_memory_of_what_was_forwarded_serves_while_kafka_is_away(
    typed: Type, file: str
) -> None:
    typed("ingest", "file", file)

    told = json.loads(typed("ingest", "status", "--json", bootstrap=NOBODY).stdout)

    assert [(t["forwarded"], t["lag"]) for t in told["tables"]] == [(20, 0)] * 3


def test_a_house_that_lost_its_spool_is_told_so_and_its_events_stay(
    typed: Type, file: str, kafka: Kafka, tmp_path: Path
) -> None:
    typed("ingest", "file", file)
    (tmp_path / "var").rename(tmp_path / "lost")
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"".join(map(json_line, [*talk(90)][60:])))

    brought = typed("ingest", "file", str(other))
    forwarded = typed("ingest", "forward")
    told, shown = typed("ingest", "status", "--json"), typed("ingest", "status")

    for done in (brought, forwarded):
        assert done.exception is not None
        assert explained(done.exception).code == Code.UNVERIFIED
        assert "T0: Kafka holds another event 0" in str(done.exception)
        assert "docs/operating.md" in explained(done.exception).next_step
    assert "accepted                 30" in brought.stdout
    tables = json.loads(told.stdout)["tables"]
    # Ten readings, and for each of two devices that what came before is missing.
    assert [(each["forwarded"], each["lag"]) for each in tables] == [(0, 12)] * 3
    assert "another event 0" in tables[0]["stopped"]
    assert "stopped      T0: Kafka holds another event 0" in shown.stdout
    assert messages(kafka, EVENTS) == 60


def test_readings_of_the_topic_become_events_in_kafka(typed: Type, kafka: Kafka) -> None:
    produced(kafka, [(each.table_id, frame_reading(each)) for each in talk(60)])
    produced(kafka, [("T0", b"poison")])

    told = json.loads(typed("ingest", "kafka", "--once", "--json").stdout)
    again = json.loads(typed("ingest", "kafka", "--once", "--json").stdout)

    assert (told["accepted"], told["dead_lettered"]) == (60, 1)
    assert (again["accepted"], again["twins"], again["dead_lettered"]) == (0, 0, 0)
    assert messages(kafka, kafka_topic.STREAM) == 61
    assert sum(map(len, in_kafka(kafka).values())) == 60


def test_trim_needs_a_number_and_a_yes_and_says_what_would_go(typed: Type, file: str) -> None:
    typed("ingest", "file", file)

    without = typed("ingest", "trim")
    dry = typed("ingest", "trim", "--keep-days", "1", "--dry-run", "--json")

    assert without.exception is not None
    assert explained(without.exception).code == Code.USAGE
    assert json.loads(dry.stdout) == {"dry_run": True, "keep_days": 1, "tables": [], "damaged": {}}


def test_events_that_no_checkpoint_seals_are_not_trimmed(typed: Type, tmp_path: Path) -> None:
    days = [[*houses.opened(f"2026-03-0{n}"), *houses.spin("R1", 3)] * 3 for n in (1, 2, 3)]
    with LocalLog(tmp_path / "var/log", GATEWAY_STREAMS, segment_bytes=500) as log:
        chain: list[bytes] = []
        for each in days:
            chain += houses.bodies("T1", each, chain)
        for body in chain:
            log.append(EVENTS, "T1", [body])
    words = ("ingest", "trim", "--keep-days", "1", "--yes")
    assert typed("ingest", "forward").exit_code == 0

    unsealed = typed(*words)
    key_made(tmp_path / "var")
    seal(tmp_path / "var")
    sealed = typed(*words)

    assert "T1: no checkpoint seals the events from 0 on, so they stay" in unsealed.stderr
    assert "bytes deleted" not in unsealed.stdout
    assert "bytes deleted, kept from event" in sealed.stdout
    assert typed("log", "verify").exit_code == 0


def test_what_is_missing_at_kafka_is_told_with_its_own_next_step(typed: Type) -> None:
    empty = typed("replay", "--from", "kafka")
    missing = typed("archive", "run", "--until-idle", "0", prefix="nobody.")

    def step(done: Result) -> tuple[Code, str]:
        assert done.exception is not None
        told = explained(done.exception)
        return told.code, told.next_step

    assert step(empty) == (
        Code.NOT_FOUND,
        "roundproof ingest file FILE, or roundproof ingest forward, sends events to Kafka",
    )
    assert "kafka_registry" in explained(RegistryAway("registry http://nobody: refused")).next_step
    assert step(missing) == (Code.NOT_FOUND, "roundproof kafka init")


def test_without_a_kafka_forward_says_what_to_set(tmp_path: Path) -> None:
    done = CliRunner().invoke(app.command_line(), ["--home", str(tmp_path), "ingest", "forward"])

    assert done.exception is not None
    assert "ROUNDPROOF_KAFKA" in explained(done.exception).next_step

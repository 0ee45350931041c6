"""One damaged table: it is named, its readings are kept or held, and no other waits for it."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from audit.cli.app import command_line
from audit.cli.errors import Code, Stopped
from ingest import dead_letter
from ingest.doors import http as http_door
from ingest.doors.device_keys import load
from ingest.forward.forwarder import Forwarder
from ingest.gateway import STOPPED, Counts, Gateway
from ingest.local import head
from ingest.local.inspection import Inspector
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import DEAD_LETTERS, GATEWAY_STREAMS, LogCorrupt
from ingest.order import GATEWAY
from ingest.seal.chain import events
from schemas import events as e
from tests.support.kafka_in_memory import FakeKafka
from tests.support.readings import NOON, json_line, reading

TABLES = ("T1", "T2", "T3")
KEY, WIDE = "9f2c61d07be84a35", "61c7f0a4e2b98d35"
KEYS = load(None, {"ROUNDPROOF_DEVICE_KEYS": f"shoe-3/shoe/T2={KEY},pit-2/console/*={WIDE}"})


def said(first: int, stop: int, tables: tuple[str, ...] = TABLES) -> list[e.Reading]:
    return [reading(n, table_id=table) for n in range(first, stop) for table in tables]


def taken(root: Path, readings: list[e.Reading], **options: Any) -> tuple[Counts, Gateway]:
    with LocalLog(root, GATEWAY_STREAMS) as log:
        gateway = Gateway(log, lambda: NOON)
        return gateway.take(readings, "a test", **options), gateway


def stored(root: Path, table: str) -> list[int]:
    return [event.device_seq for event, _ in events(LocalLog(root), table)]


def no_header(root: Path) -> None:
    (path,) = root.glob("events/T2/*.avro")
    path.write_bytes(b"PK\3\4" + path.read_bytes()[4:])


def flipped(root: Path) -> None:
    (path,) = root.glob("events/T2/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"9H")] ^= 1
    path.write_bytes(body)


def flipped_last(root: Path) -> None:
    (path,) = root.glob("events/T2/*.avro")
    body = bytearray(path.read_bytes())
    body[body.rindex(b"9H")] ^= 1
    path.write_bytes(body)


def no_head(root: Path) -> None:
    (root / "events/T2" / head.FILE).unlink()


def no_file(root: Path) -> None:
    (path,) = root.glob("events/T2/*.avro")
    path.rename(path.with_suffix(".aside"))
    path.mkdir()


DAMAGES = (no_header, flipped, flipped_last, no_head, no_file)
Damage = Callable[[Path], None]


@pytest.fixture(params=DAMAGES, ids=lambda each: each.__name__)
def damage(request: pytest.FixtureRequest) -> Damage:
    """A way in which the log of T2 is damaged."""
    made: Damage = request.param
    return made


def restored(root: Path, whole: dict[Path, bytes]) -> None:
    """Put the files of T2 back from a copy."""
    for path in (root / "events/T2").iterdir():
        if path.is_dir():
            path.rmdir()
    for path, body in whole.items():
        path.write_bytes(body)


def copied(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (root / "events/T2").iterdir()}


def test_the_others_come_in_and_the_rest_after_the_mend(tmp_path: Path, damage: Damage) -> None:
    taken(tmp_path, said(0, 3))
    whole = copied(tmp_path)
    damage(tmp_path)

    counts, gateway = taken(tmp_path, said(0, 5), holds=True)
    alike = {table: stored(tmp_path, table) for table in ("T1", "T3")}
    restored(tmp_path, whole)
    again, _ = taken(tmp_path, said(0, 5), holds=True)

    assert counts == Counts(accepted=4, twins=6, stopped=5)
    assert list(gateway.stopped) == ["T2"]
    assert alike == {"T1": [0, 1, 2, 3, 4], "T3": [0, 1, 2, 3, 4]}
    assert again == Counts(accepted=2, twins=13)
    assert stored(tmp_path, "T2") == [0, 1, 2, 3, 4]


def test_what_nobody_holds_is_a_dead_letter_and_can_be_driven_again(
    tmp_path: Path, damage: Damage
) -> None:
    home, root = tmp_path, tmp_path / "log"
    taken(root, said(0, 3))
    whole = copied(root)
    damage(root)

    counts, _ = taken(root, said(3, 5))
    found = [
        dead_letter.decode(record.body) for record in LocalLog(root).read(DEAD_LETTERS, GATEWAY)
    ]
    early = typed(home, "dlq", "redrive", "--reason", STOPPED, "--yes", "--json")
    restored(root, whole)
    typed(home, "dlq", "redrive", "--reason", STOPPED, "--yes")

    assert counts == Counts(accepted=4, dead_lettered=2, stopped=2)
    assert {letter.reason for letter in found} == {STOPPED}
    assert set(json.loads(early.stdout)["letters"].values()) == {f"still refused: {STOPPED}"}
    assert stored(root, "T2") == [0, 1, 2, 3, 4]


def test_a_table_that_is_damaged_under_an_open_gateway_stops_alone(tmp_path: Path) -> None:
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        gateway = Gateway(log, lambda: NOON)
        gateway.take(said(0, 3), "a test")
        flipped_last(tmp_path)

        counts = gateway.take(said(3, 5), "a test", holds=True)

    assert (counts.accepted, counts.stopped) == (4, 2)
    assert (stored(tmp_path, "T1"), stored(tmp_path, "T3")) == ([0, 1, 2, 3, 4],) * 2


def test_a_table_is_looked_at_again_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        gateway = Gateway(log, lambda: NOON)
        gateway.take(said(0, 3), "a test")
        whole = copied(tmp_path)
        flipped_last(tmp_path)
        stopped = gateway.take(said(3, 5), "a test", holds=True)
        restored(tmp_path, whole)
        early = gateway.take(said(3, 5), "a test", holds=True)
        monkeypatch.setattr("time.monotonic", lambda: float("inf"))
        mended = gateway.take(said(3, 5), "a test", holds=True)

    assert (stopped.stopped, early.stopped, mended.stopped, mended.accepted) == (2, 2, 0, 2)
    assert not gateway.stopped


def test_damaged_dead_letters_stop_no_reading(tmp_path: Path) -> None:
    home, root = tmp_path, tmp_path / "log"
    path = tmp_path / "readings.jsonl"
    path.write_bytes(b"oops\n" + json_line(reading(0)))
    typed(home, "ingest", "file", str(path))
    (dead,) = root.glob(f"{DEAD_LETTERS}/{GATEWAY}/*.avro")
    dead.write_bytes(dead.read_bytes().replace(b"oops", b"0ops"))
    path.write_bytes(b"again\n" + json_line(reading(1)))

    done = typed(home, "ingest", "file", str(path))

    assert isinstance(done.exception, LogCorrupt)
    assert stored(root, "T12") == [0, 1]


def typed(home: Path, *words: str) -> Result:
    return CliRunner().invoke(command_line(), ["--home", str(home), *words])


def test_the_command_names_the_table_and_its_exit_code_says_so(
    tmp_path: Path, damage: Damage
) -> None:
    path = tmp_path / "readings.jsonl"
    path.write_bytes(b"".join(map(json_line, said(0, 3))))
    typed(tmp_path, "ingest", "file", str(path))
    whole = copied(tmp_path / "log")
    damage(tmp_path / "log")
    path.write_bytes(b"".join(map(json_line, said(0, 5))))

    done = typed(tmp_path, "ingest", "file", str(path))
    status = typed(tmp_path, "ingest", "status", "--json")
    restored(tmp_path / "log", whole)
    again = typed(tmp_path, "ingest", "file", str(path), "--json")

    assert isinstance(done.exception, Stopped)
    assert done.exception.code == Code.UNVERIFIED
    assert str(done.exception).startswith("5 readings of T2 were not taken")
    assert done.exception.next_step.endswith("then run the same command again")
    assert "accepted                  4" in done.stdout
    assert "stopped                   5" in done.stdout
    told = {row["table_id"]: row["events"] for row in json.loads(status.stdout)["tables"]}
    assert (told["T1"], told["T3"]) == (5, 5)
    assert again.exit_code == 0
    assert json.loads(again.stdout)["accepted"] == 2


def test_status_names_a_table_whose_end_cannot_be_read(tmp_path: Path) -> None:
    taken(tmp_path / "log", said(0, 3))
    no_header(tmp_path / "log")

    shown = typed(tmp_path, "ingest", "status")

    assert isinstance(shown.exception, Stopped)
    assert shown.exception.code == Code.UNVERIFIED
    assert "damaged at T2" in str(shown.exception)
    assert [line.split()[0] for line in shown.stdout.splitlines()][:3] == ["T1", "T2", "T3"]


def test_the_others_are_forwarded(tmp_path: Path, damage: Damage) -> None:
    taken(tmp_path, said(0, 3))
    damage(tmp_path)
    kafka = FakeKafka()

    with LocalLog(tmp_path, GATEWAY_STREAMS) as log:
        forwarder = Forwarder(Spool(log, GATEWAY_STREAMS), kafka)
        while forwarder.step() or forwarder.searching:
            pass
        forwarder.measure_lag()

    sent = {each.lane[1]: each.forwarded for each in forwarder.lags if each.lane[0] == "events"}
    assert (sent["T1"], sent["T3"]) == (3, 3)
    wrong = {each.lane[1] for each in forwarder.lags if each.wrong}
    assert wrong == {"T2"}


class Doors:
    """A door before a house that was opened with one table damaged."""

    def __init__(self, root: Path) -> None:
        self.log = LocalLog(root, GATEWAY_STREAMS)
        self.inspector = Inspector(self.log)
        self.inspector.check_all()
        gateway = Gateway(self.log, lambda: NOON)
        self.door = http_door.HttpDoor(gateway, KEYS, inspector=self.inspector)

    def post(self, readings: list[e.Reading], key: str) -> dict[str, Any]:
        body = b"".join(map(json_line, readings))
        grant = next(each for each in KEYS.values() if each.device == key)
        return asyncio.run(self.door.take(body, grant))

    def close(self) -> None:
        self.door.close()
        self.log.close()


def test_health_names_the_damaged_table_before_any_reading_comes_and_until_it_is_mended(
    tmp_path: Path, damage: Damage
) -> None:
    taken(tmp_path, said(0, 3))
    whole = copied(tmp_path)
    damage(tmp_path)
    doors = Doors(tmp_path)

    sick, page = doors.door.health(), doors.door.meter.page().decode()
    restored(tmp_path, whole)
    doors.inspector.check_again()
    well, clean = doors.door.health(), doors.door.meter.page().decode()
    doors.close()

    assert sick["status"] == "damaged"
    assert list(sick["damaged"]) == ["events/T2"]
    assert 'roundproof_log_damaged{partition="T2",stream="events"} 1.0' in page
    assert well == {"status": "ok", "waiting": 0}
    assert "roundproof_log_damaged{" not in clean


def test_health_notices_a_last_record_that_changes_while_the_door_is_open(tmp_path: Path) -> None:
    doors = Doors(tmp_path)
    doors.post([reading(0, table_id="T2")], "shoe-3")
    flipped_last(tmp_path)

    doors.inspector.check_again()
    sick = doors.door.health()
    doors.close()

    assert list(sick["damaged"]) == ["events/T2"]


def test_a_device_of_the_damaged_table_holds_and_one_of_many_tables_goes_on(
    tmp_path: Path,
) -> None:
    taken(tmp_path, said(0, 3))
    flipped(tmp_path)
    doors = Doors(tmp_path)
    console = {"device_id": "pit-2", "device_kind": "console"}
    called = [
        reading(n, table_id=table, payload=e.ResultCalled("player 9"), **console)
        for n, table in ((0, "T1"), (0, "T2"), (0, "T3"))
    ]

    with pytest.raises(
        http_door.RequestRefused, match="table T2: its log is damaged; keep the readings and retry"
    ) as held:
        doors.post([reading(3, table_id="T2")], "shoe-3")
    answer = doors.post(called, "pit-2")
    page = doors.door.meter.page().decode()
    doors.close()

    assert (held.value.status, held.value.retry_s) == (503, http_door.RETRY_DISK_S)
    assert (answer["accepted"], answer["stopped"], answer["dead_lettered"]) == (2, 1, 1)
    assert answer["stopped_tables"] == ["T2"]
    assert 'roundproof_readings_total{fate="stopped"} 2.0' in page

"""Files of readings, told apart by what is in them and brought in as often as anyone likes."""

from pathlib import Path

import pytest

from ingest import dead_letter
from ingest.doors import file as file_door
from ingest.doors.file import NotReadings, bring_in
from ingest.gateway import Counts
from ingest.log import DEAD_LETTERS
from ingest.order import GATEWAY
from ingest.seal.chain import events
from tests.support.readings import container, house, json_line, talk

LINES = b"".join(map(json_line, talk(50)))


def brought(root: Path, *paths: Path) -> list[Counts]:
    log, gateway = house(root)
    with log:
        return [bring_in(path, gateway, lambda _: None) for path in paths]


def written(path: Path, body: bytes) -> Path:
    path.write_bytes(body)
    return path


@pytest.mark.parametrize(
    "body",
    [LINES, b"\n\n" + LINES, container(list(talk(50))), container(list(talk(50)), sync_interval=1)],
    ids=["lines", "blank lines first", "container", "small blocks"],
)
def test_the_content_says_what_a_file_is(tmp_path: Path, body: bytes) -> None:
    path = written(tmp_path / "readings.txt", body)

    assert brought(tmp_path / "log", path) == [Counts(accepted=50)]


def test_the_form_leaves_no_trace_in_the_log(tmp_path: Path) -> None:
    for name, body in (("json", LINES), ("avro", container(list(talk(50))))):
        brought(tmp_path / name, written(tmp_path / f"{name}.in", body))

    one, other = (house(tmp_path / name)[0] for name in ("json", "avro"))
    with one, other:
        for table in ("T0", "T1", "T2"):
            assert list(events(one, table)) == list(events(other, table))


def test_a_file_may_be_brought_in_again(tmp_path: Path) -> None:
    path = written(tmp_path / "readings.jsonl", LINES + b"{poison}\n")

    assert brought(tmp_path / "log", path) == [Counts(accepted=50, dead_lettered=1)]
    assert brought(tmp_path / "log", path, path) == [Counts(twins=50, dead_lettered=1)] * 2


def test_batches_are_no_border(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_door, "BATCH", 7)
    path = written(tmp_path / "readings.jsonl", LINES + b"oops\n" + LINES)

    assert brought(tmp_path / "log", path) == [Counts(accepted=50, twins=50, dead_lettered=1)]


def test_a_dead_letter_says_where_in_which_file(tmp_path: Path) -> None:
    path = written(tmp_path / "monday.jsonl", LINES + b"oops\n")
    brought(tmp_path / "log", path)

    log, _ = house(tmp_path / "log")
    with log:
        (letter,) = (dead_letter.decode(record.body) for record in log.read(DEAD_LETTERS, GATEWAY))

    assert (letter.source, letter.position, letter.body) == ("monday.jsonl", len(LINES), b"oops\n")


def test_progress_counts_every_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_door, "BATCH", 9)
    told: list[int] = []
    log, gateway = house(tmp_path / "log")
    with log:
        bring_in(written(tmp_path / "readings.jsonl", LINES), gateway, told.append)

    assert len(told) == 6
    assert sum(told) == len(LINES)


@pytest.mark.parametrize("body", [b"\x89PNG\r\n\x1a\n....", b"a,b,c\n1,2,3\n", b"PK\3\4"])
def test_a_file_of_something_else_is_refused_whole(tmp_path: Path, body: bytes) -> None:
    path = written(tmp_path / "photo", body)

    with pytest.raises(NotReadings, match="JSON lines or an Avro container of Reading expected"):
        brought(tmp_path / "log", path)


def test_an_empty_file_holds_no_readings(tmp_path: Path) -> None:
    assert brought(tmp_path / "log", written(tmp_path / "empty", b"")) == [Counts()]

"""The same seed gives the same bytes, and every line is a reading."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.parse import batch as parse_batch
from replay.simulate import DayRequest, lines, plan, simulate
from schemas import codec, shape
from schemas import events as e
from tests.support.simulated_days import DAY, played

TABLES = "T01:TB,R01:RO,S01:SA-SB"
FAULTS = {"PAY-01": 2, "INT-02": 1}

SCRIPT = """
import sys
from pathlib import Path
from replay.simulate import DayRequest, plan, simulate
tables = plan.table_setups("T01:TB,R01:RO,S01:SA-SB")
simulate(DayRequest("7", tables, 25, "2026-03-01", {"PAY-01": 2, "INT-02": 1}), Path(sys.argv[1]))
"""


def made(out: Path, seed: str = "7", form: str = "jsonl") -> tuple[bytes, bytes]:
    done = simulate(DayRequest(seed, plan.table_setups(TABLES), 25, DAY, FAULTS), out, form)
    return done.path.read_bytes(), done.truth_path.read_bytes()


@pytest.mark.parametrize("form", ["jsonl", "avro"])
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, form: str) -> None:
    assert made(tmp_path / "one", form=form) == made(tmp_path / "two", form=form)


def test_another_seed_gives_another_day(tmp_path: Path) -> None:
    assert made(tmp_path / "one", "7")[0] != made(tmp_path / "two", "8")[0]


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    here = made(tmp_path / "here")

    environment = os.environ | {"PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo"}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "there")]
    subprocess.run(command, env=environment, check=True)

    there = tmp_path / "there"
    assert ((there / "readings.jsonl").read_bytes(), (there / "truth.json").read_bytes()) == here


def test_every_line_is_a_reading_in_the_house_format() -> None:
    assert played(TABLES, 25).readings
    for reading in played(TABLES, 25).readings:
        line = lines.line(reading)

        assert line == codec.dump_line(reading)
        assert shape.reading(json.loads(line)) == reading


def test_odd_words_are_written_as_everywhere_else() -> None:
    told = e.IrregularityReported("power_cut", note='100 % "dark" \\ tối\n')
    drawn = e.CardDrawn(3, "player", None, exposed=False)

    for payload in (told, drawn, e.TermsPosted("TB", "VND", readings={"b": "2", "a": "1"})):
        reading = e.Reading("T01", "console", "console-T01", 1, 0, payload)
        assert lines.line(reading) == codec.dump_line(reading)


def test_an_avro_container_holds_the_same_readings(tmp_path: Path) -> None:
    made(tmp_path / "lines")
    made(tmp_path / "container", form="avro")

    with (tmp_path / "lines" / "readings.jsonl").open("rb") as file:
        from_lines = list(parse_batch.lines(file))
    with (tmp_path / "container" / "readings.avro").open("rb") as file:
        from_container = list(parse_batch.container(file))

    assert all(isinstance(reading, e.Reading) for reading in from_lines)
    assert from_container == from_lines


def test_readings_come_in_the_order_of_their_arrival() -> None:
    times = [reading.received_at or 0 for reading in played(TABLES, 25).readings]

    assert times == sorted(times)


def test_the_truth_file_says_what_was_asked_for_and_done(tmp_path: Path) -> None:
    _, text = made(tmp_path)

    truth = json.loads(text)
    assert [table["table_id"] for table in truth["tables"]] == ["T01", "R01", "S01"]
    assert sorted(entry["fault"] for entry in truth["faults"]) == ["INT-02", "PAY-01", "PAY-01"]
    assert all(entry["fault"] in entry["explains"] for entry in truth["faults"])


def test_nothing_half_written_is_left_under_the_final_name(tmp_path: Path) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(DayRequest("7", plan.table_setups("S01:SA-SB"), 5, DAY), tmp_path, done=fail)

    assert not (tmp_path / "readings.jsonl").exists()

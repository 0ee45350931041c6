"""`roundproof dlq` as people type it, over the house's own log and over the topic."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from audit.cli import app
from audit.cli.errors import Code, explained
from ingest import dead_letter
from ingest.doors import redrive as redrive_door
from ingest.kafka.client import Kafka
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.local.log import LocalLog
from ingest.parse import framing
from ingest.parse import reading as parse_reading
from ingest.seal.chain import events
from schemas.events import DeadLetter
from schemas.shape import Refused
from tests.support.readings import json_line, reading

POISON = b'{"table_id": \x1b[31m7}\n'


class House:
    """A house with two dead letters: nonsense, and a reading of a kind that is not known yet."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self.home, self._environment = home, environment

    def typed(self, *words: str) -> Result:
        command = ["--home", str(self.home), *words]
        return CliRunner().invoke(app.command_line(), command, env=self._environment)

    def told(self, *words: str) -> Any:
        done = self.typed(*words, "--json")
        assert done.exit_code == 0, done.exception
        return json.loads(done.stdout)

    def ids(self, *words: str) -> list[str]:
        return [each["id"] for each in self.told("dlq", "list", *words)["letters"]]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    made = House(tmp_path / "var", {})
    fill(made, tmp_path, monkeypatch)
    return made


def fill(made: House, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bring in a file while today's contract does not know what shoe-3 says."""
    path = folder / "monday.jsonl"
    path.write_bytes(POISON + json_line(reading(0)))
    as_it_is = parse_reading.from_device

    def not_yet(_: Any) -> Any:
        raise Refused("unknown_type", "payload", "a payload of an older contract", "CardDrawn")

    with monkeypatch.context() as patch:
        patch.setattr(parse_reading, "from_device", not_yet)
        assert made.typed("ingest", "file", str(path)).exit_code == Code.FINDINGS
    assert parse_reading.from_device is as_it_is


def test_letters_are_listed_with_reason_place_and_first_bytes(house: House) -> None:
    told = house.told("dlq", "list")
    shown = house.typed("dlq", "list").stdout

    assert told["count"] == 2
    first, second = told["letters"]
    assert (first["reason"], first["source"], first["position"]) == ("not_json", "monday.jsonl", 0)
    assert (first["size"], first["state"]) == (len(POISON), "new")
    assert first["first_hex"] == POISON.hex()
    assert (second["reason"], second["position"]) == ("unknown_type", len(POISON))
    assert "\x1b" not in shown
    assert ".[31m" in shown


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (("--reason", "not_json"), 1),
        (("--reason", "nothing"), 0),
        (("--source", "monday"), 2),
        (("--source", "tuesday"), 0),
        (("--state", "redriven"), 0),
        (("--limit", "1"), 1),
    ],
)
def test_letters_are_chosen(house: House, words: tuple[str, ...], count: int) -> None:
    assert len(house.ids(*words)) == count


def test_one_is_shown_and_its_bytes_are_written(house: House, tmp_path: Path) -> None:
    letter = house.ids("--reason", "not_json")[0]
    out = tmp_path / "letter.bin"

    told = house.told("dlq", "show", letter, "--out", str(out))

    assert told["id"] == letter
    assert out.read_bytes() == POISON


def test_an_id_nobody_has_is_told(house: House) -> None:
    done = house.typed("dlq", "show", "0123456789abcdef")

    assert done.exception is not None
    assert explained(done.exception).code == Code.NOT_FOUND


def test_a_redrive_takes_what_can_be_read_now_and_leaves_the_rest(house: House) -> None:
    nonsense, mended = house.ids()

    dry = house.told("dlq", "redrive", "--dry-run")
    before = LocalLog(house.home / "log").partitions("events")
    became = house.told("dlq", "redrive", "--yes")
    again = house.told("dlq", "redrive", "--yes")

    assert before == ()
    still = "still refused: not_json"
    assert dry["letters"] == {nonsense: still, mended: "would be taken: 1 readings"}
    assert became["letters"] == {nonsense: still, mended: "1 accepted"}
    assert again["letters"] == {nonsense: still}
    (event,) = (event for event, _ in events(LocalLog(house.home / "log"), "T12"))
    assert event.payload == reading(0).payload
    states = {each["id"]: each["state"] for each in house.told("dlq", "list")["letters"]}
    assert states == {nonsense: "new", mended: "redriven"}


def test_a_redrive_that_died_before_its_note_doubles_nothing(house: House) -> None:
    path = house.home.parent / "tuesday.jsonl"
    path.write_bytes(json_line(reading(0)))
    house.typed("ingest", "file", str(path))  # as if the redrive had come so far
    mended = house.ids("--reason", "unknown_type")[0]

    became = house.told("dlq", "redrive", mended, "--yes")

    assert became["letters"] == {mended: "1 twins"}
    assert len(list(events(LocalLog(house.home / "log"), "T12"))) == 1


def test_a_redrive_of_nothing_says_why(house: House, tmp_path: Path) -> None:
    done = house.ids("--reason", "unknown_type")[0]
    house.typed("dlq", "redrive", done, "--yes")

    unknown = house.typed("dlq", "redrive", "0" * 16, "--yes")
    again = house.typed("dlq", "redrive", done, "--yes")
    none_fits = house.typed("dlq", "redrive", "--reason", "truncated", "--yes")
    empty = House(tmp_path / "empty", {}).typed("dlq", "redrive", "--yes")

    assert unknown.exception is not None
    assert explained(unknown.exception).code == Code.NOT_FOUND
    assert f"{done}  redriven before: 1 accepted" in again.stdout
    assert "no new dead letter matches; next: roundproof dlq list --state new" in none_fits.stderr
    assert "there are no dead letters" in empty.stderr


def test_a_redrive_wants_a_yes(house: House) -> None:
    done = house.typed("dlq", "redrive")

    assert done.exit_code != 0
    assert LocalLog(house.home / "log").partitions("events") == ()


def letter(n: int, received_at: int) -> DeadLetter:
    return DeadLetter("not_json", "", "", "", f"door-{n}", n, received_at, 1, b"?")


def test_the_newest_letter_is_the_last_whoever_wrote_it() -> None:
    """Each reader's letters lie together, in the log as in the topic."""
    found = [letter(1, 10), letter(4, 40), letter(2, 20), letter(3, 30)]

    assert [each.letter.position for each in redrive_door.filed(found)] == [1, 2, 3, 4]


def test_what_is_no_letter_on_the_topic_is_told(kafka: Kafka, tmp_path: Path) -> None:
    environment = {"ROUNDPROOF_KAFKA": kafka.bootstrap, "ROUNDPROOF_KAFKA_PREFIX": kafka.prefix}
    house, topic = House(tmp_path / "var", environment), kafka.topic("dlq")
    broken = framing.frame(b"no letter", dead_letter.FINGERPRINT)
    good = framing.frame(dead_letter.encode(letter(1, 10)), dead_letter.FINGERPRINT)
    with TopicProducer(kafka) as outbox:
        outbox.send(OutgoingMessage(topic, b"watch", value) for value in (b"garbage", broken, good))

    done = house.typed("dlq", "list", "--from", "kafka")

    assert "door-1" in done.stdout
    assert "2 messages are not dead letters and were skipped" in done.stderr
    assert f"the first at {topic}/" in done.stderr


def test_the_topic_tells_the_same(
    kafka: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"ROUNDPROOF_KAFKA": kafka.bootstrap, "ROUNDPROOF_KAFKA_PREFIX": kafka.prefix}
    house = House(tmp_path / "var", environment)
    fill(house, tmp_path, monkeypatch)
    _, mended = house.ids("--from", "kafka")

    became = house.told("dlq", "redrive", "--from", "kafka", mended, "--yes")

    assert became["letters"] == {mended: "1 accepted"}
    assert house.told("dlq", "list", "--from", "kafka") == house.told("dlq", "list")
    assert house.ids("--from", "kafka", "--state", "redriven") == [mended]

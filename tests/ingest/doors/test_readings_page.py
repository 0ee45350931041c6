"""docs/readings.md says what is so."""

import re
from pathlib import Path

from ingest.doors import device_keys
from ingest.parse import reading as parse_reading
from schemas.events import CardDrawn
from tests.ingest.doors.test_mutants import REASONS

PAGE = (Path(__file__).parents[3] / "docs" / "readings.md").read_text("utf-8")


def test_the_example_is_a_reading() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None

    assert parse_reading.json_reading(example[1].encode()).payload == CardDrawn(17, "player", "9H")


def test_the_keys_of_the_examples_would_be_taken(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    (line,) = re.findall(r"^(shoe-3 = \{.*?\})$", PAGE, re.MULTILINE)
    (variable,) = re.findall(rf"`{device_keys.ENVIRONMENT}=(.*?)`", PAGE)
    file.write_text(line)
    file.chmod(0o600)

    shoe = device_keys.Grant("shoe-3", "shoe", frozenset(["T12"]))
    camera = device_keys.Grant("cam-1", "camera", frozenset(["T12", "T13"]))
    assert list(device_keys.load(file, {}).values()) == [shoe]
    assert set(device_keys.load(None, {device_keys.ENVIRONMENT: variable}).values()) == {
        shoe,
        camera,
    }
    assert f"{device_keys.SHORTEST} characters" in PAGE


def test_every_reason_is_explained() -> None:
    assert set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)*)`", PAGE.split("| reason |")[1])) == REASONS

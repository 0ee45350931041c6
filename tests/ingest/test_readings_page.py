"""docs/readings.md says what is so."""

import re
from pathlib import Path

from ingest import decode
from schemas.events import CardDrawn
from tests.ingest.test_mutants import REASONS

PAGE = (Path(__file__).parents[2] / "docs" / "readings.md").read_text("utf-8")


def test_the_example_is_a_reading() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None

    assert decode.json_reading(example[1].encode()).payload == CardDrawn(17, "player", "9H")


def test_every_reason_is_explained() -> None:
    assert set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)*)`", PAGE.split("| reason |")[1])) == REASONS

"""The .avsc files as other programs load them: by path, and what they name from the same folder."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from fastavro.schema import load_schema

from schemas import avro, contract

FOLDER = Path(str(files("schemas") / "avsc"))
FILES = sorted(FOLDER.iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fastavro_loads_every_file(path: Path) -> None:
    name = json.loads(path.read_text("utf-8"))["name"]

    loaded = load_schema(str(path))

    whole = contract.whole(name, avro.RECORDS)
    assert contract.fingerprint(loaded) == contract.fingerprint(whole)


def test_no_record_is_left_out() -> None:
    assert [path.name for path in FILES] == [f"roundproof.{name}.avsc" for name in avro.RECORDS]

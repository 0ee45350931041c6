"""Every module, function and method that docs/walk.md names can be imported."""

import re
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path("docs/walk.md").read_text("utf-8")
NAMED = re.findall(r"`((?:schemas|ingest|replay|vision|audit)(?:\.\w+)+)`", PAGE)


def test_the_walk_goes_through_every_package() -> None:
    assert {name.partition(".")[0] for name in NAMED} == {
        "schemas", "ingest", "replay", "vision", "audit",
    }  # fmt: skip
    assert len(NAMED) > 50


@pytest.mark.parametrize("name", sorted(set(NAMED)))
def test_what_the_walk_names_is_there(name: str) -> None:
    module, words = name, list[str]()
    while not _is_module(module):
        module, _, word = module.rpartition(".")
        words.insert(0, word)

    assert reduce(getattr, words, import_module(module))


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module and no package
        return False

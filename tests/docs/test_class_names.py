"""Two different things never share a class name."""

import re
from collections import Counter
from pathlib import Path

GLOSSARY = Path("docs/glossary.md").read_text("utf-8")
PACKAGES = ("schemas", "ingest", "replay", "vision", "audit")


def test_a_class_name_stands_for_one_thing() -> None:
    shared = {name for name, count in _classes().items() if count > 1}

    assert sorted(shared - _of_games()) == []


def test_the_names_that_games_share_are_those_of_the_glossary() -> None:
    classes = _classes()

    assert _of_games()
    assert sorted(name for name in _of_games() if classes[name] < 2) == []


def _classes() -> Counter[str]:
    """Every class of the packages, by how many modules define one of that name."""
    texts = (
        path.read_text("utf-8") for package in PACKAGES for path in Path(package).rglob("*.py")
    )
    return Counter(
        name for text in texts for name in re.findall(r"^class (_?[A-Z]\w*)", text, re.MULTILINE)
    )


def _of_games() -> set[str]:
    section = GLOSSARY.partition("## Words that each game has for itself")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))

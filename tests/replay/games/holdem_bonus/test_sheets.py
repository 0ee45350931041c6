"""Texas Hold'em Bonus Poker: docs/sheets/TH.md leaves no issue, no flag and no report out."""

import re
from pathlib import Path

from replay import rulebooks
from replay.rulings.holdem_bonus.record import KINDS

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "sheets" / "TH.md").read_text("utf-8")
# Reports of what the rules settle by themselves; they need no words on the page.
SILENT = {"below_minimum", "over_maximum", "over_ante_multiple", "under_ante_multiple"}
SILENT |= {"player_absent"}


def test_the_page_names_every_issue() -> None:
    edition = rulebooks.in_force("TH", "2026-03-01")

    assert [name for name in edition.issues if f"`{name}`" not in PAGE] == []
    for issue in edition.issues.values():
        assert [other for other in issue.alternatives if f"`{other}`" not in PAGE] == []


def test_the_page_names_every_flag() -> None:
    source = ROOT / "replay" / "rulings" / "holdem_bonus"
    files = [file for file in sorted(source.glob("*.py")) if file.name != "words.py"]
    rulings = "".join(file.read_text("utf-8") for file in files)
    flags = set(re.findall(r'"((?:[A-Z]+_)+[A-Z0-9.]+|ABSENT|WITHDRAWN|MISDEALT)"', rulings))

    assert len(flags) > 30
    assert [flag for flag in sorted(flags) if f"`{flag}`" not in PAGE] == []


def test_the_page_names_every_report() -> None:
    kinds = set(KINDS) - SILENT

    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in PAGE] == []

"""Blackjack: docs/sheets/SA-BJ.md leaves no issue and no flag out."""

import re
from pathlib import Path

from replay import rulebooks

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/sheets/SA-BJ.md").read_text("utf-8")
SOURCES = [
    *(ROOT / "replay/rulings/blackjack").glob("*.py"),
    *(ROOT / "replay/games/blackjack").glob("*.py"),
]
SHARED = {
    "SHOE_CONTENTS",
    "CARD_OUTSIDE_ROUND",
    "CARD_NOT_READ",
    "FOREIGN_CARD",
    "ROUND_WITHOUT_CARDS",
}  # of every shoe game, told for all in one place
CODE = re.compile(r'"([A-Z][A-Z]+(?:_[A-Z]+)+|MISPAY)"')


def test_the_page_names_every_issue_and_every_reading() -> None:
    edition = rulebooks.in_force("SA-BJ", "2026-03-01")

    assert edition.issues
    for issue in edition.issues.values():
        assert f"`{issue.name}`" in PAGE
        assert [word for word in issue.alternatives if f"`{word}`" not in PAGE] == []


def test_the_page_names_every_flag_and_no_other() -> None:
    raised = {code for file in SOURCES for code in CODE.findall(file.read_text("utf-8"))}
    flags = PAGE.partition("## Flags")[2].partition("## Readings")[0]
    named = set(re.findall(r"`([A-Z_]+)`", flags))

    assert named == raised | SHARED

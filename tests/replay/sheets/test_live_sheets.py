"""The pages of SA Roulette, Andar Bahar and Teen Patti: every word of theirs is named on them."""

import re
from pathlib import Path

import pytest

from replay import rulebooks

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("SA-AB", ["andar_bahar", "shared/dealt_round", "shared/deck_procedure"]),
        ("SA-RO", ["roulette_sa/__init__", "roulette_sa/attempts"]),
        ("SA-TP", ["teen_patti", "shared/dealt_round", "shared/deck_procedure"]),
    ],
)
def test_a_page_names_every_issue_flag_and_bet(code: str, modules: list[str]) -> None:
    edition = rulebooks.in_force(code, "2026-03-01")
    page = (ROOT / "docs" / "sheets" / f"{code}.md").read_text("utf-8")
    texts = [(ROOT / "replay" / "rulings" / f"{name}.py").read_text("utf-8") for name in modules]
    flags = set(re.findall(r'(?:Flag|Remark)\(\s*"([A-Z_]+)"', "".join(texts)))

    assert len(flags) > 4
    assert [flag for flag in sorted(flags) if f"`{flag}`" not in page] == []
    assert [name for name in edition.paytables if f"`{name}`" not in page] == []
    assert [bet for bet in edition.bets if f"`{bet}`" not in page and f"`{bet}:" not in page] == []


@pytest.mark.parametrize("code", ["SA-AB", "SA-RO", "SA-TP"])
def test_a_page_lists_every_reading(code: str) -> None:
    page = (ROOT / "docs" / "sheets" / f"{code}.md").read_text("utf-8")
    for issue in rulebooks.in_force(code, "2026-03-01").issues.values():
        row = next((row for row in page.splitlines() if row.startswith(f"| `{issue.name}` ")), "")
        said = [issue.reading, *issue.alternatives] if issue.alternatives else []
        assert f"`{issue.name}`" in page
        assert [name for name in said if f"`{name}`" not in row] == []

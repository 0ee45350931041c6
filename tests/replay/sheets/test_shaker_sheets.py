"""The pages of the shaker games: every issue, every flag and every position is named on them."""

import re
from pathlib import Path

import pytest

from replay import rulebooks

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("SA-FPC", ["fish_prawn_crab", "shared/shaken_dice"]),
        ("SA-HL", ["thai_hilo", "shared/shaken_dice"]),
        ("SA-XD", ["xoc_dia/__init__", "xoc_dia/throws"]),
    ],
)
def test_a_page_names_every_issue_flag_and_bet(code: str, modules: list[str]) -> None:
    edition = rulebooks.in_force(code, "2026-03-01")
    page = (ROOT / "docs" / "sheets" / f"{code}.md").read_text("utf-8")
    texts = [(ROOT / "replay" / "rulings" / f"{name}.py").read_text("utf-8") for name in modules]
    flags = set(re.findall(r'Flag\("([A-Z_]+)"', "".join(texts)))

    assert len(flags) > 8
    assert [name for name in edition.issues if f"`{name}`" not in page] == []
    assert [flag for flag in sorted(flags) if f"`{flag}`" not in page] == []
    assert [name for name in edition.paytables if f"`{name}`" not in page] == []
    kinds = [bet for bet in edition.bets if f"`{bet}`" not in page and f"`{bet}:" not in page]
    between = {"2_lo", "3_lo", "4_lo", "5_lo", "4_hi", "5_hi"}  # the page says `1_lo` to `6_lo`
    assert set(kinds) <= between

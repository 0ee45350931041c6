"""Bars for paper: one scale, zero in the middle where something is below it."""

import re

from audit.drawing.bars import Bar, bars


def widths(picture: str) -> list[float]:
    """How long the bars are."""
    return [float(found) for found in re.findall(r'<rect [^>]*width="([\d.]+)"', picture)]


def test_bars_share_one_scale() -> None:
    long, short, none = widths(bars([Bar("a", 40, "40"), Bar("b", -10, "-10"), Bar("c", 0, "0")]))

    assert long == 4 * short
    assert none == 0


def test_labels_are_words_and_no_code() -> None:
    assert "<b>" not in bars([Bar("<b>", 1, "<b>")])


def test_bars_of_nothing_have_no_length() -> None:
    assert widths(bars([Bar("a", 0, "0")])) == [0]
    assert widths(bars([])) == []

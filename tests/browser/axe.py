"""axe-core over an open page: what a person with a screen reader or weak sight would run into."""

from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]  # it ships no types
from playwright.sync_api import Page

SOURCE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
GRAVE = ("serious", "critical")


def grave(page: Page) -> list[str]:
    """The serious violations of a page, each with the first elements that it concerns."""
    page.evaluate(SOURCE.read_text("utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations']}).then((seen) => seen.violations)"
    )
    return [
        f"{each['id']}: {[node['target'] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in GRAVE
    ]

"""Every link and every path in the documents leads to a file that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")],
    key=lambda page: page.as_posix(),
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:schemas|ingest|replay|vision|audit|tests|docs|bench)/[\w./-]+)`")
# Decisions and the changelog keep the names of their time.
OF_TODAY = [page for page in PAGES if page.name != "CHANGELOG.md" and "decisions" not in page.parts]


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(_prose(page)) if "://" not in link]

    assert [link for link in links if not _leads_somewhere(page, link)] == []


@pytest.mark.parametrize("page", OF_TODAY, ids=_name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    named = set(PATH.findall(page.read_text("utf-8")))

    assert sorted(path for path in named if not (ROOT / path).exists()) == []


def test_every_page_of_docs_is_linked_from_another() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in LINK.findall(_prose(page))
        if "://" not in link
    }
    folders = {path for path in linked if path.is_dir()}

    assert len(PAGES) > 30
    assert [
        _name(page)
        for page in PAGES
        if page not in linked and page.name != "README.md" and page.parent not in folders
    ] == []


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, heading = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not heading or heading in map(_anchor, _headings(target))


def _headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)


def _anchor(heading: str) -> str:
    """A heading's anchor, as hosts of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _prose(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)

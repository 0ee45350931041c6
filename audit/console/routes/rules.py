"""The rulebook room: clauses, editions, rule issues, paytables and what each bet returns."""

from fractions import Fraction
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.checks import case_rows
from audit.cli.errors import Code, Stopped
from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.roles import Action
from audit.pages import edition as edition_page
from replay import rulebooks
from replay.rulebooks.edition import Edition
from replay.theory import per_cent, printed, returns_on_file

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_RULES)]


@router.get("/rules")
def room(visit: Visitor) -> Response:
    """Every edition."""
    visit.saw("rulebooks")
    return rendering.page(visit, "rules.html", edition=None, editions=list(rulebooks.editions()))


@router.get("/rules/{code}")
def book(visit: Visitor, code: str, edition: str = "") -> Response:
    """One edition with its clauses and paytables; the newest where none is named."""
    visit.saw(f"rulebook {code}")
    found = _edition(code, edition)
    told = edition_page.document(found)
    issues: dict[str, list[Any]] = {}
    for issue in found.issues.values():
        issues.setdefault(issue.anchor, []).append(issue)
    return rendering.page(
        visit,
        "rules.html",
        edition=found,
        issues=issues,
        paytables=told["paytables"],
        returns=_returns(found),
    )


@router.get("/api/rules")
def room_as_data(visit: Visitor) -> dict[str, Any]:
    """Every edition, without its clauses."""
    visit.saw("rulebooks")
    return {
        "editions": [
            {
                "code": each.code,
                "number": each.number,
                "title": each.title,
                "effective": str(each.effective),
                "clauses": len(each.clauses),
                "issues": sorted(each.issues),
                "paytables": sorted(each.paytables),
            }
            for each in rulebooks.editions()
        ]
    }


@router.get("/api/rules/{code}")
def book_as_data(visit: Visitor, code: str, edition: str = "") -> dict[str, Any]:
    """One edition as data."""
    visit.saw(f"rulebook {code}")
    return edition_page.document(_edition(code, edition))


def _edition(code: str, number: str) -> Edition:
    found = [
        each for each in rulebooks.editions() if each.code == code and number in ("", each.number)
    ]
    if not found:
        raise Stopped(f"no rulebook {code} {number}".strip(), "/rules lists them", Code.NOT_FOUND)
    return max(found, key=lambda each: each.effective)


def _returns(edition: Edition) -> list[dict[str, str]]:
    """What each bet returns, exactly; per cent to four places for people."""
    rows = []
    for code, number, paytable, bet, value, _ in returns_on_file.figures():
        if (code, number) == (edition.code, edition.number):
            percent = per_cent(value) if value is not None else ""
            certified = _certified(edition, bet, value)
            rows.append(
                {"paytable": paytable, "bet": bet, "percent": percent, "certified": certified}
            )
    return rows


def _certified(edition: Edition, bet: str, value: Fraction | None) -> str:
    """The certificate's range for a bet, marked where the exact return lies outside of it."""
    covered = case_rows.covered(edition)
    if not edition.certified or (covered is not None and bet not in covered):
        return ""
    low, high = edition.certified
    outside = value is not None and not low <= printed(value) <= high
    return f"{per_cent(low, 2)} – {per_cent(high, 2)}{' ✗' if outside else ''}"


table_files.add(router, "rules", room_as_data, "editions")

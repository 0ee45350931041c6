"""The check shelf: what the audit looks for, why, and by which query."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.checks import catalogue, findings, reviews
from audit.cli.errors import Code, Stopped
from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.roles import Action
from audit.pages import check as check_page

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_CHECKS)]
EXAMPLES = 3  # findings of a check that stand beside its query


@router.get("/checks")
def shelf(visit: Visitor) -> Response:
    """Every check."""
    return _shelf(visit, "")


@router.get("/checks/{check_id}")
def one(visit: Visitor, check_id: str) -> Response:
    """One check beside the shelf."""
    return _shelf(visit, check_id)


@router.get("/api/checks")
def checks_as_data(visit: Visitor) -> dict[str, Any]:
    """Every check's header as data."""
    visit.saw("checks")
    return {name: check_page.document(check) for name, check in catalogue.checks().items()}


def _shelf(visit: Visit, check_id: str) -> Response:
    visit.saw(f"checks {check_id}".strip())
    known = catalogue.checks()
    if check_id and check_id not in known:
        raise Stopped(f"no check {check_id!r}", "/checks lists them", Code.NOT_FOUND)
    with visit.request.app.state.snapshot.cursor() as db:
        rows = db.execute(
            "select check_id, count(*), sum(house_minor + player_minor)::bigint from findings"
            " where state <> 'gone' group by check_id"
        ).fetchall()
        found = findings.read(db, findings.Wanted(checks=(check_id,))) if check_id else []
    return rendering.page(
        visit,
        "checks.html",
        checks=list(known.values()),
        check=known.get(check_id),
        examples=[each for each in found if each.round_id and visit.sees(each.table_id)][:EXAMPLES],
        precision=reviews.load(visit.request.app.state.place.home).precision(check_id),
        counts={name: (n, minor) for name, n, minor in rows},
    )


table_files.add(router, "checks", checks_as_data, "")

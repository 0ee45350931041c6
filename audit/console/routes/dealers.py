"""The dealer sheet: what each dealer dealt, and what was found in it."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.questions import people
from audit.console.roles import Action

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_DEALERS)]


@router.get("/dealers")
def sheet(visit: Visitor) -> Response:
    """Every dealer."""
    visit.saw("dealers")
    with visit.request.app.state.snapshot.cursor() as db:
        found = people.dealers(db, visit.session.account.pit)
    return rendering.page(visit, "dealers.html", dealers=found)


@router.get("/api/dealers")
def sheet_as_data(visit: Visitor) -> dict[str, Any]:
    """The same as data; amounts are text."""
    visit.saw("dealers")
    with visit.request.app.state.snapshot.cursor() as db:
        found = people.dealers(db, visit.session.account.pit)
    texts = ("house_minor", "player_minor")
    return {
        "dealers": [
            {k: str(v) if k in texts else v for k, v in each._asdict().items()} for each in found
        ]
    }


table_files.add(router, "dealers", sheet_as_data, "dealers")

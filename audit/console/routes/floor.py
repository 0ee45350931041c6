"""The floor wall: which table needs eyes."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.console import rendering, standing, table_files
from audit.console.guard import Visit, asks
from audit.console.questions import floor as question
from audit.console.questions.floor import Floor, TableTile
from audit.console.roles import Action
from audit.console.titles import titles

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_FLOOR)]


@router.get("/floor")
def wall(visit: Visitor, pit: str = "") -> Response:
    """Every table as a tile, those that need eyes first."""
    visit.saw("floor")
    whole = _floor(visit)
    pits = sorted({tile.table_id[:1] for tile in whole.tiles})
    shown = Floor([tile for tile in whole.tiles if tile.table_id.startswith(pit)])
    return rendering.page(visit, "floor.html", floor=shown, pit=pit, pits=pits, titles=titles())


@router.get("/api/floor")
def tiles(visit: Visitor) -> dict[str, Any]:
    """Every table as data."""
    visit.saw("floor")
    return {"tables": [_told(tile) for tile in _floor(visit).tiles]}


def _told(tile: TableTile) -> dict[str, Any]:
    """A table as data; amounts are text."""
    amounts = {name: str(getattr(tile, name)) for name in ("house_minor", "player_minor")}
    return {**tile._asdict(), **amounts, "state": tile.state}


def _floor(visit: Visit) -> Floor:
    with standing.findings(visit) as db:
        return question.floor(db, visit.session.account.pit, standing.cleared(visit))


table_files.add(router, "floor", tiles, "tables")

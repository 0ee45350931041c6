"""Wheels, dice and shoes."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.cli.errors import Code, Stopped
from audit.console import histogram, rendering
from audit.console.guard import Visit, asks
from audit.console.questions import devices as question
from audit.console.roles import Action
from audit.console.titles import titles

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_DEVICES)]


@router.get("/devices")
def every(visit: Visitor) -> Response:
    """The list, with the first device beside it."""
    return _page(visit, "")


@router.get("/devices/{table_id}")
def one(visit: Visitor, table_id: str) -> Response:
    """One table's device."""
    return _page(visit, table_id)


@router.get("/api/devices")
def devices_as_data(visit: Visitor) -> dict[str, Any]:
    """Every wheel, set of dice and shoe."""
    visit.saw("devices")
    with visit.request.app.state.snapshot.cursor() as db:
        known = question.devices(db, visit.session.account.pit)
    return {"devices": [each._asdict() for each in known]}


@router.get("/api/devices/{table_id}")
def device_as_data(visit: Visitor, table_id: str) -> dict[str, Any]:
    """What came out of one table's wheel, dice or shoes."""
    visit.saw(f"devices {table_id}")
    _, chosen, shown = _found(visit, table_id)
    counted = shown["histogram"]
    return {
        "device": chosen._asdict() if chosen else None,
        "histogram": counted._asdict() | {"chi_square": counted.chi_square} if counted else None,
        "shoes": [each._asdict() | {"cards": each.cards} for each in shown["shoes"]],
    }


def _found(
    visit: Visit, table_id: str
) -> tuple[list[question.TableDevice], question.TableDevice | None, dict[str, Any]]:
    """The devices, the chosen one, and what is shown of it."""
    with visit.request.app.state.snapshot.cursor() as db:
        known = question.devices(db, visit.session.account.pit)
        chosen = next((each for each in known if table_id in ("", each.table_id)), None)
        if table_id and chosen is None:
            what = f"no wheel, dice or shoe at table {table_id}"
            raise Stopped(what, "/devices lists them", Code.NOT_FOUND)
        shown: dict[str, Any] = {"histogram": None, "shoes": []}
        if chosen and chosen.kind == "wheel":
            shown["histogram"] = question.wheel(db, chosen.table_id)
        elif chosen and chosen.kind == "dice":
            shown["histogram"] = question.dice(db, chosen.table_id)
        elif chosen:
            shown["shoes"] = question.shoes(db, chosen.table_id)
    return known, chosen, shown


def _page(visit: Visit, table_id: str) -> Response:
    visit.saw(f"devices {table_id}".strip())
    known, chosen, shown = _found(visit, table_id)
    found = shown["histogram"]
    return rendering.page(
        visit,
        "devices.html",
        devices=known,
        chosen=chosen,
        titles=titles(),
        picture=histogram.picture(found, chosen.table_id) if found and chosen else "",
        few=question.FEW,
        **shown,
    )

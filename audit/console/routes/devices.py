"""Wheels, dice and shoes."""

from collections.abc import Callable
from math import log, log10
from typing import Annotated, Any

import duckdb
from fastapi import APIRouter
from fastapi.responses import Response

from audit.cli.errors import Code, Stopped
from audit.console import histogram, rendering, table_files, words
from audit.console.guard import Visit, asks
from audit.console.questions import chance
from audit.console.questions import devices as question
from audit.console.roles import Action
from audit.console.titles import titles

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_DEVICES)]
CHART_WORDS = ("Odds", "told from here on")


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
    evidence = shown["evidence"]
    return {
        "evidence": evidence and evidence._asdict() | {"alarm_odds": chance.ALARM},
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
        return known, chosen, _shown(db, chosen)


def _shown(db: duckdb.DuckDBPyConnection, chosen: question.TableDevice | None) -> dict[str, Any]:
    """What came out of the device, and how strongly it speaks against chance."""
    nothing: dict[str, Any] = {
        "histogram": None,
        "shoes": [],
        "evidence": None,
        "unread": (0, 0),
        "power": [],
    }
    if chosen is None:
        return nothing
    if chosen.kind == "shoe":
        return nothing | {"shoes": question.shoes(db, chosen.table_id)}
    counted = question.wheel if chosen.kind == "wheel" else question.dice
    power = chance.could_have_seen(db, chosen.results) if chosen.kind == "wheel" else []
    return nothing | {
        "histogram": counted(db, chosen.table_id),
        "evidence": chance.evidence(db, chosen.table_id),
        "unread": question.unread(db, chosen.table_id, chosen.kind),
        "power": power,
    }


def _chart(evidence: chance.ChanceEvidence | None, spoken: Callable[[str], str]) -> dict[str, Any]:
    """The odds against chance after so many results, for the browser to draw."""
    if evidence is None:
        return {}
    return {
        "x": list(evidence.results),
        "series": [
            {"name": spoken(CHART_WORDS[0]), "values": [e / log(10) for e in evidence.evidence]}
        ],
        "powers": True,
        "line": {"at": log10(chance.ALARM), "name": spoken(CHART_WORDS[1])},
    }


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
        picture=histogram.picture(found, chosen.table_id, is_wheel=chosen.kind == "wheel")
        if found and chosen
        else "",
        few=question.FEW,
        shoe_pictures={
            each.shoe_id: histogram.picture(each.dealt, each.shoe_id) for each in shown["shoes"]
        },
        alarm=chance.ALARM,
        chart=_chart(shown["evidence"], words.translations(visit.language).gettext),
        **shown,
    )


table_files.add(router, "devices", devices_as_data, "devices")

"""The access log: who looked at what, the newest first."""

from datetime import datetime, timedelta
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.access import access_log
from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.roles import Action
from schemas.events import AccessRecorded

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_ACCESS)]
PAGE = 300
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  (UTC without a zone, as in the tables)


@router.get("/access")
def looks(visit: Visitor, who: str = "", refused: bool = False, subject: str = "") -> Response:
    """The records, filtered."""
    visit.saw("access log")
    found, total = _found(visit, who, subject, refused=refused)
    return rendering.page(
        visit,
        "access.html",
        records=found,
        total=total,
        who=who,
        subject=subject,
        refused=refused,
        at=lambda us: EPOCH + timedelta(microseconds=us),
    )


@router.get("/api/access")
def looks_as_data(
    visit: Visitor, who: str = "", refused: bool = False, subject: str = ""
) -> dict[str, Any]:
    """The same as data."""
    visit.saw("access log")
    found, total = _found(visit, who, subject, refused=refused)
    names = ("number", "recorded_at", "person_id", "user", "action", "command", "kind", "refusal")
    return {
        "records": [
            {name: getattr(each, name) for name in names} | {"subjects": list(each.subjects)}
            for each in found
        ],
        "total": total,
    }


def _found(
    visit: Visit, who: str, subject: str, *, refused: bool
) -> tuple[list[AccessRecorded], int]:
    every = [
        each
        for each in access_log.records(visit.request.app.state.place.home)
        if (not who or who in (each.person_id, each.user))
        and (not refused or each.refusal)
        and (not subject or any(subject in name for name in each.subjects))
    ]
    return list(islice(reversed(every), PAGE)), len(every)


table_files.add(router, "access", looks_as_data, "records")

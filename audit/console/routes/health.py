"""Health: devices, clocks, gaps, the file that pages read, the last checkpoint."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.questions import health as question
from audit.console.questions import sealed
from audit.console.roles import Action
from audit.house import doctor

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_HEALTH)]


@router.get("/health")
def health(visit: Visitor, whole: bool = False) -> Response:
    """Every device, those that need eyes first, and the state of the installation.

    Whether every event and derived file is as it was takes long, so it is looked at when asked.
    """
    visit.saw("health")
    state = visit.request.app.state
    with state.snapshot.cursor() as db:
        devices = question.devices(db, visit.session.account.pit)
        failed = question.failed(db)
    return rendering.page(
        visit,
        "health.html",
        devices=devices,
        failed=failed,
        installation=list(doctor.look(state.place.home, state.place.kafka, whole=whole)),
        whole=whole,
        seal=sealed.standing(state.place.home),
        swapped=state.snapshot.swapped(),
    )


@router.get("/api/health")
def health_as_data(visit: Visitor) -> dict[str, Any]:
    """Every device as data."""
    visit.saw("health")
    with visit.request.app.state.snapshot.cursor() as db:
        devices = question.devices(db, visit.session.account.pit)
    return {
        "devices": [each._asdict() | {"needs_eyes": each.needs_eyes} for each in devices],
        "seal": sealed.standing(visit.request.app.state.place.home)._asdict(),
        "data": visit.request.app.state.freshness(),
    }


table_files.add(router, "health", health_as_data, "devices")

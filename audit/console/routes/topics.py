"""The log browser: records of any stream, decoded beside their bytes; dead letters taken again."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from audit.cli.errors import Code, Stopped
from audit.console import rendering
from audit.console.guard import Visit, asks
from audit.console.questions import streams
from audit.console.roles import Action

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_TOPICS)]


@router.get("/topics")
def browse(
    visit: Visitor,
    stream: str = "",
    partition: str = "",
    first: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> Response:
    """The streams, and the records of one partition."""
    home = visit.request.app.state.place.home
    known = streams.partitions(home)
    _require_known(stream, partition, known)
    visit.saw(f"stream {stream}/{partition} {first if first is not None else 'newest'}")
    chosen = (stream, partition) if partition else None
    return rendering.page(
        visit,
        "topics.html",
        known=known,
        chosen=chosen,
        shown=streams.page(home, stream, partition, first) if chosen else None,
        step=streams.PAGE,
    )


@router.get("/api/topics")
def browse_as_data(
    visit: Visitor,
    stream: str = "",
    partition: str = "",
    first: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> dict[str, Any]:
    """The streams, and the records of one partition, as data."""
    home = visit.request.app.state.place.home
    known = streams.partitions(home)
    _require_known(stream, partition, known)
    visit.saw(f"stream {stream}/{partition} {first if first is not None else 'newest'}")
    shown = streams.page(home, stream, partition, first) if partition else None
    records = [each._asdict() for each in shown.records] if shown else []
    return {"streams": known, "records": records}


def _require_known(stream: str, partition: str, known: dict[str, tuple[str, ...]]) -> None:
    if stream and stream not in known:
        raise Stopped(f"no stream {stream!r}", "/topics lists them", Code.NOT_FOUND)
    if partition and partition not in known.get(stream, ()):
        raise Stopped(f"no {stream}/{partition}", "/topics lists them", Code.NOT_FOUND)

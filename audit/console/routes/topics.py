"""The log browser: records of any stream, decoded beside their bytes; dead letters taken again."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from audit.cli.errors import Code, Stopped
from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.questions import streams
from audit.console.roles import Action
from audit.house import redrive as house_redrive
from ingest.local.log import LocalLog
from ingest.log import DEAD_LETTERS

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
        letters=streams.letters(home) if stream == DEAD_LETTERS else [],
        became="",
    )


@router.post("/topics/dlq/{letter_id}/redrive")
def redrive(visit: Annotated[Visit, asks(Action.REDRIVE)], letter_id: str) -> Response:
    """Try a dead letter again with today's schemas, as `roundproof dlq redrive` does."""
    place = visit.request.app.state.place
    if letter_id not in {each.id for each in streams.letters(place.home)}:
        raise Stopped("no such dead letter", "/topics?stream=dlq lists them", Code.NOT_FOUND)
    visit.saw(letter_id, "redrove dead letter")
    root = place.home / "log"
    found, waits = house_redrive.redriven(
        root, LocalLog(root), [letter_id], place.kafka, dry_run=False
    )
    said = " · ".join(filter(None, (found.get(letter_id, ""), waits)))
    known = streams.partitions(place.home)
    return rendering.page(
        visit,
        "topics.html",
        known=known,
        chosen=None,
        shown=None,
        step=streams.PAGE,
        letters=streams.letters(place.home),
        became=f"{letter_id}: {said}",
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


table_files.add(router, "topics", browse_as_data, "records")

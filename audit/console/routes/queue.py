"""The finding queue: what to look at next."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse

from audit.checks import catalogue
from audit.checks import findings as findings_on_file
from audit.checks.run import CheckFinding
from audit.cli import times
from audit.cli.errors import Code, Stopped
from audit.console import rendering
from audit.console.guard import Visit, asks
from audit.console.questions import queue as question
from audit.console.questions.queue import ORDERS, QueueFilter
from audit.console.roles import Action
from audit.pages import finding as finding_page

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_FINDINGS)]
ORDER_WORDS = (("money", "Costliest first"), ("newest", "Newest first"), ("table", "By table"))


@router.get("/queue")
def findings(
    visit: Visitor,
    severity: str = "",
    table: str = "",
    check: str = "",
    sure: str = "",
    state: str = "open",
    order: str = "money",
) -> Response:
    """The list, with the first finding beside it."""
    visit.saw("findings")
    wanted = _wanted(visit, severity, table, check, sure, state, order)
    with visit.request.app.state.snapshot.cursor() as db:
        found = question.queue(db, wanted)
        ((rounds,),) = db.execute("select count(*) from rounds").fetchall()
        first = _detail(visit, db, found.rows[0].finding_id) if found.rows else {}

    def link(**changed: str) -> str:
        asked = {name: value for name, value in wanted._asdict().items() if name != "pit"}
        return "/queue?" + urlencode({k: v for k, v in (asked | changed).items() if v})

    return rendering.page(
        visit,
        "queue.html",
        queue=found,
        wanted=wanted,
        orders=ORDER_WORDS,
        link=link,
        ran={"checks": len(catalogue.checks()), "rounds": rounds},
        **first,
    )


@router.get("/queue/{finding_id}")
def finding(visit: Visitor, finding_id: str) -> Response:
    """One finding, for the panel beside the list."""
    visit.saw(finding_id)
    with visit.request.app.state.snapshot.cursor() as db:
        return rendering.page(visit, "finding.html", **_detail(visit, db, finding_id))


@router.get("/api/findings")
def findings_as_data(
    visit: Visitor,
    severity: str = "",
    table: str = "",
    check: str = "",
    sure: str = "",
    state: str = "open",
    order: str = "money",
) -> dict[str, Any]:
    """The same list as data; amounts are text."""
    visit.saw("findings")
    wanted = _wanted(visit, severity, table, check, sure, state, order)
    with visit.request.app.state.snapshot.cursor() as db:
        found = question.queue(db, wanted)
    rows = [
        row._asdict() | {"house_minor": str(row.house_minor), "player_minor": str(row.player_minor)}
        for row in found.rows
    ]
    return {"findings": rows, "total": found.total, "open": found.counts}


def _wanted(
    visit: Visit, severity: str, table: str, check: str, sure: str, state: str, order: str
) -> QueueFilter:
    for word, known in (
        (severity, ("", "S1", "S2", "S3", "S4")),
        (sure, ("", "certain", "possible")),
        (state, ("open", "gone", "all")),
        (order, tuple(ORDERS)),
    ):
        if word not in known:
            what = f"one of {', '.join(filter(None, known))} expected, {word!r} found"
            raise Stopped(what, "/queue lists every open finding", Code.USAGE)
    pit = visit.session.account.pit
    return QueueFilter(severity, table, check, sure, state, order, pit)


def _detail(visit: Visit, db: Any, finding_id: str) -> dict[str, Any]:
    found = [
        each
        for each in findings_on_file.read(db, findings_on_file.Wanted(gone=True))
        if each.finding_id == finding_id and visit.sees(each.table_id)
    ]
    if not found:
        raise Stopped(f"no finding {finding_id}", "/queue lists the findings", Code.NOT_FOUND)
    whole = finding_page.whole(db, found[0])
    told: CheckFinding = whole.finding
    zone = "UTC" if visit.zone_is_utc else visit.request.app.state.zone
    return {
        "finding": told,
        "clauses": whole.clauses,
        "seen_at": times.local(whole.seen_at, zone) if whole.seen_at else "",
        "check": catalogue.checks().get(told.check_id),
    }


@router.get("/live")
async def live(visit: Visitor) -> Response:
    """A line that stays open and says when there is something new."""
    visit.saw("live findings")
    feed = visit.request.app.state.feed
    if feed.full:
        what = "as many browsers listen as there are places for"
        raise Stopped(what, "reload the page from time to time", Code.UNREACHABLE)
    return StreamingResponse(
        feed.news(visit.request.is_disconnected),
        media_type="text/event-stream",
        headers={"cache-control": "no-store"},
    )

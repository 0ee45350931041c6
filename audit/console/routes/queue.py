"""The finding queue: what to look at next."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query
from fastapi.responses import Response, StreamingResponse

from audit.checks import catalogue, reviews
from audit.checks import findings as findings_on_file
from audit.checks.reviews import ReviewBook, ReviewRefused
from audit.checks.run import CheckFinding
from audit.cli import screen, times
from audit.cli.errors import Code, Stopped
from audit.console import rendering, standing, table_files, words
from audit.console.guard import Visit, asks
from audit.console.questions import queue as question
from audit.console.questions.case import spoken
from audit.console.questions.queue import ORDERS, QueueFilter
from audit.console.roles import Action
from audit.console.routes.cases import find_round
from audit.pages import finding as finding_page

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_FINDINGS)]
Worker = Annotated[Visit, asks(Action.WORK_FINDINGS)]
Skip = Annotated[int, Query(ge=0, le=1_000_000)]
UNSAID = ("pit", "skip")  # of a filter's address; another list begins with its first page
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
    skip: Skip = 0,
) -> Response:
    """The list, with the first finding beside it."""
    visit.saw("findings")
    wanted = _wanted(visit, severity, table, check, sure, state, order)._replace(skip=skip)
    with standing.findings(visit) as db:
        book = reviews.load(visit.request.app.state.place.home)
        found = question.queue(db, wanted, book.cleared)
        ((rounds,),) = db.execute("select count(*) from rounds").fetchall()
        first = _detail(visit, db, found.rows[0].finding_id, book) if found.rows else {}

    def link(**changed: str | int) -> str:
        asked = {name: value for name, value in wanted._asdict().items() if name not in UNSAID}
        return "/queue?" + urlencode({k: v for k, v in (asked | changed).items() if v})

    return rendering.page(
        visit,
        "queue.html",
        queue=found,
        wanted=wanted,
        orders=ORDER_WORDS,
        page_rows=question.PAGE,
        link=link,
        ran={"checks": len(catalogue.checks()), "rounds": rounds},
        book=book,
        verb_words=VERB_WORDS,
        state_after=reviews.STATE_AFTER,
        **first,
    )


@router.get("/queue/{finding_id}")
def finding(visit: Visitor, finding_id: str) -> Response:
    """One finding, for the panel beside the list."""
    visit.saw(finding_id)
    return _panel(visit, finding_id)


@router.post("/queue/{finding_id}/reviews")
def review(
    visit: Worker,
    finding_id: str,
    verb: Annotated[str, Form()],
    reason: Annotated[str, Form(max_length=4000)] = "",
    to: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Act on a finding as `roundproof findings` does: take note, assign, judge, close, reopen."""
    state = visit.request.app.state
    if verb not in reviews.STATE_AFTER:
        what = f"one of {', '.join(reviews.STATE_AFTER)} expected, {verb!r} found"
        raise Stopped(what, "/queue lists the findings", Code.USAGE)
    visit.saw(finding_id, f"findings {verb}")
    with standing.findings(visit) as db:
        found = _found(visit, db, finding_id)
    try:
        asked = reviews.asked_of(
            found,
            visit.actor,
            verb,
            int(state.now() * 1e6),
            reason=screen.encodable(reason).strip(),
            to=screen.encodable(to).strip(),
        )
        reviews.review(state.place.home, found, _staff(visit, found), asked)
    except ReviewRefused as error:
        visit.refused(finding_id, f"findings {verb}", str(error))
        said = spoken(error.need, words.translations(visit.language).gettext)
        return _panel(visit, finding_id, problem=said)
    state.feed.say()
    return _panel(visit, finding_id)


def _panel(visit: Visit, finding_id: str, problem: str = "") -> Response:
    """The panel beside the list; htmx shows it, whatever became of the request."""
    plain = problem and not visit.request.headers.get("hx-request")
    book = reviews.load(visit.request.app.state.place.home)
    with standing.findings(visit) as db:
        shown = _detail(visit, db, finding_id, book)
    return rendering.page(
        visit,
        "finding.html",
        403 if plain else 200,
        **shown | {"book": book, "problem": problem, "verb_words": VERB_WORDS},
        state_after=reviews.STATE_AFTER,
    )


def _staff(visit: Visit, found: CheckFinding) -> tuple[str, ...]:
    """Who was on duty in the round of a finding; nobody where it concerns no single round."""
    if not found.round_id:
        return ()
    located = find_round(visit, found.table_id, found.round_id)
    return tuple(located.judged.round.staff.values())


@router.get("/api/findings")
def findings_as_data(
    visit: Visitor,
    severity: str = "",
    table: str = "",
    check: str = "",
    sure: str = "",
    state: str = "open",
    order: str = "money",
    skip: Skip = 0,
) -> dict[str, Any]:
    """The same list as data; amounts are text."""
    visit.saw("findings")
    wanted = _wanted(visit, severity, table, check, sure, state, order)._replace(skip=skip)
    with standing.findings(visit) as db:
        book = reviews.load(visit.request.app.state.place.home)
        found = question.queue(db, wanted, book.cleared)
    rows = [
        row._asdict()
        | {"house_minor": str(row.house_minor), "player_minor": str(row.player_minor)}
        | {"life": book.life(row.finding_id).state, "owner": book.life(row.finding_id).owner}
        for row in found.rows
    ]
    return {"findings": rows, "total": found.total, "open": found.counts}


@router.get("/api/findings/{finding_id}")
def finding_as_data(visit: Visitor, finding_id: str) -> dict[str, Any]:
    """One finding as data, with the texts of its clauses."""
    visit.saw(finding_id)
    book = reviews.load(visit.request.app.state.place.home)
    with standing.findings(visit) as db:
        shown = _detail(visit, db, finding_id, book)
    told = finding_page.document(shown["finding"])
    life = {"life": shown["life"].state, "owner": shown["life"].owner}
    return told | life | {"clause_texts": shown["clauses"], "seen_at": shown["seen_at"]}


def _wanted(
    visit: Visit, severity: str, table: str, check: str, sure: str, state: str, order: str
) -> QueueFilter:
    for word, known in (
        (severity, ("", "S1", "S2", "S3", "S4")),
        (sure, ("", "certain", "possible")),
        (state, ("open", "cleared", "gone", "all")),
        (order, tuple(ORDERS)),
    ):
        if word not in known:
            what = f"one of {', '.join(filter(None, known))} expected, {word!r} found"
            raise Stopped(what, "/queue lists every open finding", Code.USAGE)
    pit = visit.session.account.pit
    return QueueFilter(severity, table, check, sure, state, order, pit)


def _found(visit: Visit, db: Any, finding_id: str) -> CheckFinding:
    for each in findings_on_file.named(db, finding_id):
        if each.finding_id == finding_id and visit.sees(each.table_id):
            return each
    raise Stopped(f"no finding {finding_id}", "/queue lists the findings", Code.NOT_FOUND)


def _detail(visit: Visit, db: Any, finding_id: str, book: ReviewBook) -> dict[str, Any]:
    whole = finding_page.whole(db, _found(visit, db, finding_id))
    told: CheckFinding = whole.finding
    known = db.execute(
        "select 1 from rounds where table_id = ? and round_id = ?", [told.table_id, told.round_id]
    ).fetchone()
    zone = "UTC" if visit.zone_is_utc else visit.request.app.state.zone
    return {
        "finding": told,
        "clauses": whole.clauses,
        "seen_at": times.local(whole.seen_at, zone) if whole.seen_at else "",
        "check": catalogue.checks().get(told.check_id),
        "is_derived": known is not None,
        "life": book.life(finding_id),
        "verbs": VERBS[book.life(finding_id).state] if told.state != "gone" else (),
        "precision": book.precision(told.check_id),
        "problem": "",
    }


# What may be done to a finding, by how far it is; the words stand on its buttons.
VERBS = {
    "new": ("ack", "assign", "explain", "false", "confirm"),
    "acknowledged": ("assign", "explain", "false", "confirm"),
    "in_review": ("assign", "explain", "false", "confirm"),
    "confirmed": ("close", "assign", "explain", "false"),
    "explained": ("close", "reopen", "confirm", "false"),
    "false": ("close", "reopen", "confirm", "explain"),
    "closed": ("reopen",),
}
VERB_WORDS = {
    "explain": "Explained, harmless",
    "false": "False, it did not happen",
    "confirm": "Confirmed",
    "close": "Close",
    "reopen": "Open again",
}


@router.get("/live")
async def live(visit: Visitor) -> Response:
    """A line that stays open and says when there is something new."""
    visit.saw("live findings")
    feed = visit.request.app.state.feed
    if not feed.reserve(visit.who):
        what = "as many browsers listen as there are places for"
        raise Stopped(what, "reload the page from time to time", Code.UNREACHABLE)
    return StreamingResponse(
        feed.news(visit.who, visit.request.is_disconnected),
        media_type="text/event-stream",
        headers={"cache-control": "no-store"},
    )


table_files.add(router, "queue", findings_as_data, "findings")

"""The console as one ASGI application: routes, sessions, the snapshot, errors as pages."""

import time
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from audit.cli.errors import Code, Stopped, explained
from audit.console import guard, rendering
from audit.console.accounts import Accounts
from audit.console.guard import ACTION, Forbidden, ForgedRequest, Recorder, SignInFirst, Visit
from audit.console.headers import Shield
from audit.console.live import Feed
from audit.console.located import Rounds
from audit.console.oidc import OidcClient, OidcDoor
from audit.console.packs import Drafts
from audit.console.published import LiveFindings
from audit.console.remarks import Remarks
from audit.console.roles import Action, needs
from audit.console.routes import ROUTERS, sign_in
from audit.console.sessions import Sessions
from audit.console.snapshot import NothingDerived, Snapshot
from audit.console.store import ConsoleStore
from audit.console.throttle import Throttle
from ingest.kafka.client import Kafka
from ingest.service_log import log
from replay.tables.parquet import DerivedCorrupt

TRACED = 6  # innermost calls of an unforeseen error that the log shows
STATIC = Path(__file__).parent / "static"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "testserver"})
STATUS = {
    Code.USAGE: 400,
    Code.NOT_FOUND: 404,
    Code.UNVERIFIED: 409,
    Code.UNREACHABLE: 503,
    Code.NOT_ALLOWED: 403,
    Code.TOO_SLOW: 408,
    Code.TOO_LARGE: 413,
}


class ConsolePlace(NamedTuple):
    """Where a console stands: its house, its venue, and how it may be reached."""

    home: Path
    zone: str
    hosts: frozenset[str] = LOOPBACK
    tls: bool = False
    jurisdiction: str = "VN"  # whose duties apply to new cases
    kafka: Kafka | None = None  # where `watch` publishes its findings
    oidc: OidcClient | None = None  # where people sign in besides


def make_app(
    place: ConsolePlace, record: Recorder, now: Callable[[], float] = time.time
) -> FastAPI:
    """The application; every route names the action it asks for, or it does not start."""
    app = FastAPI(
        title="Roundproof console",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_lifespan,
    )
    store = app.state.store = ConsoleStore(place.home)
    app.state.place, app.state.zone, app.state.tls = place, place.zone, place.tls
    app.state.now, app.state.record = now, record
    app.state.accounts = Accounts(store, now)
    app.state.sessions = Sessions(store, app.state.accounts, now)
    app.state.oidc = OidcDoor(place.oidc, store, app.state.accounts, now) if place.oidc else None
    app.state.throttle = Throttle(store, now)
    app.state.remarks = Remarks(store, now)
    app.state.snapshot = Snapshot(place.home)
    app.state.rounds = Rounds(place.home)
    app.state.drafts = Drafts(store, place.home, now)
    app.state.feed = Feed(app.state.snapshot)
    app.state.live = LiveFindings(place.kafka, app.state.feed.say) if place.kafka else None
    app.state.freshness = lambda: _freshness(app)
    app.state.places, app.state.routers = PLACES, EVERY
    _require_actions()
    for router in EVERY:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(Shield, hosts=place.hosts, tls=place.tls)
    _handle_errors(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    live = app.state.live
    if live:
        live.start()
    yield
    if live:
        live.stop()
    app.state.snapshot.close()


EVERY = (*ROUTERS, sign_in.router)


def actions() -> dict[tuple[str, str], Any]:
    """Every route with the action it asks for; None for one that is open to everybody."""
    return {
        (method, route.path_format): next(
            (
                getattr(each.call, ACTION)
                for each in route.dependant.dependencies
                if hasattr(each.call, ACTION)
            ),
            None,
        )
        for router in EVERY
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods or ())
    }


def _require_actions() -> None:
    missing = [
        path for (_, path), action in actions().items() if action is None and path not in OPEN
    ]
    assert not missing, f"routes without an action: {missing}"


# The rail: icon, address, word and the action that a place asks for.
PLACES = (
    ("floor", "/floor", "Floor", Action.SEE_FLOOR),
    ("queue", "/queue", "Queue", Action.SEE_FINDINGS),
    ("find", "/find", "Find", Action.SEE_ROUNDS),
    ("cases", "/cases", "Cases", Action.SEE_CASES),
    ("sql", "/sql", "SQL", Action.RUN_SQL),
    ("checks", "/checks", "Checks", Action.SEE_CHECKS),
    ("devices", "/devices", "Devices", Action.SEE_DEVICES),
    ("dealers", "/dealers", "Dealers", Action.SEE_DEALERS),
    ("rules", "/rules", "Rules", Action.SEE_RULES),
    ("health", "/health", "Health", Action.SEE_HEALTH),
    ("access", "/access", "Access", Action.SEE_ACCESS),
    ("topics", "/topics", "Log", Action.SEE_TOPICS),
    ("accounts", "/accounts", "Accounts", Action.MANAGE_ACCOUNTS),
)

# Pages that need no session.
OPEN = frozenset({"/sign-in", "/sign-in/oidc", "/sign-in/oidc/back", "/welcome/{token}"})


def _freshness(app: FastAPI) -> dict[str, Any]:
    """How old the data is: when the file that pages read took its place."""
    try:
        written = app.state.snapshot.swapped().written_at
    except NothingDerived:
        return {"derived": False, "age_s": 0.0}
    return {"derived": True, "age_s": max(0.0, app.state.now() - written)}


def _handle_errors(app: FastAPI) -> None:
    app.add_exception_handler(SignInFirst, _to_sign_in)
    app.add_exception_handler(Forbidden, _forbidden)
    app.add_exception_handler(ForgedRequest, _told(403))
    app.add_exception_handler(Stopped, _stopped)
    app.add_exception_handler(DerivedCorrupt, _damaged)
    app.add_exception_handler(NothingDerived, _nothing_derived)
    app.add_exception_handler(RequestValidationError, _told(422))
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _to_sign_in(request: Request, _: Exception) -> Response:
    if _wants_json(request):
        return _json(401, "sign in first", "open /sign-in in a browser")
    if request.method != "GET":
        return RedirectResponse("/sign-in", 303)
    after = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    from urllib.parse import quote

    where = f"/sign-in?ended=1&next={quote(after)}"
    if request.headers.get("hx-request"):
        return Response(status_code=401, headers={"hx-redirect": where})
    return RedirectResponse(where, 303)


async def _forbidden(request: Request, error: Exception) -> Response:
    assert isinstance(error, Forbidden)
    roles = needs(error.action)
    if _wants_json(request):
        step = f"this needs the role {' or '.join(roles)}; the attempt was recorded"
        return _json(403, str(error), step)
    visit = Visit(error.session, request, request.app.state.record)
    return rendering.page(visit, "forbidden.html", 403, action=error.action, roles=roles)


def _told(status: int) -> Callable[[Request, Exception], Any]:
    async def told(request: Request, error: Exception) -> Response:
        return await _problem(request, status, _first(error), "go back and try again")

    return told


async def _stopped(request: Request, error: Exception) -> Response:
    assert isinstance(error, Stopped)
    return await _problem(request, STATUS.get(error.code, 500), str(error), error.next_step)


async def _damaged(request: Request, error: Exception) -> Response:
    return await _stopped(request, explained(error))


async def _nothing_derived(request: Request, _: Exception) -> Response:
    what = "nothing was derived in this house yet"
    return await _problem(request, 503, what, "run roundproof replay and roundproof detect")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    step = "check the address" if error.status_code == 404 else "go back and try again"
    return await _problem(request, error.status_code, str(error.detail), step)


async def _unexpected(request: Request, error: Exception) -> Response:
    where = "".join(traceback.format_tb(error.__traceback__)[-TRACED:])
    log.error("request_failed", path=request.url.path, error=repr(error)[:400], where=where)
    what = "this page could not be made"
    return await _problem(request, 500, what, "try again; if it fails again, report the time")


async def _problem(request: Request, status: int, what: str, step: str) -> Response:
    if _wants_json(request):
        return _json(status, what, step)
    try:
        session = await guard.signed_in(request)
    except SignInFirst:
        return rendering.plain_page("en", "problem_plain.html", status, what=what, step=step)
    visit = Visit(session, request, request.app.state.record)
    return rendering.page(visit, "problem.html", status, what=what, step=step, code=status)


def _first(error: Exception) -> str:
    if isinstance(error, RequestValidationError):
        found = error.errors()[0]
        return f"{'.'.join(map(str, found['loc'][1:]))}: {found['msg']}"
    return str(error)


def _json(status: int, what: str, step: str) -> JSONResponse:
    return JSONResponse({"error": what, "next": step}, status)


def _wants_json(request: Request) -> bool:
    path = request.url.path
    return path.startswith("/api/") or path.endswith(".json")

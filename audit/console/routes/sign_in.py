"""Signing in, and the first sign-in by an invitation."""

import secrets
from typing import Annotated
from urllib.parse import urlsplit

import segno
from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from audit.console import accounts, guard, rendering
from audit.console.accounts import AccountRefused
from audit.console.oidc import BACK, PENDING_S, OidcRefused
from audit.console.roles import NEEDS_CODE
from audit.console.sessions import LONGEST_S

router = APIRouter()
STATE = "roundproof-oidc"  # the cookie of a sign-in that is at the provider
WORDS = 200  # characters of any field that is looked at


@router.get("/sign-in")
def form(request: Request, next: str = "/", ended: bool = False) -> Response:
    """The form."""
    return _form(request, next, "ended" if ended else "")


@router.post("/sign-in")
def sign_in(
    request: Request,
    name: Annotated[str, Form(max_length=WORDS)] = "",
    password: Annotated[str, Form(max_length=WORDS)] = "",
    code: Annotated[str, Form(max_length=WORDS)] = "",
    next: Annotated[str, Form(max_length=2_000)] = "/",
) -> Response:
    """Open a session if name, password and code are right; say the same whichever is wrong."""
    guard.require_own_site(request)
    state, peer = request.app.state, guard.peer(request)
    wait = state.throttle.wait_s(name, peer)
    if wait:
        state.record(name, "", "signed in", "console", refused="too many attempts")
        answer = _form(request, next, "paused", wait_s=int(wait) + 1, status=429)
        answer.headers["retry-after"] = str(int(wait) + 1)
        return answer
    account = state.accounts.proven(name, password, code.replace(" ", ""))
    if account is None:
        state.throttle.failed(name, peer)
        state.record(name, "", "signed in", "console", refused="wrong name, password or code")
        return _form(request, next, "wrong", status=401)
    state.throttle.succeeded(name)
    state.record(account.name, account.role, "signed in", "console")
    return _opened(request, account, next)


@router.get("/welcome/{token}")
def welcome(request: Request, token: str) -> Response:
    """The form of an invitation: choose a password, and set up one-time codes."""
    return _welcome(request, token)


@router.post("/welcome/{token}")
def accept(
    request: Request,
    token: str,
    password: Annotated[str, Form(max_length=WORDS)] = "",
    again: Annotated[str, Form(max_length=WORDS)] = "",
    secret: Annotated[str, Form(max_length=64)] = "",
    code: Annotated[str, Form(max_length=12)] = "",
) -> Response:
    """Use an invitation."""
    guard.require_own_site(request)
    if password != again:
        return _welcome(request, token, "the two passwords differ", secret, 400)
    try:
        account = request.app.state.accounts.accept(token, password, secret, code.replace(" ", ""))
    except AccountRefused as error:
        return _welcome(request, token, str(error), secret, 400)
    request.app.state.record(account.name, account.role, "accepted invitation", "console")
    return _opened(request, account, "/")


@router.get("/sign-in/oidc")
def to_provider(request: Request, next: Annotated[str, Query(max_length=2_000)] = "/") -> Response:
    """Send the browser to the provider."""
    state = request.app.state
    wait = state.throttle.wait_s(_caller(request), guard.peer(request))
    if state.oidc is None or wait:
        return _form(request, next, "provider", status=404 if state.oidc is None else 429)
    scheme = "https" if state.tls else "http"
    try:
        where, token = state.oidc.begin(f"{scheme}://{request.headers['host']}", own_path(next))
    except OidcRefused as error:
        return _refused_there(request, str(error))
    answer = RedirectResponse(where, 303)
    # The way back begins at another site, which a strict cookie would not survive.
    answer.set_cookie(
        STATE,
        token,
        max_age=int(PENDING_S),
        path=BACK,
        secure=state.tls,
        httponly=True,
        samesite="lax",
    )
    return answer


@router.get("/sign-in/oidc/back")
def from_provider(
    request: Request,
    state: Annotated[str, Query(max_length=WORDS)] = "",
    code: Annotated[str, Query(max_length=4_000)] = "",
    iss: Annotated[str, Query(max_length=WORDS)] = "",
) -> Response:
    """Take somebody back, whom the provider vouches for."""
    door = request.app.state.oidc
    own = request.cookies.get(STATE, "")
    if door is None:
        return _form(request, "/", "provider", status=404)
    if not code or not secrets.compare_digest(own.encode(), state.encode()):
        return _refused_there(request, "an answer to a sign-in of this browser expected")
    try:
        account, after = door.finish(state, code, iss)
    except OidcRefused as error:
        return _refused_there(request, str(error))
    request.app.state.record(account.name, account.role, "signed in", "console by provider")
    page = rendering.plain_page(_language(request), "signed_in.html", after=own_path(after))
    page.delete_cookie(STATE, path=BACK)
    return _with_session(request, account, page)


def _refused_there(request: Request, why: str) -> Response:
    """Say that it did not work; the record says why."""
    state, peer = request.app.state, guard.peer(request)
    state.throttle.failed(_caller(request), peer)
    state.record("", "", "signed in", "console by provider", refused=why)
    return _form(request, "/", "provider", status=401)


def _caller(request: Request) -> str:
    """Whom the throttle holds to account before the provider names anybody."""
    return f"provider {guard.peer(request)}"


def _opened(request: Request, account: accounts.Account, after: str) -> Response:
    return _with_session(request, account, RedirectResponse(own_path(after), 303))


def _with_session(request: Request, account: accounts.Account, answer: Response) -> Response:
    """The answer with the cookie of a new session."""
    state = request.app.state
    old = request.cookies.get(guard.cookie_name(request), "")
    if old:
        state.sessions.close(old)  # a new session id at every sign-in
    answer.set_cookie(
        guard.cookie_name(request),
        state.sessions.open(account),
        max_age=int(LONGEST_S),
        path="/",
        secure=state.tls,
        httponly=True,
        samesite="strict",
    )
    return answer


def own_path(after: str) -> str:
    """Where to go next: a path of this console, never another site's address."""
    parts = urlsplit(after.replace("\\", "/"))
    own = after.startswith("/") and not after.startswith("//") and not parts.netloc
    return after if own and parts.path != "/sign-in" else "/"


def _form(
    request: Request, after: str, state: str, *, wait_s: int = 0, status: int = 200
) -> Response:
    return rendering.plain_page(
        _language(request),
        "sign_in.html",
        status,
        next=own_path(after),
        state=state,
        wait_s=wait_s,
        provider=request.app.state.oidc is not None,
    )


def _welcome(
    request: Request, token: str, wrong: str = "", secret: str = "", status: int = 200
) -> Response:
    account = request.app.state.accounts.invited(token)
    language = _language(request)
    if account is None:
        return rendering.plain_page(language, "welcome_over.html", 404)
    needed = account.role in NEEDS_CODE
    secret = (secret or accounts.new_secret()) if needed else ""
    code = segno.make(accounts.secret_uri(account.name, secret)) if needed else None
    return rendering.plain_page(
        language,
        "welcome.html",
        status,
        account=account,
        wrong=wrong,
        secret=secret,
        picture=code.svg_data_uri(scale=4, border=2) if code else "",
    )


def _language(request: Request) -> str:
    asked = request.query_params.get("lang") or request.cookies.get("lang", "")
    preferred = request.headers.get("accept-language", "")
    return asked if asked in accounts.LANGUAGES else "vi" if preferred.startswith("vi") else "en"

"""One's own account: language, sign-out, and where one lands after signing in."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.openapi.utils import get_openapi
from fastapi.responses import RedirectResponse, Response
from fastapi.routing import APIRoute

from audit.console import accounts, guard, rendering
from audit.console.guard import SignedIn
from audit.console.roles import GRANTED, Action
from audit.console.routes.sign_in import own_path

router = APIRouter()

# Where each role begins: the first of these that it may see.
FIRST = (
    ("/floor", Action.SEE_FLOOR),
    ("/accounts", Action.MANAGE_ACCOUNTS),
    ("/account", Action.SIGNED_IN),
)


@router.get("/")
def start(visit: SignedIn) -> Response:
    """Go to the first place of the role."""
    return RedirectResponse(next(path for path, action in FIRST if visit.may(action)), 303)


@router.get("/account")
def account(visit: SignedIn) -> Response:
    """Who one is, and what one may do."""
    granted = sorted(GRANTED[visit.session.account.role] - {Action.SIGNED_IN})
    return rendering.page(visit, "account.html", granted=granted)


@router.get("/api/account")
def account_as_data(visit: SignedIn) -> dict[str, Any]:
    """Who one is, and what one may do."""
    account = visit.session.account
    return account._asdict() | {"may": sorted(GRANTED[account.role])}


@router.get("/api/openapi.json")
def description(visit: SignedIn) -> dict[str, Any]:
    """The OpenAPI description of every answer of this console that is data."""
    routes = [route for each in visit.request.app.state.routers for route in each.routes]
    data = [each for each in routes if isinstance(each, APIRoute) and each.path.startswith("/api/")]
    return get_openapi(title="Roundproof console", version="1", routes=data)


@router.post("/account/language")
def language(
    visit: SignedIn, language: Annotated[str, Form()], next: Annotated[str, Form()] = "/"
) -> Response:
    """Change the language of the pages."""
    if language in accounts.LANGUAGES:
        visit.request.app.state.accounts.set_language(visit.who, language)
    return RedirectResponse(own_path(next), 303)


@router.post("/account/sign-out")
def sign_out(visit: SignedIn) -> Response:
    """End the session."""
    cookie = guard.cookie_name(visit.request)
    visit.request.app.state.sessions.close(visit.request.cookies.get(cookie, ""))
    visit.saw("console", "signed out")
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(cookie, path="/", secure=visit.request.app.state.tls, httponly=True)
    return answer

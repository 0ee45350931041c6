"""Accounts, for administrators: invite, close, open again."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse, Response

from audit.console import rendering, table_files
from audit.console.accounts import AccountRefused
from audit.console.guard import Visit, asks
from audit.console.roles import AccountRole, Action
from schemas.ranks import LADDER, OFFICES

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.MANAGE_ACCOUNTS)]


@router.get("/accounts")
def people(visit: Visitor) -> Response:
    """Every account."""
    visit.saw("accounts")
    return _page(visit)


@router.get("/api/accounts")
def people_as_data(visit: Visitor) -> dict[str, Any]:
    """Every account as data, without its secrets."""
    visit.saw("accounts")
    return {"accounts": [each._asdict() for each in visit.request.app.state.accounts.all()]}


@router.post("/accounts")
def invite(
    visit: Visitor,
    name: Annotated[str, Form(max_length=64)],
    role: Annotated[AccountRole, Form()],
    person: Annotated[str, Form(max_length=64)] = "",
    rank: Annotated[str, Form(max_length=64)] = "",
    pit: Annotated[str, Form(max_length=16)] = "",
) -> Response:
    """Make an account or invite it again; the link is shown once."""
    visit.saw(name, f"invited as {role}")
    try:
        token = visit.request.app.state.accounts.invite(
            name, role, person=person, rank=rank, pit=pit
        )
    except AccountRefused as error:
        return _page(visit, problem=str(error), status=400)
    link = f"{visit.request.url.scheme}://{visit.request.headers['host']}/welcome/{token}"
    return _page(visit, link=link, invited=name)


@router.post("/accounts/{name}/close")
def close(visit: Visitor, name: str) -> Response:
    """Close an account and end its sessions; nobody closes their own."""
    if name == visit.who:
        return _page(visit, problem="another administrator must close this account", status=400)
    visit.saw(name, "closed account")
    visit.request.app.state.accounts.set_active(name, active=False)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/{name}/open")
def reopen(visit: Visitor, name: str) -> Response:
    """Open a closed account again."""
    visit.saw(name, "opened account")
    visit.request.app.state.accounts.set_active(name, active=True)
    return RedirectResponse("/accounts", 303)


def _page(
    visit: Visit, *, link: str = "", invited: str = "", problem: str = "", status: int = 200
) -> Response:
    return rendering.page(
        visit,
        "accounts.html",
        status,
        people=visit.request.app.state.accounts.all(),
        roles=list(AccountRole),
        ranks=(*LADDER, *OFFICES),
        link=link,
        invited=invited,
        problem=problem,
    )


table_files.add(router, "accounts", people_as_data, "accounts")

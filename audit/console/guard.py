"""Who asks, whether they may, and the record of it: the door of every page and answer.

A route names its action with `asks(Action.…)`. The guard finds the session, refuses what the role
may not do, refuses a changing request without the session's token, and writes the access record
before anything is shown.
"""

import secrets
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, NamedTuple, Protocol

from fastapi import Depends, Request

from audit.cases.rules import Actor
from audit.console.roles import Action, may
from audit.console.sessions import ConsoleSession, Sessions

COOKIE, COOKIE_TLS = "roundproof", "__Host-roundproof"
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
ACTION = "asked_action"  # the attribute by which a route's action is found again


class Recorder(Protocol):
    """Keeps who looked at what, before it is shown."""

    def __call__(self, who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
        """Write one access record; an error here means that nothing is shown."""
        ...


class SignInFirst(Exception):
    """Nobody is signed in, or the session ended."""


class Forbidden(Exception):
    """The role may not do this; the attempt is on record."""

    def __init__(self, session: ConsoleSession, action: Action) -> None:
        super().__init__(f"{session.account.role} may not {action}")
        self.session, self.action = session, action


class ForgedRequest(Exception):
    """A changing request that did not come from one of our own pages."""


class Visit(NamedTuple):
    """One allowed request of a signed-in person."""

    session: ConsoleSession
    request: Request
    record: Recorder

    @property
    def who(self) -> str:
        """The account's name."""
        return self.session.account.name

    @property
    def actor(self) -> Actor:
        """Who acts in a dispute or on a finding: the person on the floor, and their rank."""
        account = self.session.account
        return Actor(account.person or account.name, account.rank)

    @property
    def language(self) -> str:
        """The language of the person's pages; an address may ask for another one."""
        asked = self.request.query_params.get("lang", "")
        return asked if asked in ("en", "vi") else self.session.account.language

    @property
    def zone_is_utc(self) -> bool:
        """Whether times are shown in UTC rather than in the venue's zone."""
        return self.request.cookies.get("zone") == "utc"

    def may(self, action: Action) -> bool:
        """Whether the person may do something else, for buttons."""
        return may(self.session.account.role, action)

    def sees(self, table_id: str) -> bool:
        """Whether a table belongs to the person's pit."""
        return table_id.startswith(self.session.account.pit)

    def saw(self, subject: str, did: str = "") -> None:
        """Record what is about to be shown."""
        account = self.session.account
        self.record(account.name, account.role, did or _did(self.request), subject)

    def refused(self, subject: str, did: str, why: str) -> None:
        """Record an attempt that the rules refused."""
        account = self.session.account
        self.record(account.name, account.role, did, subject, refused=why)


Asking = Callable[..., Coroutine[Any, Any, Visit]]


def asks(action: Action) -> Any:
    """The dependency that lets a request through if the session's role may do this."""

    async def asking(request: Request) -> Visit:
        session = await signed_in(request)
        visit = Visit(session, request, request.app.state.record)
        account = session.account
        if not may(account.role, action):
            refused = f"role {account.role} may not {action}"
            visit.record(
                account.name, account.role, _did(request), request.url.path, refused=refused
            )
            raise Forbidden(session, action)
        if request.method in CHANGING:
            await require_own_form(request, session)
        return visit

    setattr(asking, ACTION, action)
    return Depends(asking)


async def signed_in(request: Request) -> ConsoleSession:
    """The session of a request; raise where there is none."""
    sessions: Sessions = request.app.state.sessions
    token = request.cookies.get(cookie_name(request), "")
    session = sessions.find(token) if token else None
    if session is None:
        raise SignInFirst
    return session


async def require_own_form(request: Request, session: ConsoleSession) -> None:
    """Refuse a changing request without the session's token or from another site."""
    require_own_site(request)
    given = request.headers.get("x-csrf", "")
    if not given:
        form = await request.form()
        value = form.get("csrf", "")
        given = value if isinstance(value, str) else ""
    if not secrets.compare_digest(given.encode(), session.csrf.encode()):
        raise ForgedRequest("the token of this session expected in the form")


def require_own_site(request: Request) -> None:
    """Refuse a changing request that another site made the browser send.

    Browsers say where a request comes from. Our pages send no referrer, which makes the origin of
    their forms `null`, so it is looked at only where a browser says nothing else.
    """
    site, origin = request.headers.get("sec-fetch-site", ""), request.headers.get("origin", "")
    own_origin = origin.partition("://")[2] == request.headers.get("host", "")
    if site not in ("", "same-origin", "none") or (not site and origin and not own_origin):
        raise ForgedRequest("a request from this console's own pages expected")


def cookie_name(request: Request) -> str:
    """The cookie's name; its prefix makes browsers hold it to this host and to TLS."""
    return COOKIE_TLS if request.app.state.tls else COOKIE


def peer(request: Request) -> str:
    """The address of whoever asks."""
    return request.client.host if request.client else ""


def _did(request: Request) -> str:
    return "viewed" if request.method == "GET" else "changed"


SignedIn = Annotated[Visit, asks(Action.SIGNED_IN)]

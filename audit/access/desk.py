"""Access records of the command line: one call before a command shows evidence.

The console will make the same records with a viewer of its own. Where the record cannot be written
nothing is shown, unless the setting `read_only` says that the house is a copy for reading only
(docs/decisions/0020-access-before-evidence.md).
"""

import getpass
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import typer

from audit.access import access_log
from audit.access.access_log import AccessOutcome, AccessRequest, Viewer
from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from ingest.log import is_id

UNRECORDED = "this access is not on record: the house is opened for reading only (read_only)"
WRITABLE = (
    "make the house writable and try again; a copy that must stay as it is may be opened with the "
    "setting read_only, without access records"
)


def viewed(ctx: typer.Context, command: str, kind: str, *subjects: str) -> int:
    """Record that somebody is about to see something; the record's number."""
    return asked(ctx, AccessRequest("view", command, kind, subjects))


def searched(ctx: typer.Context, command: str, kind: str, wanted: Mapping[str, object]) -> int:
    """Record that somebody is about to search; options that were not given are left out."""
    given = {name: str(value) for name, value in sorted(wanted.items()) if value not in ("", None)}
    return asked(ctx, AccessRequest("query", command, kind, parameters=given))


def asked(ctx: typer.Context, request: AccessRequest, who: Viewer | None = None) -> int:
    """Record a request before it is answered; its number, or 0 where nothing is recorded."""
    return _written(ctx, request, None, who)


def answered(ctx: typer.Context, request: AccessRequest, number: int, rows: int) -> None:
    """Record how many rows a request was answered with."""
    if number:
        _written(ctx, request, AccessOutcome(number, rows))


def refused(
    ctx: typer.Context,
    request: AccessRequest,
    why: str,
    number: int = 0,
    who: Viewer | None = None,
) -> None:
    """Record an attempt that was refused, and why; `number` is the record of the attempt."""
    outcome = AccessOutcome(number, refusal=why)
    _written(ctx, request._replace(action="refused"), outcome, who)


@contextmanager
def querying(ctx: typer.Context, request: AccessRequest) -> Iterator[Callable[[int], None]]:
    """Record a query before the block, and after it how many rows the block says it showed."""
    number, rows = asked(ctx, request), list[int]()
    try:
        yield rows.append
    except Stopped as error:
        if error.code == Code.NOT_ALLOWED and number:
            refused(ctx, request, str(error), number)
        raise
    answered(ctx, request, number, sum(rows))


@contextmanager
def refusals(ctx: typer.Context, request: AccessRequest) -> Iterator[None]:
    """Record it where the block is stopped as not allowed."""
    try:
        yield
    except Stopped as error:
        if error.code == Code.NOT_ALLOWED:
            refused(ctx, request, str(error))
        raise


def viewer(ctx: typer.Context) -> Viewer:
    """Who sits at the desk: the identity that is set, else the user of the operating system."""
    chosen, user = settings.of(ctx), _user()
    return Viewer(chosen.person or _as_id(user), chosen.rank, user)


def now_us() -> int:
    """The time, in UTC microseconds."""
    return time.time_ns() // 1_000


def _written(
    ctx: typer.Context,
    request: AccessRequest,
    outcome: AccessOutcome | None,
    who: Viewer | None = None,
) -> int:
    chosen = settings.of(ctx)
    if not chosen.home.is_dir():  # there is nothing to see
        return 0
    if chosen.read_only:
        if outcome is None:
            screen.hint(UNRECORDED)
        return 0
    try:
        made = access_log.record(chosen.home, who or viewer(ctx), request, now_us, outcome)
    except OSError as error:  # LogUnwritable among them
        what = f"the access record cannot be written, so nothing is shown; {error.filename}: "
        raise Stopped(what + str(error.strerror), WRITABLE, Code.NOT_ALLOWED) from error
    return made.number


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no name is known for the process's user id
        return "unknown"


def _as_id(user: str) -> str:
    name = re.sub(r"[^0-9A-Za-z._~\-]", "-", user)[:64]
    return name if is_id(name) else "unknown"

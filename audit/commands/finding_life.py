"""`roundproof findings ack` to `reopen`: what people make of a finding, each time as an event."""

from typing import TYPE_CHECKING, Annotated

import typer

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson
from audit.commands.case.taking import Person, Rank, acting, words

if TYPE_CHECKING:
    from audit.checks.run import CheckFinding

app = typer.Typer()

FindingId = Annotated[
    str, typer.Argument(metavar="ID", help="The finding's id, or the start of it.")
]
Reason = Annotated[str, typer.Option("--reason", help="The reason.")]
OptionalReason = Annotated[str, typer.Option("--reason", help="The reason, if there is one.")]


@app.command()
def ack(
    ctx: typer.Context,
    finding_id: FindingId,
    reason: OptionalReason = "",
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Take note of a finding: somebody looks at it.

    Example: roundproof findings ack PAY-01-3f9a2c1b07
    """
    _reviewed(ctx, finding_id, "ack", reason, person, rank, as_json=as_json)


@app.command()
def assign(
    ctx: typer.Context,
    finding_id: FindingId,
    to: Annotated[str, typer.Option("--to", metavar="PERSON", help="Who looks into it.")],
    reason: OptionalReason = "",
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Give a finding to somebody who looks into it.

    Example: roundproof findings assign PAY-01-3f9a2c1b07 --to V2
    """
    _reviewed(ctx, finding_id, "assign", reason, person, rank, to=to, as_json=as_json)


@app.command()
def explain(
    ctx: typer.Context,
    finding_id: FindingId,
    reason: Reason,
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Say what explains a finding: it is right, and harmless.

    Example: roundproof findings explain BET-01-3f9a2c1b07 --reason "a fallen stack was squared up"

    Exit code 7 if the rank may not, if the person was on duty in the round, or if the log does not
    hold the round, so that nobody knows who was.
    """
    _reviewed(ctx, finding_id, "explain", reason, person, rank, as_json=as_json)


@app.command()
def confirm(
    ctx: typer.Context,
    finding_id: FindingId,
    reason: Reason,
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Confirm a finding: it is right, and something has to be done.

    Example: roundproof findings confirm PAY-01-3f9a2c1b07 --reason "seen on camera 3"
    """
    _reviewed(ctx, finding_id, "confirm", reason, person, rank, as_json=as_json)


@app.command("false")
def false_finding(
    ctx: typer.Context,
    finding_id: FindingId,
    reason: Reason,
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Mark a finding as false: what it says did not happen.

    Example: roundproof findings false REC-01-3f9a2c1b07 --reason "the camera was covered"
    """
    _reviewed(ctx, finding_id, "false", reason, person, rank, as_json=as_json)


@app.command()
def close(
    ctx: typer.Context,
    finding_id: FindingId,
    reason: Reason,
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Close a finding that was explained, confirmed or marked as false.

    Example: roundproof findings close PAY-01-3f9a2c1b07 --reason "paid, case T1-R12-D1"
    """
    _reviewed(ctx, finding_id, "close", reason, person, rank, as_json=as_json)


@app.command()
def reopen(
    ctx: typer.Context,
    finding_id: FindingId,
    reason: Reason,
    person: Person = "",
    rank: Rank = "",
    as_json: AsJson = False,
) -> None:
    """Open a finding again that was explained, marked as false or closed.

    Example: roundproof findings reopen PAY-01-3f9a2c1b07 --reason "another camera shows it"
    """
    _reviewed(ctx, finding_id, "reopen", reason, person, rank, as_json=as_json)


def _reviewed(
    ctx: typer.Context,
    finding_id: str,
    verb: str,
    reason: str,
    person: str,
    rank: str,
    *,
    to: str = "",
    as_json: bool,
) -> None:
    from audit.checks import reviews

    chosen = settings.of(ctx)
    if chosen.read_only:
        what = f"findings {verb}: the house is opened for reading only (read_only)"
        raise Stopped(what, "run it on the house itself, without read_only", Code.NOT_ALLOWED)
    taking = acting(ctx, person, rank, "")
    request = AccessRequest(
        "change", f"findings {verb}", "finding", (screen.encodable(finding_id),)
    )
    who = desk.viewer(ctx)._replace(person_id=taking.actor.person_id, rank=taking.actor.rank)
    number = desk.asked(ctx, request, who)
    finding = _found(ctx, finding_id)
    asked = reviews.asked_of(
        finding, taking.actor, verb, taking.recorded_at, reason=words(reason), to=words(to)
    )
    try:
        life = reviews.review(chosen.home, finding, _staff(ctx, finding), asked)
    except reviews.ReviewRefused as error:
        desk.refused(ctx, request, str(error), number, who)
        step = f"roundproof findings {verb} --help says who may and when"
        raise Stopped(str(error), step, Code.NOT_ALLOWED) from error
    if as_json:
        screen.say_json(
            {"finding": finding.finding_id, "state": life.state, "owner": life.owner or None}
        )
        return
    screen.say(f"{finding.finding_id} is {life.state.replace('_', ' ')}")


def _found(ctx: typer.Context, finding_id: str) -> "CheckFinding":
    from audit.checks import findings as kept
    from audit.sql import database

    with database.opened(settings.of(ctx).home) as connection:
        found = kept.named(connection, screen.encodable(finding_id))
    if len(found) == 1:
        return found[0]
    what = (
        f"finding {finding_id!r}: {len(found)} begin so" if found else f"no finding {finding_id!r}"
    )
    code = Code.USAGE if found else Code.NOT_FOUND
    raise Stopped(what, "roundproof findings lists them", code)


def _staff(ctx: typer.Context, finding: "CheckFinding") -> tuple[str, ...] | None:
    """Who was on duty in the round of a finding; None where the log does not hold the round.

    Nobody where the finding concerns no single round.
    """
    from replay.locate import UnknownRound, locate

    if not finding.round_id:
        return ()
    try:
        found = locate(settings.of(ctx).home, f"{finding.table_id}/{finding.round_id}")
    except UnknownRound:
        return None
    return tuple(found.judged.round.staff.values())

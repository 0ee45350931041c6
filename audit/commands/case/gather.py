"""`roundproof case statement`, `add` and `recompute`: what a decision rests on (8.4.1 to 8.4.8)."""

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import screen, settings, times
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson
from audit.commands.case.taking import (
    CaseId,
    DoneAt,
    Language,
    Note,
    Person,
    Rank,
    acting,
    checked,
    step,
    words,
)

if TYPE_CHECKING:
    from audit.cases.case import Case
    from replay.locate import LocatedRound
    from schemas.events import Precedent

app = typer.Typer()

UNKNOWN_TYPE = "application/octet-stream"


@app.command()
def statement(
    ctx: typer.Context,
    case_id: CaseId,
    party: Annotated[str, typer.Option(help="player, house or witness.")],
    given_by: Annotated[str, typer.Option("--by", metavar="ID", help="Who gave the account.")],
    text: Annotated[str, typer.Option(help="The account.")] = "",
    signature: Annotated[str, typer.Option(help="signed, refused or recorded.")] = "signed",
    language: Language = "",
    interpreter: Annotated[str, typer.Option(metavar="ID", help="The interpreter.")] = "",
    evidence: Annotated[
        str, typer.Option(metavar="NUMBER", help="The recording, such as E1 from case add.")
    ] = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Take down one party's account (8.4.5).

    \b
    Examples:
        roundproof case statement T1-R12-D1 --party player --by P7 --text "I bet tiger"
        roundproof case statement T1-R12-D1 --party house --by D1 --signature recorded --evidence E1
        roundproof case statement T1-R12-D1 --party player --by P7 --signature refused
    """
    taken = checked(
        "StatementTaken",
        party=party,
        given_by=words(given_by),
        text=words(text),
        language=words(language),
        interpreter_id=words(interpreter),
        signature=signature,
        evidence_id=words(evidence),
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "statement", lambda _: taken, taking, as_json=as_json)


@app.command()
def add(
    ctx: typer.Context,
    case_id: CaseId,
    file: Annotated[Path, typer.Argument(help="The file; its bytes are copied into the house.")],
    source: Annotated[str, typer.Option(help="Who or what it comes from.")],
    basis: Annotated[
        str, typer.Option(help="8.4.6 from Surveillance, 8.4.7 other, 8.4.2 to 8.4.8.")
    ] = "8.4.7",
    obtained: Annotated[
        str, typer.Option("--obtained", metavar="TIME", help="When received [default: now]")
    ] = "",
    note: Note = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Take a file into evidence, under the hash of its bytes (8.4.6, 8.4.7).

    \b
    Examples:
        roundproof case add T1-R12-D1 clip.mp4 --basis 8.4.6 --source "camera 3"
        roundproof case add T1-R12-D1 photo.jpg --source "player P7" --note "the layout"
    """
    from audit.cases import case_log, evidence_store, new_steps

    taking = acting(ctx, person, rank, done_at)
    home = settings.of(ctx).home
    case_log.load(home).named(screen.encodable(case_id))  # before a file is copied for nothing
    stored = evidence_store.put(home, file)
    kind = mimetypes.guess_type(file.name)[0] or UNKNOWN_TYPE
    entry = {
        "basis": basis,
        "name": screen.encodable(file.name),
        "media_type": kind,
        "source": words(source),
        "obtained_at": times.microseconds(obtained, "--obtained") or taking.done_at,
        "note": words(note),
    }
    step(
        ctx,
        case_id,
        "add",
        lambda case: new_steps.evidence(case, stored, entry),
        taking,
        as_json=as_json,
    )


@app.command()
def recompute(
    ctx: typer.Context,
    case_id: CaseId,
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Work out the money under every open reading, ruling and lawful deal (8.4.1 to 8.4.4).

    Example: roundproof case recompute T1-R12-D1

    It derives the round from the log as it is now, and keeps the result in the case. A lawful deal
    supposes cards where they did not lie: it is marked hypothetical. Precedents are earlier rulings
    and decisions under the same clauses; they need the tables that roundproof replay makes.
    """
    from audit.cases import case_log
    from audit.cases import recompute as options
    from audit.pages import case as page
    from replay.locate import locate

    taking = acting(ctx, person, rank, done_at)
    home = settings.of(ctx).home
    case = case_log.load(home).named(screen.encodable(case_id))
    found = locate(home, f"{case.table_id}/{case.raised.round_id}")
    made = options.recomputed(found, _precedents(ctx, case, found))
    step(ctx, case_id, "recompute", lambda _: made, taking, as_json=as_json)
    if not as_json:
        for line in page.option_lines(made, case.raised.currency):
            screen.say(line)
    if found.judged.ruled.status == "unknown" and not as_json:
        screen.hint("the round cannot be judged as posted: roundproof explain shows why")


def _precedents(ctx: typer.Context, case: "Case", found: "LocatedRound") -> "list[Precedent]":
    """Earlier rulings from the tables, and decisions from the cases; none without tables."""
    from audit.cases import case_log, precedents
    from audit.sql import database

    home = settings.of(ctx).home
    cases = case_log.load(home).cases.values()
    try:
        with database.opened(home) as connection:
            return precedents.found(cases, case, found.judged, connection)
    except Stopped as error:
        if error.code != Code.NOT_FOUND:
            raise
        screen.hint("no precedents from earlier rulings: roundproof replay makes their tables")
        return precedents.found(cases, case, found.judged, None)

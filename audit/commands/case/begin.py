"""`roundproof case open`, `say`, `escalate`, `inform` and `promise`: 8.1 to 8.3."""

from typing import Annotated

import typer

from audit.cli import amounts, screen, settings, times
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
    recorded,
    step,
    tell,
    words,
)

app = typer.Typer()

PROMISE = "roundproof case promise CASE --within 2h"


@app.command("open")
def open_case(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="ROUND|WAGER", help="What is disputed.")],
    claim: Annotated[str, typer.Option(help="What is claimed, in the player's words.")],
    player: Annotated[str, typer.Option(metavar="ID", help="Pseudonym of the player.")] = "",
    wagers: Annotated[
        list[str] | None, typer.Option("--wager", metavar="ID", help="A wager; may be repeated.")
    ] = None,
    amount: Annotated[str, typer.Option(help="What is claimed, in minor units.")] = "",
    finding: Annotated[str, typer.Option(metavar="ID", help="The finding it comes of.")] = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Raise a dispute over a round or a wager (8.1).

    \b
    Examples:
        roundproof case open T1-R12-3 --claim "paid 5:1, not 8:1" --amount 300000
        roundproof case open T1-R12 --claim "my box got no card" --player P7

    The case remembers who was on duty: they decide nothing in it. Video and events of the round are
    under a hold from now on. Exit code 3 if there is no such round or wager, 7 if the rank may not.
    """
    from audit.cases import case_log, jurisdiction, new_steps
    from replay.locate import locate

    chosen = settings.of(ctx)
    taking = acting(ctx, person, rank, done_at)
    duties = jurisdiction.of(chosen.jurisdiction)
    with recorded(ctx, "open", taking, screen.encodable(name)):
        found = locate(chosen.home, name)
        raised = new_steps.raised(
            found,
            words(player),
            [words(wager) for wager in wagers or ()],
            claim=_some(words(claim), "--claim"),
            amount=_claimed(amount),
            finding_id=words(finding),
            jurisdiction=duties.code,
        )
        case = case_log.open_case(chosen.home, found.judged.round.table_id, raised, taking)
    tell(ctx, case, as_json=as_json)


@app.command()
def say(
    ctx: typer.Context,
    case_id: CaseId,
    answer: Annotated[str, typer.Option(help="The answer: outcome and reason.")],
    accepted: Annotated[
        bool, typer.Option("--accepted/--not-accepted", help="Whether the player accepts it.")
    ],
    clauses: Annotated[
        list[str] | None, typer.Option("--clause", metavar="ANCHOR", help="A clause it cites.")
    ] = None,
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record the first answer, given at the table (8.1).

    Example: roundproof case say T1-R12-D1 --answer "banker won on 6, 12:1" --not-accepted
    """
    given = checked(
        "FirstAnswerGiven",
        answer=_some(words(answer), "--answer"),
        clauses=clauses or [],
        accepted=accepted,
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "say", lambda _: given, taking, as_json=as_json)


@app.command()
def escalate(
    ctx: typer.Context,
    case_id: CaseId,
    to: Annotated[str, typer.Option("--to", metavar="ID", help="Who takes it over.")],
    to_rank: Annotated[str, typer.Option("--to-rank", metavar="RANK", help="Their rank.")],
    reason: Annotated[str, typer.Option(help="Why it could not be resolved.")] = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Pass the dispute on to a pit manager or above (8.1).

    Example: roundproof case escalate T1-R12-D1 --to M1 --to-rank pit_manager
    """
    passed = checked(
        "DisputeEscalated", to_person_id=words(to), to_rank=to_rank, reason=words(reason)
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "escalate", lambda _: passed, taking, as_json=as_json)


@app.command()
def inform(
    ctx: typer.Context,
    case_id: CaseId,
    whom: Annotated[str, typer.Option("--to", metavar="ID", help="Who in Surveillance was told.")],
    how: Annotated[str, typer.Option(help="phone, radio, in-person or system.")] = "phone",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record that Surveillance was informed (8.2).

    Example: roundproof case inform T1-R12-D1 --to V1 --how phone
    """
    from audit.cases import new_steps

    taking = acting(ctx, person, rank, done_at)
    checked("SurveillanceInformed", informed_person_id=words(whom), how=how)
    case = step(
        ctx,
        case_id,
        "inform",
        lambda case: new_steps.informed(case, words(whom), how),
        taking,
        as_json=as_json,
    )
    if not as_json:
        near = ", ".join((case.raised.round_id, *case.raised.rounds_near))
        screen.hint(f"rounds to look at: {near}")


@app.command()
def promise(
    ctx: typer.Context,
    case_id: CaseId,
    by: Annotated[str, typer.Option("--by", metavar="TIME", help="By when.")] = "",
    within: Annotated[str, typer.Option(metavar="SPAN", help="From now: 90m, 2h or 3d.")] = "",
    language: Language = "",
    note: Note = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record the timeframe that the player was given (8.3).

    \b
    Examples:
        roundproof case promise T1-R12-D1 --within 2h --language vi
        roundproof case promise T1-R12-D1 --by 2026-03-01T22:00:00+07:00
    """
    taking = acting(ctx, person, rank, done_at)
    if bool(by) == bool(within):
        raise Stopped("either --by or --within expected", PROMISE, Code.USAGE)
    promised_at = (
        times.microseconds(by, "--by") if by else taking.done_at + times.span_us(within, "--within")
    )
    given = checked(
        "TimeframePromised",
        promised_at=promised_at,
        language=words(language),
        note=words(note),
    )
    step(ctx, case_id, "promise", lambda _: given, taking, as_json=as_json)


def _claimed(text: str) -> int:
    example = "roundproof case open ROUND --claim TEXT --amount 300000"
    return amounts.minor_units(text, "--amount", example=example) if text else 0


def _some(text: str, option: str) -> str:
    if not text:
        step_text = "roundproof case --help lists the commands"
        raise Stopped(f"{option}: some words expected, nothing found", step_text, Code.USAGE)
    return text

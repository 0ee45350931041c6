"""`roundproof case decide` to `close`: 8.4 to 8.6."""

from typing import TYPE_CHECKING, Annotated

import typer

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
    from schemas.events import CorrectionPaid, DisputeDecided

app = typer.Typer()


@app.command()
def decide(
    ctx: typer.Context,
    case_id: CaseId,
    outcome: Annotated[str, typer.Option(help="upheld, partly or rejected.")],
    facts: Annotated[str, typer.Option(help="The facts found.")],
    reasons: Annotated[str, typer.Option("--reason", help="The reasons.")],
    option: Annotated[
        str, typer.Option("--option", metavar="ID", help="An option of case recompute to follow.")
    ] = "",
    clauses: Annotated[
        list[str] | None,
        typer.Option("--clause", metavar="ANCHOR", help="A clause [default: those of the option]"),
    ] = None,
    pay: Annotated[
        list[str] | None,
        typer.Option(
            "--pay",
            metavar="WAGER=AMOUNT",
            help="What the house pays, in minor units [default: as the option says]",
        ),
    ] = None,
    dissent: Annotated[str, typer.Option(help="Another view that was held.")] = "",
    provisions: Annotated[
        list[str] | None, typer.Option("--law", help="A provision of law considered (8.4.8).")
    ] = None,
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Decide the dispute (8.4); a second person confirms it.

    \b
    Examples:
        roundproof case decide T1-R12-D1 --outcome upheld --option as-posted \\
            --facts "banker won on 6 with two cards" --reason "12:1 was posted, 8:1 was paid"
        roundproof case decide T1-R12-D1 --outcome rejected --facts "..." --reason "..." \\
            --clause TB:6.1.1.1
        roundproof case decide T1-R12-D1 --outcome partly --pay T1-R12-3=150000 ...

    It needs: escalated, Surveillance informed, a timeframe promised, both accounts, recomputed; and
    nobody who dealt or supervised the round decides. Exit code 7 with the clause if it is refused.
    """
    from audit.cases import new_steps

    taking = acting(ctx, person, rank, done_at)
    given = {
        "outcome": outcome,
        "facts": words(facts),
        "reasons": words(reasons),
        "dissent": words(dissent),
        "provisions": [words(law) for law in provisions or ()],
        "option_id": words(option),
    }

    def decided(case: "Case") -> "DisputeDecided":
        return new_steps.decision(case, given, clauses or [], pay)

    step(ctx, case_id, "decide", decided, taking, as_json=as_json)


@app.command()
def confirm(
    ctx: typer.Context,
    case_id: CaseId,
    hold: Annotated[
        str, typer.Option("--hold", metavar="ID", help="Confirm the end of this hold instead.")
    ] = "",
    note: Note = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Confirm a decision, or the end of a hold, as the second person (R20).

    \b
    Examples:
        roundproof case confirm T1-R12-D1
        roundproof case confirm T1-R12-D1 --hold H1
    """
    confirmed = (
        checked("HoldReleased", hold_id=words(hold))
        if hold
        else checked("DecisionConfirmed", note=words(note))
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "confirm", lambda _: confirmed, taking, as_json=as_json)


@app.command()
def settle(
    ctx: typer.Context,
    case_id: CaseId,
    reference: Annotated[str, typer.Option(help="Number of the slip or voucher.")],
    wagers: Annotated[
        list[str] | None,
        typer.Option("--wager", metavar="ID", help="Only this wager [default: all of them]"),
    ] = None,
    event: Annotated[
        str, typer.Option("--event", metavar="ID", help="The payment's event at the table.")
    ] = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record the correcting payment that a confirmed decision asks for.

    Example: roundproof case settle T1-R12-D1 --reference slip-4711
    """
    from audit.cases import new_steps

    taking = acting(ctx, person, rank, done_at)

    def paid(case: "Case") -> "CorrectionPaid":
        return new_steps.payment(case, wagers or [], words(reference), words(event))

    step(ctx, case_id, "settle", paid, taking, as_json=as_json)


@app.command("tell")
def tell_player(
    ctx: typer.Context,
    case_id: CaseId,
    agrees: Annotated[
        bool, typer.Option("--agrees/--disagrees", help="Whether the player agrees.")
    ],
    right_told: Annotated[
        bool,
        typer.Option(
            "--right-told/--right-not-told", help="Whether they were told of the right to complain."
        ),
    ],
    language: Language = "",
    how: Annotated[str, typer.Option(help="in-person, letter or phone.")] = "in-person",
    note: Note = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record that the player was told of the decision and of the right to complain (8.5).

    Example: roundproof case tell T1-R12-D1 --disagrees --right-told --language vi
    """
    told = checked(
        "PlayerTold",
        agrees=agrees,
        right_told=right_told,
        language=words(language),
        how=how,
        note=words(note),
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "tell", lambda _: told, taking, as_json=as_json)


@app.command()
def assist(
    ctx: typer.Context,
    case_id: CaseId,
    complaint: Annotated[
        str, typer.Option(metavar="NUMBER", help="Number of the formal complaint.")
    ] = "",
    declined: Annotated[
        bool, typer.Option("--declined", help="The player makes no formal complaint.")
    ] = False,
    adr: Annotated[str, typer.Option(metavar="NUMBER", help="Number at an outside body.")] = "",
    language: Language = "",
    note: Note = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record the help with a formal complaint (8.6).

    \b
    Examples:
        roundproof case assist T1-R12-D1 --complaint C-2026-17 --language vi
        roundproof case assist T1-R12-D1 --declined
    """
    if bool(complaint) == declined:
        next_step = "roundproof case assist CASE --complaint NUMBER"
        raise Stopped("either --complaint or --declined expected", next_step, Code.USAGE)
    helped = checked(
        "PlayerAssisted",
        complaint_id=words(complaint),
        language=words(language),
        adr_reference=words(adr),
        note=words(note),
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "assist", lambda _: helped, taking, as_json=as_json)


@app.command()
def review(
    ctx: typer.Context,
    case_id: CaseId,
    stands: Annotated[
        bool, typer.Option("--stands/--set-aside", help="Whether the decision stands.")
    ],
    reasons: Annotated[str, typer.Option("--reason", help="The reasons.")],
    reference: Annotated[str, typer.Option(help="Number of the answer.")] = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record Senior Management's answer to a formal complaint (8.5).

    Example: roundproof case review T1-R12-D1 --stands --reason "the odds were posted"

    A decision that is set aside is made anew, by somebody else.
    """
    answered = checked(
        "DecisionReviewed", stands=stands, reasons=words(reasons), reference=words(reference)
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "review", lambda _: answered, taking, as_json=as_json)


@app.command()
def notify(
    ctx: typer.Context,
    case_id: CaseId,
    notice: Annotated[str, typer.Option(help="Name of the duty, as case show lists it.")],
    authority: Annotated[str, typer.Option(help="The authority.")],
    reference: Annotated[str, typer.Option(help="Number of the notice.")],
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Record a notice to an authority (R14).

    Example: roundproof case notify T1-R12-D1 --notice unpaid_dispute --authority GCB --reference 17
    """
    given = checked(
        "AuthorityNotified",
        notice=notice,
        authority=words(authority),
        reference=words(reference),
    )
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "notify", lambda _: given, taking, as_json=as_json)


@app.command()
def close(
    ctx: typer.Context,
    case_id: CaseId,
    reason: Annotated[str, typer.Option(help="How it ended.")],
    lesson: Annotated[str, typer.Option(help="What is to be learnt from it.")] = "",
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Close the case once everything is done.

    Example: roundproof case close T1-R12-D1 --reason "paid, player content"
    """
    closed = checked("CaseClosed", reason=words(reason), lesson=words(lesson))
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "close", lambda _: closed, taking, as_json=as_json)

"""`roundproof case hold` and `release`: what may not be deleted (R2)."""

from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.options import AsJson
from audit.commands.case.taking import (
    CaseId,
    DoneAt,
    Person,
    Rank,
    acting,
    checked,
    step,
    words,
)

if TYPE_CHECKING:
    from audit.cases.case import Case
    from schemas.events import HoldPlaced

app = typer.Typer()


@app.command()
def hold(
    ctx: typer.Context,
    case_id: CaseId,
    reason: Annotated[str, typer.Option(help="The reason.")],
    classes: Annotated[
        list[str] | None,
        typer.Option("--class", metavar="CLASS", help="video, events, case or access [all]"),
    ] = None,
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Put records of the case under a legal hold: nothing of them may be deleted.

    \b
    Examples:
        roundproof case hold T1-R12-D1 --reason "a lawsuit was announced"
        roundproof case hold T1-R12-D1 --class video --reason "request of the authority"

    Every case begins with hold H1 on the video and the events of its round.
    """
    from audit.cases import new_steps

    def placed(case: "Case") -> "HoldPlaced":
        return new_steps.hold(case, classes or [], words(reason))

    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "hold", placed, taking, as_json=as_json)


@app.command()
def release(
    ctx: typer.Context,
    case_id: CaseId,
    hold_id: Annotated[str, typer.Argument(metavar="HOLD", help="The hold, such as H1.")],
    reason: Annotated[str, typer.Option(help="The reason.")],
    person: Person = "",
    rank: Rank = "",
    done_at: DoneAt = "",
    as_json: AsJson = False,
) -> None:
    """Ask to end a hold; a second person ends it with case confirm --hold (R20).

    Example: roundproof case release T1-R12-D1 H1 --reason "settled, no complaint within the term"
    """
    asked = checked("HoldReleaseAsked", hold_id=words(hold_id), reason=words(reason))
    taking = acting(ctx, person, rank, done_at)
    step(ctx, case_id, "release", lambda _: asked, taking, as_json=as_json)

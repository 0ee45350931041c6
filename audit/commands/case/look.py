"""`roundproof case list` and `show`."""

from typing import Annotated

import typer

from audit.access import desk
from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, FromLog
from audit.commands.case.taking import CaseId, duties_of
from audit.house.desk_log import desk_log

app = typer.Typer()


@app.command("list")
def list_cases(
    ctx: typer.Context,
    stage: Annotated[
        str, typer.Option(help="Only cases at this stage: raised, escalated, decided, closed.")
    ] = "",
    table: Annotated[str, typer.Option(help="Only cases of this table.")] = "",
    player: Annotated[str, typer.Option(help="Only cases of this player.")] = "",
    only_open: Annotated[bool, typer.Option("--open", help="Only cases not yet closed.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="List at most N.")] = 50,
    kind: FromLog = "local",
    as_json: AsJson = False,
) -> None:
    """List the disputes, the newest first.

    \b
    Examples:
        roundproof case list --open
        roundproof case list --table T12 --json
        roundproof case list --from kafka

    Exit code 4 if the cases of a table are damaged; those of other tables are listed.
    """
    from audit.cases import case_log
    from audit.pages import case as page

    wanted = {"stage": stage, "table": table, "player": player, "open": only_open or ""}
    desk.searched(ctx, "case list", "case", wanted)
    chosen, now = settings.of(ctx), desk.now_us()
    book = case_log.load_from(desk_log(ctx, kind))
    found = [
        case
        for case in sorted(book.cases.values(), key=lambda case: -case.steps[0].done_at)
        if stage in ("", case.stage)
        and table in ("", case.table_id)
        and player in ("", case.raised.player_id)
        and (case.is_open or not only_open)
    ]
    if as_json:
        shown = [page.document(case, duties_of(case), now) for case in found[:limit]]
        damaged = {name: str(error) for name, error in book.damaged.items()}
        document = {"cases": shown, "shown": len(shown), "total": len(found), "damaged": damaged}
        screen.say_json(document)
    elif found:
        rows = [page.row(case, duties_of(case), now, chosen.zone) for case in found[:limit]]
        columns.table(page.ROW, rows, right=("claimed",))
        screen.hint(f"times are in {chosen.zone}")
    else:
        screen.say("no case matches")
    if len(found) > limit and not as_json:
        screen.hint(f"first {limit:,} of {len(found):,}; --limit shows more")
    for error in book.damaged.values():
        raise Stopped(
            str(error), "restore the log from its backup, then try again", Code.UNVERIFIED
        )


@app.command()
def show(
    ctx: typer.Context, case_id: CaseId, kind: FromLog = "local", as_json: AsJson = False
) -> None:
    """Show one dispute in full: steps, clocks, holds, options, what may come next.

    Example: roundproof case show T1-R12-D1

    Exit code 3 if there is no such case.
    """
    from audit.cases import case_log
    from audit.pages import case as page

    chosen = settings.of(ctx)
    case_id = screen.encodable(case_id)
    desk.viewed(ctx, "case show", "case", case_id)
    case = case_log.load_from(desk_log(ctx, kind)).named(case_id)
    if as_json:
        screen.say_json(page.document(case, duties_of(case), desk.now_us()))
        return
    for line in page.lines(case, duties_of(case), desk.now_us(), chosen.zone):
        screen.say(line)

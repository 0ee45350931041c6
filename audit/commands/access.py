"""`roundproof access`: who asked to see which evidence."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from audit.access import desk
from audit.cli import columns, screen, settings, times
from audit.cli.options import AsJson, FromLog
from audit.house.desk_log import desk_log

if TYPE_CHECKING:
    from schemas.events import AccessRecorded

app = typer.Typer(no_args_is_help=True, help="List who asked to see which evidence.")

HEAD = ("no.", "when", "person", "rank", "action", "command", "what", "rows")
ASKED = 60  # characters of a question on the screen


@app.command("list")
def list_records(
    ctx: typer.Context,
    person: Annotated[str, typer.Option(help="Only this person.")] = "",
    action: Annotated[
        str, typer.Option(help="Only view, query, export, verify, change or refused.")
    ] = "",
    kind: Annotated[str, typer.Option(help="Only this kind: round, case, finding, rows.")] = "",
    subject: Annotated[str, typer.Option(help="Only this round, case, finding or file.")] = "",
    since: Annotated[str, typer.Option(metavar="TIME", help="From this time on.")] = "",
    until: Annotated[str, typer.Option(metavar="TIME", help="Before this time.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="List the newest N.")] = 50,
    log: FromLog = "local",
    as_json: AsJson = False,
) -> None:
    """List the access records, the newest first.

    \b
    Examples:
        roundproof access list --subject T1-R12
        roundproof access list --person V1 --action query --json
        roundproof access list --since 2026-03-01T20:00:00+07:00

    Each record was written before the evidence was shown; so is the one of this list. The chain of
    all records is checked on the way. Exit code 4 if a record was changed or taken away.
    """
    from audit.access import access_log
    from schemas import codec

    span = times.microseconds(since, "--since"), times.microseconds(until, "--until")
    wanted = {"person": person, "action": action, "kind": kind, "subject": subject}
    desk.searched(ctx, "access list", "access", wanted | {"since": since, "until": until})
    records = list(access_log.records_from(desk_log(ctx, log)))
    found = list(_chosen(reversed(records), wanted, span))
    shown = list(islice(found, limit))
    if as_json:
        rows = [codec.to_json(record) | _told(record) for record in shown]
        screen.say_json({"records": rows, "shown": len(rows), "total": len(found)})
        return
    if not found:
        screen.say("no record matches")
        return
    zone = settings.of(ctx).zone
    columns.table(HEAD, [_row(record, zone) for record in shown], right=("no.", "rows"))
    screen.hint(f"times are in {zone}")
    if len(found) > limit:
        screen.hint(f"first {limit:,} of {len(found):,}; --limit shows more")


def _chosen(
    records: "Iterator[AccessRecorded]", wanted: dict[str, str], span: tuple[int, int]
) -> "Iterator[AccessRecorded]":
    since, until = span
    for record in records:
        fields = {"person": record.person_id, "action": record.action, "kind": record.kind}
        fits = all(wanted[name] in ("", value) for name, value in fields.items())
        of_subject = not wanted["subject"] or wanted["subject"] in record.subjects
        in_span = since <= record.recorded_at and (not until or record.recorded_at < until)
        if fits and of_subject and in_span:
            yield record


def _row(record: "AccessRecorded", zone: str) -> tuple[str, ...]:
    return (
        f"{record.number:,}",
        times.local(times.told(record.recorded_at), zone)[:19],
        record.person_id,
        record.rank,
        record.action,
        record.command,
        _what(record),
        "" if record.rows is None else f"{record.rows:,}",
    )


def _what(record: "AccessRecorded") -> str:
    """What was asked for, on one line."""
    if record.refusal:
        return record.refusal
    if record.answer_to is not None:
        return f"answer to {record.answer_to:,}"
    asked = " ".join(record.question.split())
    given = " ".join(f"{name}={value}" for name, value in sorted(record.parameters.items()))
    found = " ".join(part for part in (*record.subjects, asked, given) if part)
    return found if len(found) <= ASKED else found[: ASKED - 1] + "…"


def _told(record: "AccessRecorded") -> dict[str, str]:
    return {"recorded_at": times.told(record.recorded_at)}

"""`roundproof dlq`: readings that could not be decoded, why, and how to try them again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.access import desk
from audit.cli import columns, screen, settings, times
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, DryRun, Yes
from audit.commands.spool import log_of, must_be_wanted, shown

if TYPE_CHECKING:
    from ingest.doors.redrive import FiledLetter
    from ingest.kafka.event_sorter import StrayMessage
    from ingest.log import LogReader

app = typer.Typer(
    no_args_is_help=True, help="List, show and retry dead letters: readings we could not take."
)


class LetterSource(StrEnum):
    """Where dead letters are read from."""

    LOCAL = "local"
    KAFKA = "kafka"


class State(StrEnum):
    """Which dead letters to show."""

    NEW = "new"
    REDRIVEN = "redriven"
    ALL = "all"


From = Annotated[
    LetterSource, typer.Option("--from", help="Read the local log, or Kafka's topic rp.dlq.")
]
Reason = Annotated[
    str | None, typer.Option(metavar="CODE", help="Only letters with this reason code.")
]
Source = Annotated[
    str | None, typer.Option(metavar="PREFIX", help="Only letters whose source starts with this.")
]
HEAD = ("id", "state", "reason", "source", "position", "size", "received", "first bytes")


@app.command("list")
def list_letters(
    ctx: typer.Context,
    place: From = LetterSource.LOCAL,
    reason: Reason = None,
    source: Source = None,
    state: Annotated[State, typer.Option(help="Only letters in this state.")] = State.ALL,
    limit: Annotated[int, typer.Option(min=1, help="List the newest N.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List dead letters, the newest last.

    A dead letter is a reading that we could not take; its original bytes are kept with the reason.

    \b
    Examples:
        roundproof dlq list --state new
        roundproof dlq list --from kafka --reason unknown_schema --json
    """
    desk.searched(ctx, "dlq list", "dead_letter", {"reason": reason, "source": source})
    found = _chosen(_filed(ctx, place), reason, source, state)
    shown_rows = found[-limit:]
    if as_json:
        screen.say_json({"count": len(found), "letters": [_told(each) for each in shown_rows]})
        return
    rows = [
        (
            each.id,
            each.state,
            each.letter.reason,
            each.letter.source,
            each.letter.position,
            each.letter.size,
            times.local(shown(each.letter.received_at), settings.of(ctx).zone),
            _text(each.letter.body[:24]),
        )
        for each in shown_rows
    ]
    for line in columns.lines(HEAD, rows) if rows else ():
        screen.say(line)
    step = "; next: roundproof dlq show ID" if rows else ""
    screen.hint(f"{len(shown_rows):,} of {len(found):,} letters{step}")


@app.command()
def show(
    ctx: typer.Context,
    letter_id: Annotated[str, typer.Argument(metavar="ID", help="Id from dlq list.")],
    place: From = LetterSource.LOCAL,
    out: Annotated[Path | None, typer.Option(help="Write the original bytes to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show one dead letter, and save its original bytes.

    Example: roundproof dlq show 9f2c61d07be84a35 --out letter.bin

    Exit code 3 if there is no such letter.
    """
    from audit.house import redrive as house_redrive
    from ingest import dead_letter

    desk.viewed(ctx, "dlq show", "dead_letter", screen.encodable(letter_id))
    filed = _of({each.id: each for each in _filed(ctx, place)}, letter_id)
    if out is not None:
        with _log(ctx, place) as log:
            whole = next(
                each
                for each in house_redrive.letters(log)
                if dead_letter.digest(each).hex() == letter_id
            )
        out.write_bytes(whole.body)
    if as_json:
        screen.say_json(_told(filed))
    else:
        for name, value in _told(filed).items():
            told = times.local(str(value), settings.of(ctx).zone)
            screen.say_line(f"{name:<12} {told}")
    if out is not None:
        screen.hint(f"{out}: {len(whole.body):,} of {whole.size:,} bytes written")


@app.command()
def redrive(
    ctx: typer.Context,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Only these letters [default: all]")
    ] = None,
    place: From = LetterSource.LOCAL,
    reason: Reason = None,
    source: Source = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Try dead letters again with today's schemas.

    Use it after an upgrade, or after you repaired a device or a damaged log.

    \b
    Examples:
        roundproof dlq redrive --reason unknown_schema --dry-run
        roundproof dlq redrive 9f2c61d07be84a35 --yes

    No letter is deleted. A letter that is accepted is marked as redriven and not tried again; one
    that is refused again stays new.
    """
    known = {each.id: each for each in _filed(ctx, place)}
    before = {each: known[each].became for each in ids or () if _of(known, each).state != "new"}
    wanted = [
        each.id
        for each in _chosen(known.values(), reason, source, State.NEW)
        if not ids or each.id in ids
    ]
    if wanted and not dry_run:
        must_be_wanted(f"this tries {len(wanted):,} dead letters again", yes=yes)
    became = _redriven(ctx, place, wanted, dry_run=dry_run)
    if as_json:
        screen.say_json({"dry_run": dry_run, "letters": became})
        return
    for letter_id, what in became.items():
        screen.say_line(f"{letter_id}  {what}")
    for letter_id, what in before.items():
        screen.say_line(f"{letter_id}  redriven before: {what}")
    if not known:
        screen.hint("there are no dead letters")
    elif not became and not before:
        screen.hint("no new dead letter matches; next: roundproof dlq list --state new")
    if any(_is_of_events(ctx, known[each]) for each in became):
        screen.hint(
            "letters of the topic events are not readings: see Upgrading, docs/operating.md"
        )


def _of(known: "dict[str, FiledLetter]", letter_id: str) -> "FiledLetter":
    if letter_id not in known:
        raise Stopped(f"dead letter {letter_id}: not found", "roundproof dlq list", Code.NOT_FOUND)
    return known[letter_id]


def _is_of_events(ctx: typer.Context, filed: "FiledLetter") -> bool:
    return filed.letter.source.startswith(f"{settings.of(ctx).kafka_prefix}events/")


def _redriven(
    ctx: typer.Context, place: LetterSource, wanted: list[str], *, dry_run: bool
) -> dict[str, str]:
    """What became of each letter."""
    from audit.house import redrive as house_redrive

    with _log(ctx, place) as log:
        became, waits = house_redrive.redriven(
            log_of(ctx), log, wanted, settings.kafka_of(ctx), dry_run=dry_run
        )
    if waits:
        screen.hint(f"the readings are safe on disk and wait for Kafka: {waits}")
    return became


def _filed(ctx: typer.Context, place: LetterSource) -> list["FiledLetter"]:
    """Every dead letter; a warning names messages on the topic that are something else."""
    from ingest.doors import redrive as redrive_door

    strays = list["StrayMessage"]()
    with _log(ctx, place, strays.append) as log:
        found = redrive_door.filed(redrive_door.read(log))
    if strays:
        why, message = strays[0]
        where = f"{message.topic}/{message.partition}/{message.offset}"
        skipped = f"{len(strays):,} messages are not dead letters and were skipped"
        screen.hint(f"{skipped}, the first at {where}: {why}")
    return found


def _chosen(
    found: "Iterable[FiledLetter]", reason: str | None, source: str | None, state: State
) -> list["FiledLetter"]:
    return [
        each
        for each in found
        if reason in (None, each.letter.reason)
        and each.letter.source.startswith(source or "")
        and state.value in ("all", each.state)
    ]


@contextmanager
def _log(
    ctx: typer.Context,
    place: LetterSource,
    stray: "Callable[[StrayMessage], None]" = lambda _: None,
) -> Iterator["LogReader"]:
    if place is LetterSource.LOCAL:
        from ingest.local.log import LocalLog

        yield LocalLog(log_of(ctx))
        return
    from ingest.kafka.log import KafkaLog

    with KafkaLog(settings.must_have_kafka(ctx), stray=stray) as log:
        yield log


def _told(filed: "FiledLetter") -> dict[str, Any]:
    letter = filed.letter
    return {
        "id": filed.id,
        "state": filed.state,
        "became": filed.became,
        "reason": letter.reason,
        "where": letter.where,
        "expected": letter.expected,
        "found": letter.found,
        "source": letter.source,
        "position": letter.position,
        "size": letter.size,
        "received_at": shown(letter.received_at),
        "first_hex": letter.body.hex(),
        "first_text": _text(letter.body),
    }


def _text(body: bytes) -> str:
    """Bytes as printable ASCII, a dot for every other byte: no letter may steer the terminal."""
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in body)

"""`roundproof settle`: work out what the wagers of a round sheet are due."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from audit.cli import columns, screen, settings
from audit.cli.errors import Code, Stopped, report
from audit.cli.options import Lang

if TYPE_CHECKING:
    from replay.judge import Judgement
    from replay.words import Reader

app = typer.Typer()


class SheetEntry(NamedTuple):
    """One sheet of the input and its position; `problem` says why it cannot be read."""

    where: str
    sheet: Any
    problem: str = ""


@app.command()
def settle(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Sheets as JSON or JSON lines; - reads stdin.")
    ] = "-",
    table: Annotated[
        bool, typer.Option("--table", help="Print text in columns instead of JSON lines.")
    ] = False,
    lang: Lang = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print errors as JSON too; answers always are.")
    ] = False,
) -> None:
    """Work out what the wagers of round sheets are due.

    A round sheet is the posted terms and the events of one round, written as JSON;
    docs/round-sheets.md describes it and has an example of each game.

    \b
    Examples:
        roundproof settle round.json
        roundproof settle day.jsonl --table
        cat day.jsonl | roundproof settle > answers.jsonl

    It prints one JSON line for each sheet, in order. You may copy `carry` from an answer into the
    next round's sheet.

    Exit code 2 if a sheet is wrong: stderr names it, and the others are settled.
    """
    from replay.sheets.sheet import answer
    from replay.words import Reader

    if table and as_json:
        raise Stopped("--table and --json exclude each other", "give one of them", Code.USAGE)
    wrong = 0
    for entry in entries(_text(file)):
        judged = _judged(entry)
        if isinstance(judged, str):
            wrong += 1
            line = f"{entry.where}: {judged}"
            screen.hint(screen.json_text({"refused": line}) if as_json else screen.visible(line))
        elif table:
            reader = Reader(lang or settings.of(ctx).lang, judged.code)
            found = answer(judged, reader.language)
            for line in _readable(screen.visible_in(found), reader):
                screen.say(line)
        else:
            screen.say_json_line(answer(judged))
    if wrong:
        step = (
            "correct these sheets and try again; docs/round-sheets.md has an example of each game"
        )
        stopped = Stopped(f"{wrong} of the sheets could not be settled", step, Code.USAGE)
        raise typer.Exit(report(stopped, debug=False, as_json=as_json))


def entries(text: str) -> Iterator[SheetEntry]:
    """The sheets of a text: one JSON document, a list of documents, or one on each line."""
    lines = [
        SheetEntry(f"line {n}", *_loaded(line))
        for n, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    if any(isinstance(line.sheet, dict) and "events" in line.sheet for line in lines):
        yield from lines
        return
    whole = SheetEntry("line 1", *_loaded(text))
    if isinstance(whole.sheet, list):
        yield from (SheetEntry(f"sheet {n}", sheet) for n, sheet in enumerate(whole.sheet, 1))
    else:
        yield whole


def _loaded(text: str) -> tuple[Any, str]:
    from replay.sheets.sheet import loads
    from schemas.shape import Refused

    try:
        return loads(text), ""
    except Refused as error:
        return None, str(error)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno} column {error.colno}"
        return None, f"JSON expected, {error.msg} at {at} found"
    except ValueError:  # a number longer than Python reads
        limit = sys.get_int_max_str_digits()
        return None, f"JSON expected, a number of more than {limit:,} digits found"
    except RecursionError:
        return None, "JSON expected, too many nested levels found"


def _judged(entry: SheetEntry) -> "Judgement | str":
    """The judgement, or what is wrong with the sheet."""
    from replay import rulebooks
    from replay.judge import judge
    from replay.rulebooks.edition import UnknownRulebook
    from replay.rulebooks.terms import BadTerms
    from replay.sheets.sheet import read
    from schemas.shape import Refused

    if entry.problem:
        return entry.problem
    try:
        round, memory = read(entry.sheet)
        assert round.terms is not None
        edition = rulebooks.in_force(round.terms.game, round.gaming_day, round.terms.edition)
        return judge(round, edition, memory)
    except Refused as error:
        return str(error)
    except (UnknownRulebook, BadTerms) as error:
        return f"sheet: {error}"


def _text(file: str) -> str:
    body = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{file}: UTF-8 expected, byte {body[error.start]:#04x} at {error.start} found"
        raise Stopped(what, "save the sheets as UTF-8", Code.USAGE) from error


# The columns of --table: box and reserve appear only if a wager has them, odds only if the rulebook
# does not print them.
COLUMNS = (
    *("wager_id", "player_id", "box", "bet", "stake", "outcome", "odds", "odds_source", "paid"),
    *("commission", "collected", "returned", "reserve_taken", "reserve_returned"),
)
OPTIONAL = ("box", "odds", "odds_source", "reserve_taken", "reserve_returned")
PRINTED = ("", "printed")
LABELLED = {"box": "box", "bet": "bet", "outcome": "result", "odds_source": "odds_source"}


def _cell(name: str, value: object, reader: "Reader") -> object:
    return reader.label(LABELLED[name], str(value)) if name in LABELLED else value


def _shown(name: str, line: dict[str, Any]) -> bool:
    """Whether a line has a value for a column; odds that the rulebook prints are left out."""
    if name.startswith("odds"):
        return line["odds_source"] not in PRINTED
    return bool(line[name])


def _readable(answer: dict[str, Any], reader: "Reader") -> Iterator[str]:
    from audit.pages import round as round_page

    clauses, status = " ".join(answer["clauses"]), reader.label("status", answer["status"])
    yield f"{answer['round']}  {status}  {answer['outcome']}  {clauses}".rstrip()
    wanted = [
        name
        for name in COLUMNS
        if name not in OPTIONAL or any(_shown(name, line) for line in answer["lines"])
    ]
    rows = [
        (*(_cell(name, line[name], reader) for name in wanted), " ".join(line["clauses"]))
        for line in answer["lines"]
    ]
    heads = [reader.label("column", name.removesuffix("_id")) for name in wanted]
    if rows:
        yield from (f"  {line}" for line in columns.lines((*heads, ""), rows))
    for flag in answer["flags"]:
        yield f"  ! {round_page.flag_line(flag, reader)}"
    for issue, reading in answer["readings"].items():
        yield f"  unclear clause {issue}: read as {reading}"

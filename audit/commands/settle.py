"""`roundproof settle`: what the wagers of a round sheet are due."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from audit.cli import columns, screen
from audit.cli.errors import Code, Stopped, report

if TYPE_CHECKING:
    from replay.judge import Judgement

app = typer.Typer()


class Entry(NamedTuple):
    """One sheet of the input, where it stands, and why it cannot be read where it cannot."""

    where: str
    sheet: Any
    problem: str = ""


@app.command()
def settle(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="Sheets as JSON; - or nothing: stdin.")
    ] = "-",
    table: Annotated[
        bool, typer.Option("--table", help="For people, not one JSON a line.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON a line, as without it; errors are JSON too.")
    ] = False,
) -> None:
    """Settle round sheets: the posted terms and the events of a round, written down as JSON.

    \b
    Examples:
        roundproof settle round.json
        roundproof settle day.jsonl --table
        cat day.jsonl | roundproof settle > answers.jsonl

    One JSON line an answer, in the order of the sheets. A sheet that is wrong is named on stderr,
    the others are settled, and the exit code is 2. The format is described in
    docs/round-sheets.md; `carry` of an answer may be put into the next round's sheet.
    """
    from replay.sheets.sheet import answer

    if table and as_json:
        raise Stopped("--table and --json: one of them expected", "leave one away", Code.USAGE)
    wrong = 0
    for entry in entries(_text(file)):
        judged = _judged(entry)
        if isinstance(judged, str):
            wrong += 1
            told = f"{entry.where}: {judged}"
            screen.hint(screen.json_text({"refused": told}) if as_json else screen.visible(told))
        elif table:
            for line in _readable(screen.visible_in(answer(judged))):
                screen.say(line)
        else:
            screen.say_json_line(answer(judged))
    if wrong:
        step = "correct what is named and settle again; docs/round-sheets.md has an example a game"
        stopped = Stopped(f"{wrong} of the sheets could not be settled", step, Code.USAGE)
        raise typer.Exit(report(stopped, debug=False, as_json=as_json))


def entries(text: str) -> Iterator[Entry]:
    """The sheets of a text: one JSON document, a list of them, or one a line."""
    lines = [
        Entry(f"line {n}", *_loaded(line))
        for n, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    if any(isinstance(line.sheet, dict) and "events" in line.sheet for line in lines):
        yield from lines
        return
    whole = Entry("line 1", *_loaded(text))
    if isinstance(whole.sheet, list):
        yield from (Entry(f"sheet {n}", sheet) for n, sheet in enumerate(whole.sheet, 1))
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
    except ValueError:  # a number beyond what Python reads
        limit = sys.get_int_max_str_digits()
        return None, f"JSON expected, a number of more than {limit:,} digits found"
    except RecursionError:
        return None, "JSON expected, a nesting without end found"


def _judged(entry: Entry) -> "Judgement | str":
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


# The columns of a line for people; box and reserve only where a wager has them, odds only where
# the rulebook does not print them.
COLUMNS = {
    "wager": "wager_id",
    "player": "player_id",
    "box": "box",
    "bet": "bet",
    "stake": "stake",
    "outcome": "outcome",
    "odds": "odds",
    "odds are": "odds_source",
    "paid": "paid",
    "commission": "commission",
    "collected": "collected",
    "returned": "returned",
    "reserve taken": "reserve_taken",
    "reserve back": "reserve_returned",
}
SPARING = ("box", "odds", "odds are", "reserve taken", "reserve back")
PRINTED = ("", "printed")


def _shown(name: str, line: dict[str, Any]) -> bool:
    """Whether a line has something to show in a column; printed odds stand in the rulebook."""
    if name.startswith("odds"):
        return line["odds_source"] not in PRINTED
    return bool(line[COLUMNS[name]])


def _readable(told: dict[str, Any]) -> Iterator[str]:
    clauses = " ".join(told["clauses"])
    yield f"{told['round']}  {told['status']}  {told['outcome']}  {clauses}".rstrip()
    wanted = {
        name: field
        for name, field in COLUMNS.items()
        if name not in SPARING or any(_shown(name, line) for line in told["lines"])
    }
    rows = [
        (*(line[field] for field in wanted.values()), " ".join(line["clauses"]))
        for line in told["lines"]
    ]
    if rows:
        yield from (f"  {line}" for line in columns.lines((*wanted, ""), rows))
    for flag in told["flags"]:
        yield f"  ! {flag['code']}  {flag['clause']} {flag['subject']} {flag['note']}".rstrip()
    for issue, reading in told["readings"].items():
        yield f"  unclear clause {issue}: read as {reading}"

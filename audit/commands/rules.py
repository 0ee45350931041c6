"""`roundproof rules`: the editions on file, their paytables, readings and clauses."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from audit import screen
from audit.errors import Code, Stopped
from replay.book import Edition, Odds

app = typer.Typer(help="The rulebook editions on file.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]


@app.command("list")
def list_editions(as_json: AsJson = False) -> None:
    """List every edition.

    Example: roundproof rules list
    """
    from replay import rulebooks

    head = ("code", "edition", "effective", "title")
    rows = [(ed.code, ed.number, ed.effective, ed.title) for ed in rulebooks.editions()]
    if as_json:
        screen.say_json([dict(zip(head, row, strict=True)) for row in rows])
        return
    for line in screen.columns(head, rows):
        screen.say(line)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="CODE|ANCHOR", help="Such as TB or TB:4.15.")],
    as_json: AsJson = False,
) -> None:
    """Show an edition's paytables and readings, or one clause word for word.

    \b
    Examples:
        roundproof rules show TB
        roundproof rules show TB:4.15
    """
    from replay import rulebooks

    code, _, number = name.partition(":")
    editions = [edition for edition in rulebooks.editions() if edition.code == code]
    if not editions:
        known = ", ".join(rulebooks.codes())
        raise Stopped(
            f"rulebook {code!r}: one of {known} expected", "roundproof rules list", Code.NOT_FOUND
        )
    edition = editions[-1]
    if number and name not in edition.clauses:
        near = [anchor for anchor in edition.clauses if anchor.startswith(name[:-1])][:5]
        raise Stopped(
            f"clause {name}: not in edition {edition.number}; near it {', '.join(near) or 'none'}",
            f"roundproof rules show {code} --json lists every clause",
            Code.NOT_FOUND,
        )
    if number:
        clause = edition.clauses[name]
        if as_json:
            screen.say_json(clause._asdict())
        else:
            screen.say(f"{clause.anchor}  {clause.text}")
        return
    if as_json:
        screen.say_json(_document(edition))
        return
    for line in _lines(edition):
        screen.say(line)


def _lines(edition: Edition) -> Iterator[str]:
    yield f"{edition.title} ({edition.code} {edition.number}), in force from {edition.effective}"
    for name, table in edition.paytables.items():
        posted = " (unless another is posted)" if name == edition.paytable else ""
        yield f"\npaytable {name}{posted}"
        rows = [
            (line.bet, line.fact, _odds(line.odds), " ".join(line.clauses))
            for lines in table.values()
            for line in lines
        ]
        yield from (
            f"  {line}" for line in screen.columns(("bet", "fact", "odds", "clauses"), rows)
        )
    if edition.issues:
        yield "\nreadings of unclear clauses"
    for issue in edition.issues.values():
        others = f"; or {', '.join(issue.alternatives)}" if issue.alternatives else ""
        yield f"  {issue.name} ({issue.anchor}): {issue.reading}{others}"


def _document(edition: Edition) -> dict[str, Any]:
    return {
        "code": edition.code,
        "edition": edition.number,
        "effective": edition.effective,
        "title": edition.title,
        "default_paytable": edition.paytable,
        "paytables": {
            name: [
                {
                    "bet": line.bet,
                    "fact": line.fact,
                    "odds": _odds(line.odds),
                    "clauses": list(line.clauses),
                    "provenance": line.provenance,
                }
                for lines in table.values()
                for line in lines
            ]
            for name, table in edition.paytables.items()
        },
        "readings": {
            issue.name: {
                "anchor": issue.anchor,
                "what": issue.what,
                "reading": issue.reading,
                "alternatives": list(issue.alternatives),
            }
            for issue in edition.issues.values()
        },
        "clauses": {anchor: clause.text for anchor, clause in edition.clauses.items()},
    }


def _odds(odds: Odds) -> str:
    if odds.result != "win":
        return str(odds)
    kept = f" less {odds.commission * 100}%" if odds.commission else ""
    return f"{odds.pays.numerator}:{odds.pays.denominator}{kept}"

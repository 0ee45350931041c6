"""`roundproof rules`: the editions on file, their clauses, paytables, readings and returns."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import columns, screen
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.pages.clause_tests import Shown
    from replay.rulebooks.edition import Clause, Edition

app = typer.Typer(help="The rulebook editions on file.", no_args_is_help=True)

Which = Annotated[
    str, typer.Argument(metavar="[CODE]", help="TB, TB@01/01.10.2024 or a file; or all.")
]
Tests = Annotated[Path, typer.Option("--tests", help="Folder of the project's tests.")]


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
    for line in columns.lines(head, rows):
        screen.say(line)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="CODE", help="Such as TB or TB@01/01.10.2024.")],
    number: Annotated[str, typer.Argument(metavar="[CLAUSE]", help="Such as 4.15.")] = "",
    as_json: AsJson = False,
    tests: Tests = Path("tests"),
) -> None:
    """Show an edition's paytables and readings, or one clause and all that hangs on it.

    \b
    Examples:
        roundproof rules show TB
        roundproof rules show TB 4.15
        roundproof rules show TB:4.15
    """
    from audit.pages import edition as edition_page
    from audit.pages.edition_names import named

    name, _, inside = name.partition(":")
    edition, number = named(name).edition, number.rpartition(":")[2] or inside
    if number:
        clause = _clause(edition, number)
        shown = _shown(edition, clause, tests)
        if as_json:
            screen.say_json(edition_page.clause_document(edition, clause, shown))
            return
        lines = edition_page.clause_told(edition, clause, shown)
    else:
        if as_json:
            screen.say_json(edition_page.document(edition))
            return
        lines = edition_page.told(edition)
    for line in lines:
        screen.say(line)


@app.command()
def rtp(
    name: Which = "",
    paytable: Annotated[str, typer.Option("--paytable", help="One paytable; or all.")] = "",
    as_json: AsJson = False,
) -> None:
    """Say how likely every bet wins and what it returns, exactly, beside the certified range.

    \b
    Examples:
        roundproof rules rtp
        roundproof rules rtp SA-SB --paytable fit
    """
    from audit.pages import returns as return_page
    from audit.pages.edition_names import every

    editions = every(name)
    chosen = [(ed, table) for ed in editions for table in ed.paytables if paytable in ("", table)]
    if not chosen:
        known = ", ".join(sorted({table for ed in editions for table in ed.paytables}))
        what = f"paytable {paytable!r}: one of {known} expected"
        raise Stopped(what, f"roundproof rules show {name or 'CODE'}", Code.NOT_FOUND)
    if as_json:
        screen.say_json([return_page.document(*each) for each in chosen])
        return
    for place, each in enumerate(chosen):
        for line in ("",) * bool(place) + tuple(return_page.told(*each)):
            screen.say(line)


@app.command()
def lint(name: Which = "", as_json: AsJson = False) -> None:
    """Check editions: bets, anchors, returns, certificates, lines in the way, unclear words.

    \b
    Examples:
        roundproof rules lint
        roundproof rules lint SA-SB
        roundproof rules lint our-tables.toml

    A contradiction of the text that a rule issue speaks of is known; without one it is an error,
    and the exit code is 4.
    """
    from audit.pages import lint as lint_page
    from audit.pages.edition_names import every
    from replay.rulebooks.edition import BadRulebook

    try:
        found = [lint_page.linted(edition) for edition in every(name)]
    except BadRulebook as error:
        found = [lint_page.unreadable(name or "rulebooks", str(error))]
    if as_json:
        screen.say_json([lint_page.document(each) for each in found])
    else:
        for line in (line for each in found for line in lint_page.told(each)):
            screen.say(line)
    if lint_page.wrong(found):
        raise typer.Exit(Code.UNVERIFIED)


@app.command()
def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="CODE@NUMBER, CODE:PAYTABLE, a file.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The same, to compare it with.")],
    as_json: AsJson = False,
) -> None:
    """Compare two editions clause by clause and line by line, or two paytables.

    \b
    Examples:
        roundproof rules diff TB draft.toml
        roundproof rules diff TB:commission TB:non_commission
        roundproof rules diff SA-SB:fit SA-SB:conventional
    """
    from audit.pages import diff as diff_page
    from audit.pages.edition_names import named

    found = diff_page.compared(named(before), named(after))
    if as_json:
        screen.say_json(diff_page.document(found))
        return
    for line in diff_page.told(found):
        screen.say(line)


@app.command()
def clauses(
    name: Which = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="The page docs/clauses.md.")] = False,
    as_json: AsJson = False,
    tests: Tests = Path("tests"),
) -> None:
    """Say which test shows each clause, and which clauses are open.

    \b
    Examples:
        roundproof rules clauses TB
        roundproof rules clauses --markdown > docs/clauses.md
    """
    from audit.pages import clauses as clause_page
    from audit.pages.edition_names import every

    books = [(edition, clause_page.rows(edition, tests)) for edition in every(name)]
    if markdown:
        screen.say(clause_page.page(books).rstrip("\n"))
    elif as_json:
        screen.say_json([clause_page.document(*book) for book in books])
    else:
        for line in (line for book in books for line in clause_page.told(*book)):
            screen.say(line)


def _clause(edition: "Edition", number: str) -> "Clause":
    anchor = f"{edition.code}:{number}"
    if anchor not in edition.clauses:
        near = [known for known in edition.clauses if known.startswith(anchor[:-1])][:5]
        what = f"clause {anchor}: not in edition {edition.number}"
        raise Stopped(
            f"{what}; near it {', '.join(near) or 'none'}",
            f"roundproof rules show {edition.code} --json lists every clause",
            Code.NOT_FOUND,
        )
    return edition.clauses[anchor]


def _shown(edition: "Edition", clause: "Clause", tests: Path) -> "tuple[Shown, ...]":
    """The tests of a clause; none where the tests are not at hand, as in an installed copy."""
    from audit.pages.clause_tests import proof

    if not (tests / "replay").is_dir():
        return ()
    return proof(edition, tests).shown.get(clause.anchor, ())

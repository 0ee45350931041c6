"""`roundproof rules`: the rulebook editions, their clauses, paytables, readings and returns."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import columns, screen
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.pages.clause_tests import ClauseTest
    from replay.rulebooks.edition import Clause, Edition

app = typer.Typer(help="Show, check and compare the rulebook editions.", no_args_is_help=True)

Which = Annotated[
    str, typer.Argument(metavar="CODE", help="TB, TB@01/01.10.2024 or a file [default: all]")
]
Tests = Annotated[Path, typer.Option("--tests", help="Folder of this project's tests.")]


@app.command("list")
def list_editions(as_json: AsJson = False) -> None:
    """List every rulebook edition.

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
    name: Annotated[
        str, typer.Argument(metavar="CODE", help="Edition, such as TB or TB@01/01.10.2024.")
    ],
    number: Annotated[str, typer.Argument(metavar="CLAUSE", help="Clause, such as 4.15.")] = "",
    as_json: AsJson = False,
    tests: Tests = Path("tests"),
) -> None:
    """Show an edition's paytables, or one clause word for word.

    An edition comes with our readings of its unclear clauses; a clause with its hash, its rule
    issues, the paytable lines that rest on it and its tests.

    \b
    Examples:
        roundproof rules show TB
        roundproof rules show TB 4.15
        roundproof rules show TB:4.15

    Exit code 3 if there is no such edition or clause.
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
    paytable: Annotated[
        str, typer.Option("--paytable", help="Only this paytable [default: all]")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show how often each bet wins and what it returns, exactly.

    Compares the returns with the certified range, if the edition states one.

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
    """Check editions for mistakes in bets, clauses and paytables.

    It checks bets, clause numbers, returns against certificates, paytable lines that never apply,
    and unclear wording.

    \b
    Examples:
        roundproof rules lint
        roundproof rules lint SA-SB
        roundproof rules lint our-tables.toml

    A contradiction in the rulebook's text is a known issue if a rule issue explains it; otherwise
    it is an error, and the exit code is 4.
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
    before: Annotated[
        str, typer.Argument(metavar="A", help="CODE@NUMBER, CODE:PAYTABLE or a file.")
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="What to compare A with.")],
    as_json: AsJson = False,
) -> None:
    """Compare two editions or paytables, line by line.

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
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page docs/clauses.md.")
    ] = False,
    as_json: AsJson = False,
    tests: Tests = Path("tests"),
) -> None:
    """Show which test covers each clause, and which have none.

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
            f"{what}; similar: {', '.join(near) or 'none'}",
            f"roundproof rules show {edition.code} --json lists every clause",
            Code.NOT_FOUND,
        )
    return edition.clauses[anchor]


def _shown(edition: "Edition", clause: "Clause", tests: Path) -> "tuple[ClauseTest, ...]":
    """The tests of a clause; none if the tests are missing, as in an installed copy."""
    from audit.pages.clause_tests import proof

    if not (tests / "replay").is_dir():
        return ()
    return proof(edition, tests).shown.get(clause.anchor, ())

"""An interactive SQL session: queries that end with a semicolon, and commands with a dot."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from audit.cli import columns, screen
from audit.cli.errors import Code, Stopped, report
from audit.pages import tables as table_page
from audit.sql import output
from audit.sql.sandbox import QueryLimits, ask
from replay.tables.dictionary import Table

if TYPE_CHECKING:  # only who talks waits for prompt_toolkit, not who asks one question
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

ON_SCREEN = 1_000  # rows that a table on the screen shows, unless --limit says otherwise
HELP = """\
.tables            list every table and view, and what a row of it is
.describe TABLE    list the columns of a table, with type and meaning
.dictionary        print all tables and columns as one Markdown page
.help              print this text
.quit              leave; Ctrl-D leaves too
select ... ;       run a query; it may take several lines"""


# Stands around a query: it records the question before, and what it is told of the answer after.
Querying = Callable[[str], AbstractContextManager[Callable[[int], None]]]


@contextmanager
def unrecorded(_: str) -> Iterator[Callable[[int], None]]:
    """A query that nobody records, as a test asks it."""
    yield lambda _: None


class Session(NamedTuple):
    """The DuckDB file, the output format, and the limits of a query."""

    path: Path
    form: str = "table"
    limit: int | None = None
    seconds: float = 60.0
    excel: bool = False
    megabytes: float = QueryLimits().megabytes
    querying: Querying = unrecorded

    def answer(self, question: str, out: Path | None = None) -> None:
        """Answer one question: a query, or a command that starts with a dot."""
        if question.strip().startswith("."):
            _run_command(question, as_json=self.form == "json")
            return
        self._query(question, out)

    def _query(self, query: str, out: Path | None) -> None:
        limit = self.limit or (ON_SCREEN if self.form == "table" and out is None else None)
        limits = QueryLimits(self.seconds, megabytes=self.megabytes)
        raw = self.form == "parquet"
        with self.querying(query) as shown:
            begun = time.monotonic()
            with ask(self.path, query, limit, limits, raw=raw) as answer:
                took = time.monotonic() - begun
                if out is None:
                    output.show(answer, self.form, excel=self.excel)
                else:
                    output.save(answer, self.form, out, excel=self.excel)
            shown(answer.sent)
        where = f" in {out}" if out else ""
        screen.hint(f"{output.counted(answer)}{where}, {took:.2f} s")


def talk(session: Session, history: Path, **streams: Any) -> None:
    """Answer questions until the user leaves; an error ends the question, not the session."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import FileHistory

    words = [
        *COMMANDS,
        *table_page.pages(),
        *(c.name for page in table_page.pages().values() for c in page.columns),
    ]
    prompt: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)),
        completer=WordCompleter(sorted(set(words)), WORD=True),
        complete_while_typing=False,
        multiline=True,
        key_bindings=_enter_ends_a_question(),
        prompt_continuation="      ... ",
        **streams,
    )
    while True:
        try:
            question = prompt.prompt("roundproof> ").strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if question in (".quit", ".exit"):
            return
        if question and question != ";":
            _answered(session, question)


def whole(question: str) -> bool:
    """Whether a question is complete: nothing, a dot command, or a query with its semicolon."""
    text = question.strip()
    return text == "" or text.startswith(".") or text.endswith(";")


def _answered(session: Session, question: str) -> None:
    try:
        session.answer(question)
    except Stopped as stopped:
        report(stopped, debug=False, as_json=session.form == "json")


def _enter_ends_a_question() -> "KeyBindings":
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
    def enter(event: "KeyPressEvent") -> None:
        if whole(event.current_buffer.text):
            event.current_buffer.validate_and_handle()
        else:
            event.current_buffer.insert_text("\n")

    return keys


def _run_command(question: str, *, as_json: bool) -> None:
    name, *rest = question.strip().rstrip(";").split()
    if name not in COMMANDS:
        what = f"{name}: one of {', '.join(COMMANDS)} expected"
        raise Stopped(what, ".help explains each of them", Code.USAGE)
    COMMANDS[name](rest, as_json)


def _tables(_: list[str], as_json: bool) -> None:
    pages = table_page.pages().values()
    if as_json:
        screen.say_json({"tables": [{"name": page.name, "about": page.about} for page in pages]})
        return
    columns.table(("table", "a row is"), [(page.name, page.about) for page in pages])


def _describe(names: list[str], as_json: bool) -> None:
    pages = table_page.pages()
    if len(names) != 1 or names[0] not in pages:
        what = f"a table such as {', '.join(pages)} expected, {' '.join(names) or 'none'} found"
        raise Stopped(what, "roundproof sql .tables", Code.NOT_FOUND if names else Code.USAGE)
    page = pages[names[0]]
    if as_json:
        screen.say_json(_document(page))
        return
    screen.hint(page.about)
    columns.table(("column", "type", "meaning"), page.columns)


def _help(_: list[str], as_json: bool) -> None:
    if as_json:
        screen.say_json({"help": HELP.splitlines()})
        return
    screen.say(HELP)


def _dictionary(_: list[str], as_json: bool) -> None:
    if as_json:
        screen.say_json({"tables": [_document(page) for page in table_page.pages().values()]})
        return
    screen.say(table_page.page().rstrip())


def _document(page: Table) -> dict[str, Any]:
    described = [column._asdict() for column in page.columns]
    return {"name": page.name, "about": page.about, "columns": described}


COMMANDS: Mapping[str, Callable[[list[str], bool], None]] = {
    ".describe": _describe,
    ".dictionary": _dictionary,
    ".help": _help,
    ".tables": _tables,
}

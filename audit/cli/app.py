"""The root command, its options, and every command mounted on it."""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Annotated, Any

import typer
from typer._click.exceptions import (  # typer gives them no other name
    ClickException,
    NoArgsIsHelpError,
)
from typer.core import TyperGroup

from audit.cli import errors, families, screen, settings, signals
from audit.cli.errors import Code, Stopped
from ingest import service_log

# Options of the root that may stand anywhere on the command line, and how many values each takes.
ANYWHERE = {"--home": 1, "--debug": 0, "--no-color": 0}

# These commands report what is wrong with the settings, so they start without valid ones.
REPORT_SETTINGS = ("config", "doctor")

HELP = """Derive what every round of a table game owed, clause by clause.

\b
Examples:
    roundproof demo                      run one simulated gaming day from end to end
    roundproof ingest file day.jsonl     bring device readings into the log
    roundproof replay                    derive every round of the log
    roundproof detect                    run every check and keep the findings
    roundproof findings                  list the findings, the gravest first
    roundproof explain T1-R12            derive one round step by step, with its clauses
    roundproof case open T1-R12 ...      raise a dispute over a round
    roundproof settle sheet.json         work out what the wagers of one round are due

\b
Exit codes:
    0    the command succeeded
    1    unexpected error: run it again with --debug and report the traceback
    2    wrong option, argument or input
    3    something you named does not exist
    4    verification failed: the damaged or failed part is named, the rest is done
    5    the command succeeded and has findings or dead letters to look at
    6    Kafka, the disk or another program is not available
    7    not allowed
    8    the query took too long
    9    the answer is too large
    130  interrupted
"""


class Root(TyperGroup):
    """The root group; it tells a closed pipe on stdout from a connection that broke."""

    def make_context(self, *words: Any, **more: Any) -> Any:
        """Parse the arguments; this also prints the help."""
        with _reader_may_leave():
            return super().make_context(*words, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _reader_may_leave():
            return super().invoke(ctx)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:  # typer would exit with 1, whatever broke
        if screen.is_read():
            raise Stopped(str(error), "run the same command again", Code.UNREACHABLE) from error
        raise screen.ReaderLeft from error


def root(
    ctx: typer.Context,
    home: Annotated[
        str | None,
        typer.Option(
            "--home",
            metavar="FOLDER",
            help="Folder of the log and everything derived [env: ROUNDPROOF_HOME; default: var]",
        ),
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="Print without colours.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Print the traceback of an error.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda on: _version(on),
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Set up what every command shares: colours, log lines, settings."""
    del version
    if no_color:
        os.environ["NO_COLOR"] = "1"
    service_log.set_up_by(lambda: _log_to_stderr(debug=debug))
    if home == "":
        step = "name a folder with --home, or leave the option out"
        raise Stopped("--home: a folder expected, nothing found", step, Code.USAGE)
    try:
        ctx.obj = settings.load({"home": home})
    except Stopped as bad:
        if ctx.invoked_subcommand not in REPORT_SETTINGS:
            raise
        ctx.obj = bad
        return
    _must_be_folder(ctx.obj.home)


def command_line(word: str = "") -> typer.Typer:
    """The root with the family of a command; with every command where the word leads to none."""
    app = typer.Typer(
        name="roundproof",
        cls=Root,
        help=HELP,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(root)
    families.mount(app, families.leading_to(word))
    return app


def run(words: Sequence[str]) -> None:
    """Run one command line and exit with its code."""
    screen.be_ready()
    signals.begin()
    arguments = root_first(words)
    as_json = _wants_json(list(takewhile(lambda word: word != "--", arguments)))
    try:
        try:
            command = typer.main.get_command(command_line(_command(arguments)))
            code = command(arguments, prog_name="roundproof", standalone_mode=False)
        finally:
            service_log.set_up_by(None)
            screen.flush()  # here, so that a full disk is reported as an error
        if code == Code.INTERRUPTED or signals.interrupted():
            raise KeyboardInterrupt
    except screen.ReaderLeft:
        _let_go_of_stdout()
        sys.exit(Code.OK)
    except typer.Abort as error:  # the user did not answer a question
        sys.exit(errors.report(_unanswered(error), debug=False, as_json=as_json))
    except ClickException as error:
        sys.exit(_misused(error, as_json=as_json))
    except (Exception, KeyboardInterrupt) as error:
        _let_go_of_stdout()
        sys.exit(errors.report(error, debug="--debug" in arguments, as_json=as_json))
    sys.exit(code if isinstance(code, int) else Code.OK)


def _wants_json(words: list[str]) -> bool:
    """Whether the user asked for JSON, so that an error is JSON too."""
    forms = {"--json", "--jsonl", "--format=json"} & set(words)
    return bool(forms) or ("--format", "json") in pairwise(words)


def _unanswered(error: typer.Abort) -> BaseException:
    if isinstance(error.__context__, KeyboardInterrupt):
        return error.__context__
    what = "the input ended before the question was answered"
    return Stopped(what, "give --yes to do it without asking", Code.USAGE)


def _misused(error: ClickException, *, as_json: bool) -> int:
    """Report arguments that the command line does not understand."""
    if isinstance(error, NoArgsIsHelpError) and not as_json:
        for line in error.format_message().split("\n"):
            screen.hint(line)
        return Code.USAGE
    ctx = getattr(error, "ctx", None)
    step = f"{ctx.command_path if ctx else 'roundproof'} --help"
    stopped = Stopped(error.format_message(), step, Code.USAGE)
    return errors.report(stopped, debug=False, as_json=as_json)


def root_first(arguments: Sequence[str]) -> list[str]:
    """The arguments with the root's own options moved to the front."""
    front, rest = list[str](), list[str]()
    words = iter(arguments)
    for word in words:
        name, sign, _ = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif name in ANYWHERE:
            front.append(word)
            front += [next(words, "") for _ in range(0 if sign else ANYWHERE[name])]
        else:
            rest.append(word)
    return front + rest


def _command(arguments: Sequence[str]) -> str:
    """The first word after the root's own options."""
    words = iter(arguments)
    for word in words:
        name, sign, _ = word.partition("=")
        if name not in ANYWHERE:
            return word
        for _ in range(0 if sign else ANYWHERE[name]):
            next(words, "")
    return ""


def _must_be_folder(home: Path) -> None:
    with suppress(PermissionError):  # the commands that need the folder report it
        if home.is_file():
            step = "name a folder with --home; a missing folder is created"
            raise Stopped(f"{home}: a folder expected, a file found", step, Code.USAGE)


def _version(on: bool) -> None:
    if on:
        from importlib.metadata import version

        typer.echo(f"roundproof {version('roundproof')}")
        raise typer.Exit


class _Lines:
    """Writes log lines to the current stderr, beside the result."""

    def msg(self, line: str) -> None:
        """Write one line."""
        screen.log_line(line)

    log = debug = info = warn = warning = error = critical = failure = fatal = exception = msg


def _log_to_stderr(*, debug: bool) -> None:
    import structlog

    renderer: Any = structlog.processors.JSONRenderer(sort_keys=True)
    if sys.stderr.isatty():
        renderer = structlog.dev.ConsoleRenderer(colors=screen.styled())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            lambda _, __, line: screen.visible_in(line),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.DEBUG if debug else logging.INFO
        ),
        logger_factory=lambda *_: _Lines(),
    )


def _let_go_of_stdout() -> None:
    """Drop what stdout cannot take, or Python would report it once more at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        screen.let_go(sys.stdout)

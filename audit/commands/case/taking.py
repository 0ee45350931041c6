"""What the commands of a case share: who acts and when, taking a step, and telling of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import screen, settings, times
from audit.cli.errors import Code, Stopped
from schemas.ranks import LADDER, OFFICES

if TYPE_CHECKING:
    from audit.cases.case import Case
    from audit.cases.case_log import StepRefused, Taking
    from schemas.events import CaseStep

CaseId = Annotated[str, typer.Argument(metavar="CASE", help="The case, or the start of its id.")]
Person = Annotated[
    str, typer.Option("--person", metavar="ID", help="Who acts [default: setting person]")
]
Rank = Annotated[
    str, typer.Option("--rank", metavar="RANK", help="Their rank or office [default: setting rank]")
]
DoneAt = Annotated[
    str, typer.Option("--at", metavar="TIME", help="When it was done [default: now]")
]
Language = Annotated[
    str, typer.Option("--language", metavar="CODE", help="Language that was used, such as vi.")
]
Note = Annotated[str, typer.Option("--note", help="A remark.")]

IDENTITY = (
    "give --person and --rank, or set ROUNDPROOF_PERSON and ROUNDPROOF_RANK; "
    "roundproof config show --origin shows what is set"
)


def acting(ctx: typer.Context, person: str, rank: str, done_at: str) -> "Taking":
    """Who acts, and when; Stopped where that is not said."""
    from audit.cases.case_log import Taking
    from audit.cases.rules import Actor
    from ingest.log import is_id

    chosen, now = settings.of(ctx), desk.now_us()
    person, rank = person or chosen.person, rank or chosen.rank
    if not person or not rank:
        missing = "--person" if not person else "--rank"
        raise Stopped(f"{missing}: who acts expected, nothing found", IDENTITY, Code.USAGE)
    if not is_id(person):
        what = f"--person {person!r}: an id of letters, digits, . _ ~ - expected"
        raise Stopped(what, IDENTITY, Code.USAGE)
    if rank not in (*LADDER, *OFFICES):
        what = f"--rank {rank!r}: one of {', '.join((*LADDER, *OFFICES))} expected"
        raise Stopped(what, IDENTITY, Code.USAGE)
    done = times.microseconds(done_at, "--at") or now
    if done > now:
        what = f"--at {done_at}: a time that has passed expected, a later one found"
        raise Stopped(what, "leave out --at, or give the time at which it was done", Code.USAGE)
    return Taking(Actor(person, rank), done, now)


def step(
    ctx: typer.Context,
    case_id: str,
    verb: str,
    make: "Callable[[Case], CaseStep]",
    taking: "Taking",
    *,
    as_json: bool,
) -> "Case":
    """Take a step in a case, and tell of it; Stopped with the clause where it is refused."""
    from audit.cases import case_log

    case_id = screen.encodable(case_id)
    with recorded(ctx, verb, taking, case_id):
        case = case_log.take(settings.of(ctx).home, case_id, make, taking)
    tell(ctx, case, as_json=as_json)
    return case


@contextmanager
def recorded(ctx: typer.Context, verb: str, taking: "Taking", *subjects: str) -> Iterator[None]:
    """Record that somebody is about to change a case, and where the change is refused, why.

    A copy for reading only is not changed.
    """
    from audit.cases.case_log import StepRefused

    chosen = settings.of(ctx)
    if chosen.read_only:
        what = f"case {verb}: the house is opened for reading only (read_only)"
        raise Stopped(what, "run it on the house itself, without read_only", Code.NOT_ALLOWED)
    request = AccessRequest("change", f"case {verb}", "case", subjects)
    who = desk.viewer(ctx)._replace(person_id=taking.actor.person_id, rank=taking.actor.rank)
    number = desk.asked(ctx, request, who)
    try:
        yield
    except StepRefused as error:
        desk.refused(ctx, request, str(error), number, who)
        raise refusal(error) from error


def refusal(error: "StepRefused") -> Stopped:
    """A refused step as an error: the clause, what is missing, and who may do what next."""
    from audit.cases import rules

    found = error.refusal
    name = error.case_id or "CASE"
    verb, _, options = found.first.partition(" ")
    if not verb:
        typed = rules.command(found.verb).partition(" ")[0]
        step_text = f"{rules.who_may(found.who)} may do it: roundproof case {typed} --help"
    elif verb == "open":
        step_text = "roundproof case open raises a new one"
    else:
        step_text = f"roundproof case {verb} {name} {options}".rstrip()
    return Stopped(str(error), step_text, Code.NOT_ALLOWED)


def tell(ctx: typer.Context, case: "Case", *, as_json: bool) -> None:
    """Print what the last step made of a case."""
    from audit.cases import rules
    from audit.pages import case as page

    zone = settings.of(ctx).zone
    if as_json:
        screen.say_json(page.document(case, duties_of(case), desk.now_us()))
        return
    last = screen.visible(page.told(case, case.steps[-1], zone))
    screen.say(f"{case.case_id} {case.steps[-1].number}. {last}")
    following = rules.open_verbs(case)
    screen.hint(
        f"{case.stage.replace('_', ' ')}; may come next: {', '.join(map(rules.command, following))}"
    )


def duties_of(case: "Case") -> Any:
    """The duties of the jurisdiction that the case was raised in."""
    from audit.cases import jurisdiction

    return jurisdiction.of(case.raised.jurisdiction)


def checked(kind: str, **values: Any) -> Any:
    """A step of these values, checked like anything that comes from outside."""
    from audit.cases import new_steps

    return new_steps.checked(kind, **values)


def words(text: str) -> str:
    """A text from the command line that UTF-8 can encode."""
    return screen.encodable(text).strip()

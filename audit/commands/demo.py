"""`roundproof demo`: one simulated gaming day from end to end, as `make demo` runs it."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson
from audit.commands import demo_day, demo_dispute, famous_losses
from audit.commands.demo_day import DemoDay
from ingest.disk import Disk

if TYPE_CHECKING:
    from audit.cases.case import Case
    from audit.checks.run import CheckFinding
    from audit.commands.demo_dispute import DemoPack
    from replay.simulate import DayRequest, SimulatedFiles

app = typer.Typer()

SEED, DAY, ROUNDS = "demo", "2026-03-01", 40
FAULTS = ("PAY-01", "PAY-04", "PAY-07", "BET-01", "DEAL-01", "IRR-06", "INT-01")
MARK = "made-by-the-demo"  # this file allows the next demo to delete the folder


@app.command()
def demo(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(help="A famous loss: golden-nugget, false-shuffle, sic-bo-paytable."),
    ] = "",
    rounds: Annotated[int, typer.Option("--rounds", min=20, help="Rounds per table.")] = ROUNDS,
    console: Annotated[
        bool, typer.Option("--console", help="Serve the web console at the end, and open it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run one simulated gaming day from end to end.

    It simulates a table of every game with a few faults, brings the readings into a log, replays
    the log, runs the checks and explains the costliest finding. It then settles a dispute over that
    finding, packs the case as evidence, and lets the pack's own verify.py verify it. The web
    console of the demo has an account of every role; their password is printed.

    \b
    Examples:
        roundproof demo
        roundproof demo --console
        roundproof demo --rounds 100 --json
        roundproof demo golden-nugget

    Everything goes into the subfolder demo of --home; each run replaces it. Exit code 0, also with
    findings; 2 if the subfolder exists and is not from a demo.
    """
    from audit.console import demo_accounts

    house = settings.of(ctx)
    home = _fresh(house.home / "demo")
    say = screen.hint if as_json else screen.say
    if name:
        document = famous_losses.run(name, home, say)
        if as_json:
            screen.say_json(document)
        return
    with _timed("simulate a day", say):
        made = demo_day.simulated(home, _day_with_faults(rounds))
    with _timed("bring its readings into the log", say):
        demo_day.brought_in(home, made)
    with _timed("replay every round", say):
        day = demo_day.replayed(home, house.workers)
    with _timed("run the checks", say):
        day = day._replace(findings=demo_day.checked(home))
    demo_accounts.make(home)
    costliest = max(day.findings, key=_cost, default=None)
    case = pack = None
    if costliest and costliest.round_id:
        with _timed("settle a dispute and pack it", say):
            pictures = demo_dispute.filmed(home, costliest)
            case = demo_dispute.settled(home, costliest, pictures)
            pack = demo_dispute.packed(home, case.case_id, house.zone)
    if as_json:
        packed = {"case": case.case_id, "pack": str(pack.path)} if case and pack else {}
        screen.say_json(_document(home, made, day) | packed)
        if console:
            _console(home, house.zone, as_json=True)
        return
    if costliest and costliest.round_id:
        _explain(home, costliest, house.zone)
    _conclude(home, made, day, costliest)
    if case and pack:
        _dispute(home, case, pack, house.zone)
    _invite_to_console(home)
    if console:
        _console(home, house.zone)


def _fresh(home: Path) -> Path:
    if home.exists() and not (home / MARK).exists():
        raise Stopped(
            f"{home}: a folder of the demo expected, another one found; it is left alone",
            "move it away, or choose another folder with --home",
            Code.USAGE,
        )
    if home.exists():
        shutil.rmtree(home)
    Disk().make_folder(home)
    Disk().create(home / MARK, b"")
    return home


def _day_with_faults(rounds: int) -> "DayRequest":
    from replay.simulate import DayRequest, plan

    seats = plan.table_setups(str(len(plan.mix())))
    return DayRequest(SEED, seats, rounds, DAY, dict.fromkeys(FAULTS, 1))


def _document(home: Path, made: "SimulatedFiles", day: DemoDay) -> dict[str, Any]:
    from audit.pages.finding import document

    return day._asdict() | {
        "findings": [document(finding) for finding in day.findings],
        "faults": len(made.truth),
        "home": str(home),
        "truth_file": str(made.truth_path),
    }


def _explain(home: Path, finding: "CheckFinding", zone: str) -> None:
    from audit.checks import wording
    from audit.cli import times
    from audit.pages import round as round_page
    from replay.explain import explanation
    from replay.locate import locate

    finding = wording.told(finding, "en")
    judged = locate(home, str(finding.round_id)).judged
    wagers = [due.wager_id for due in judged.dues if due.wager_id == finding.subject]
    screen.say(f"\nThe costliest finding, {finding.finding_id}: {finding.title}")
    day = finding.gaming_day or ""
    screen.say(f"expected {times.local(finding.expected, zone, day)}")
    screen.say(f"found    {times.local(finding.found, zone, day)}\n")
    for line in round_page.lines(explanation(judged, *wagers), zone):
        screen.say(line)
    screen.say()


def _conclude(
    home: Path, made: "SimulatedFiles", day: DemoDay, costliest: "CheckFinding | None"
) -> None:
    from schemas.money import shown

    kinds = sorted({finding.check_id for finding in day.findings})
    stake = shown(_cost(costliest), costliest.currency or "") if costliest else "nothing"
    name = costliest.round_id if costliest else "ROUND"
    screen.say(
        f"Seen: {day.rounds:,} rounds of {day.games} games at {day.tables} tables, "
        f"{day.events:,} events, digest {day.digest[:16]}…"
    )
    screen.say(
        f"Found: {len(day.findings)} findings ({', '.join(kinds)}) for {len(made.truth)} simulated "
        f"faults; the costliest is {stake}"
    )
    screen.say(
        f"Data: {home}/audit.duckdb (tables), {home}/log (events), {made.truth_path} (truth)"
    )
    screen.say(f"Try: roundproof findings --home {home}; roundproof explain {name} --home {home}")
    screen.say(f'Or: roundproof sql "from table_days" --home {home}')


def _dispute(home: Path, case: "Case", pack: "DemoPack", zone: str) -> None:
    """Tell the dispute step by step, and where its pack lies."""
    from audit.pages import case as page

    screen.say(f"\nA dispute over it, {case.case_id}:")
    for event in case.steps:
        screen.say(f"  {event.number:>2}. {page.told(case, event, zone)}")
    screen.say(f"\n$ python3 -I {pack.verifier} {pack.path}")
    for line in pack.said.splitlines():
        screen.say(line)
    screen.say(f"\nPack: {pack.path}, with report.en.pdf and report.vi.pdf in it")
    screen.say(f"Try: roundproof case show {case.case_id} --home {home}")


def _invite_to_console(home: Path) -> None:
    from audit.console.demo_accounts import PASSWORD, PEOPLE

    people = ", ".join(f"{each.name} ({each.role})" for each in PEOPLE)
    screen.say(f"Console: roundproof console --home {home}; sign in as {people}")
    screen.say(f"Password of them all, in the demo only: {PASSWORD}")


def _console(home: Path, zone: str, *, as_json: bool = False) -> None:
    import webbrowser

    from audit.console import serving

    serving.serve(
        home,
        zone,
        "127.0.0.1",
        serving.PORT,
        names=(),
        tls=None,
        as_json=as_json,
        when_listening=webbrowser.open if sys.stdout.isatty() else None,
    )


def _cost(finding: "CheckFinding") -> int:
    return finding.house_minor + finding.player_minor


@contextmanager
def _timed(what: str, say: Callable[[str], None]) -> Iterator[None]:
    begun = time.monotonic()
    yield
    say(f"{what}: {time.monotonic() - begun:.1f} s")

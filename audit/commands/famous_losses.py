"""`roundproof demo NAME`: losses that casinos are known for, and where the checks stop them.

golden-nugget     a baccarat shoe of new decks that nobody had shuffled
false-shuffle     a packet of cards that stays together from one shoe to the next
sic-bo-paytable   a layout that pays far more on a bet than its odds allow
"""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.cli import screen
from audit.cli.errors import Code, Stopped

if TYPE_CHECKING:
    from audit.checks.run import CheckFinding

DAY = "2026-03-01"
# The layout pays three of a kind by its number, 185:1, on totals that come three times as often.
PRINTED, WRONG = r"(total:4 total:17 +\| it wins +\| )61:1 ", r"\g<1>185:1"
BOOK, FAULTY_BOOK = "SA-SB", "faulty-layout.toml"

Document = dict[str, Any]
Say = Callable[[str], None]


def golden_nugget(home: Path, say: Say) -> Document:
    """A shoe in the order of new decks."""
    say("Atlantic City, 2012: decks came unshuffled, and players bet the rising runs.")
    return _played(home, say, "T01:TB//none", 60, "SHOE-03")


def false_shuffle(home: Path, say: Say) -> Document:
    """A packet of twenty cards that a false shuffle carries into the next shoe."""
    say("A dealer keeps a noted packet together; its players wait for it in the next shoe.")
    return _played(home, say, "T01:TB//false", 160, "SHOE-04")


def sic_bo_paytable(home: Path, say: Say) -> Document:
    """A layout whose totals of 4 and 17 pay as much as a named triple."""
    from audit.pages.edition_names import every
    from replay import lint

    say("A layout is printed with the odds of one bet beside another.")
    text = (files("replay.rulebooks") / f"{BOOK}.toml").read_text("utf-8")
    path = home / FAULTY_BOOK
    path.write_text(re.sub(PRINTED, WRONG, text), "utf-8")
    (edition,) = every(str(path))
    found = [each for each in lint.lint(edition) if each.level == lint.ERROR]
    complaints = [f"{each.where}: {each.text}" for each in found]
    for complaint in complaints:
        say(f"refused  {complaint}")
    say("The table does not open: roundproof rules lint ends with exit code 4.")
    return {"demo": "sic-bo-paytable", "file": str(path), "refused": complaints}


DEMOS: Mapping[str, Callable[[Path, Say], Document]] = {
    "golden-nugget": golden_nugget,
    "false-shuffle": false_shuffle,
    "sic-bo-paytable": sic_bo_paytable,
}


def _played(home: Path, say: Say, table: str, rounds: int, check_id: str) -> Document:
    """A day of one table through the whole house, and what one check finds in it."""
    from audit.commands import demo_day
    from replay.simulate import DayRequest, plan

    request = DayRequest("demo", plan.table_setups(table), rounds, DAY)
    made = demo_day.simulated(home, request)
    demo_day.brought_in(home, made)
    demo_day.replayed(home, 1)
    told = [finding for finding in demo_day.checked(home) if finding.check_id == check_id]
    first = min(told, key=lambda finding: str(finding.round_id), default=None)
    if first is None:
        raise Stopped(
            f"{check_id} finds nothing in {home}", "report this as a bug", Code.UNEXPECTED
        )
    _show(first, home, say)
    return {"demo": check_id, "home": str(home), "first": first._asdict(), "findings": len(told)}


def _show(first: "CheckFinding", home: Path, say: Say) -> None:
    hand = int(str(first.round_id).rpartition("-")[2])
    say(f"{first.check_id}  {first.title}")
    say(f"hand      {hand}, round {first.round_id}")
    say(f"expected  {first.expected}")
    say(f"found     {first.found}")
    screen.hint(f"roundproof --home {home} explain {first.round_id}")


def run(name: str, home: Path, say: Say) -> Document:
    """One of the demos in a folder of its own."""
    if name not in DEMOS:
        what = f"demo {name!r}: one of {', '.join(DEMOS)} expected"
        raise Stopped(what, "roundproof demo --help", Code.NOT_FOUND)
    return DEMOS[name](home, say)

"""`python -m tests.mutants`: run mutants of some games, or show one of them whole."""

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

from audit.cli import columns, screen
from tests.mutants import days, exceptions, show
from tests.mutants.kept import Kept
from tests.mutants.run import jobs, run
from tests.mutants.tally import Line, Tally
from tests.mutants.verdicts import BROKEN, CLASSES, FALSE, FOLLOWS, SILENT

SHOWN = 3  # examples of a kind
DEFAULT = 800  # mutants a game


def main() -> int:
    """Do what the command line asks for."""
    asked = _parser().parse_args()
    if asked.command == "show":
        show.show(asked.game, asked.seed, asked.number)
        return 0
    codes = asked.games or list(days.CODES)
    todo = jobs(codes, asked.seed, asked.count, asked.first)
    kept = Kept(asked.keep) if asked.keep else None
    with screen.progress("mutants", len(codes) * asked.count, "mutants") as advance:
        done = run(todo, asked.workers, advance, kept)
    return report(done, by_mutation=asked.by_mutation, follows=asked.follows)


def report(done: Tally, *, by_mutation: bool, follows: bool) -> int:
    """Print the counts and what is left open; 1 where anything is."""
    _counts(done, "game", lambda key: key[0])
    if by_mutation:
        _counts(done, "mutation", lambda key: key[1])
    known = exceptions.read()
    excepted = [line for line in done.lines if exceptions.covers(known, line)]
    bad = [line for line in done.lines if line.verdict in (SILENT, FALSE, BROKEN)]
    left = [line for line in bad if line not in excepted]
    _examples(left)
    if follows:
        _examples([line for line in done.lines if line.verdict == FOLLOWS])
    screen.say(
        f"{done.counts.total():,} mutants, {len(bad):,} silent, false or broken, "
        f"{len(bad) - len(left):,} of them excepted"
    )
    return 1 if left else 0


def _counts(done: Tally, what: str, of: "exceptions.KeyOf") -> None:
    table: dict[str, Counter[str]] = {}
    for key, count in done.counts.items():
        table.setdefault(of(key), Counter())[key[2]] += count
    rows = [
        (name, *(f"{table[name][kind]:,}" for kind in CLASSES), f"{table[name].total():,}")
        for name in sorted(table)
    ]
    columns.table((what, *CLASSES, "all"), rows, right=(*CLASSES, "all"))


def _examples(lines: list[Line]) -> None:
    """Each kind with how often it came and a few that show it."""
    groups: dict[tuple[str, ...], list[Line]] = {}
    for line in lines:
        game = line.name.partition(" ")[0]
        done = "; ".join(exceptions.plain(text) for text in line.did)
        groups.setdefault((game, line.verdict, "; ".join(line.why), line.kind, done), []).append(
            line
        )
    for (game, verdict, why, kind, done), group in sorted(groups.items()):
        names = ", ".join(line.name for line in group[:SHOWN])
        screen.say(
            f"{game} {verdict}: {why or 'money follows the record'} [{kind}: {done}]"
            f" {len(group):,} times, such as {names}"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="run mutants and count what becomes of them")
    running.add_argument("games", nargs="*", metavar="GAME", help="rulebook codes; all of them")
    running.add_argument("--seed", default="1")
    running.add_argument("--first", type=int, default=0, help="number of the first mutant")
    count = int(os.environ.get("ROUNDPROOF_MUTANTS_A_GAME", DEFAULT))
    running.add_argument("--count", type=int, default=count, help="mutants a game")
    running.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    where = "file of houses that are done; a run that was ended goes on from it"
    running.add_argument("--keep", type=Path, metavar="FILE", help=where)
    running.add_argument("--by-mutation", action="store_true", help="counts by mutation too")
    running.add_argument("--follows", action="store_true", help="list what money followed")
    showing = commands.add_parser("show", help="show one mutant whole")
    showing.add_argument("game", choices=days.CODES)
    showing.add_argument("seed")
    showing.add_argument("number", type=int)
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""Which fault happens at which table in which round."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import cycle, islice
from random import Random

from replay import rulebooks
from replay.simulate.chance import stream
from replay.simulate.faults.fault import SeededFault, UnknownFault, of_game
from replay.simulate.game_play import SHUFFLES, TableSetup
from replay.simulate.table import PlannedRound
from schemas import shape

# Where only a number of tables is asked for: a table of each game that can be played in turn,
# cards, wheel and dice first, and then again with these paytables.
FIRST = ("TB", "RO", "SA-SB")
AGAIN = (("TB", "non_commission"),)
QUIET = 2  # rounds at the start of a day without a fault: the table has to find its feet
APART = 1  # honest rounds at least between two faults


class BadRequest(ValueError):
    """A wish the seeded house cannot fulfil, and what would help."""


def table_setups(text: str) -> tuple[TableSetup, ...]:
    """The tables asked for: `6`, or `T01:TB,T02:TB/non_commission,R01:RO`."""
    if text.isdigit():
        kinds = islice(cycle(mix()), int(text))
        named = [TableSetup(f"T{n:02d}", *kind) for n, kind in enumerate(kinds, 1)]
    else:
        named = [_setup(part) for part in text.split(",")]
    if not named or len({setup.table_id for setup in named}) != len(named):
        raise BadRequest(f"tables {text!r}: at least one table, each name once, expected")
    return tuple(named)


@cache
def mix() -> tuple[tuple[str, str], ...]:
    """Every game with a play module, as code and paytable, in the order tables are opened."""
    room = files("replay.simulate.play")
    codes = {
        edition.code for edition in rulebooks.editions() if (room / f"{edition.game}.py").is_file()
    }
    ranked = [*FIRST, *sorted(codes - set(FIRST))]
    return (*((code, "") for code in ranked), *AGAIN)


def day(text: str) -> str:
    """A gaming day such as 2026-03-01."""
    fits, wanted = shape.FORMATS["day"]
    if not fits(text):
        raise BadRequest(f"day {text!r}: {wanted} expected")
    return text


COUNT = re.compile("[1-9][0-9]{0,5}")


def fault_counts(asked: Sequence[str], all_or_none: str) -> dict[str, int] | None:
    """How often each fault is wanted; None for every fault that every game can show."""
    if all_or_none not in ("all", "none"):
        raise BadRequest(f"faults {all_or_none!r}: all or none expected")
    if all_or_none == "all" and asked:
        raise BadRequest(f"faults all and fault {asked[0]!r}: one of the two expected")
    if all_or_none == "all":
        return None
    found: dict[str, int] = {}
    for wish in asked:
        name, sign, count = wish.partition("=")
        if not name or (sign and not COUNT.fullmatch(count)):
            raise BadRequest(f"fault {wish!r}: NAME=COUNT such as PAY-01=2 expected")
        found[name] = found.get(name, 0) + int(count or 1)
    return found


def plans(
    tables: Sequence[TableSetup], rounds: int, wanted: Mapping[str, int] | None, day: str, seed: str
) -> dict[str, dict[int, PlannedRound]]:
    """Every table's plan: the stages of its faults by round number."""
    given: dict[str, list[SeededFault]] = {setup.table_id: [] for setup in tables}
    for table_id, fault in _shared_out(tables, wanted, day):
        given[table_id].append(fault)
    return {
        table_id: _laid_out(table_id, faults, rounds, stream(seed, table_id, "plan"))
        for table_id, faults in given.items()
    }


def known(setup: TableSetup, day: str) -> Mapping[str, SeededFault]:
    """The faults a table can show, by name."""
    return of_game(setup.code, rulebooks.in_force(setup.code, day).game)


def fits(fault: SeededFault, setup: TableSetup, day: str) -> bool:
    """Whether the table's paytable lets the fault show."""
    paytable = setup.paytable or rulebooks.in_force(setup.code, day).paytable
    return not fault.paytables or paytable in fault.paytables


def _shared_out(
    tables: Sequence[TableSetup], wanted: Mapping[str, int] | None, day: str
) -> Iterable[tuple[str, SeededFault]]:
    able: dict[str, list[tuple[str, SeededFault]]] = {}
    for setup in tables:
        for name, fault in known(setup, day).items():
            if fits(fault, setup, day):
                able.setdefault(name, []).append((setup.table_id, fault))
    if wanted is None:
        yield from _each_game_once(tables, able)
        return
    for name, count in sorted(wanted.items()):
        if name not in able:
            raise UnknownFault(f"fault {name!r}: none of these tables can show it")
        for n in range(count):
            yield able[name][n % len(able[name])]


def _each_game_once(
    tables: Sequence[TableSetup], able: Mapping[str, list[tuple[str, SeededFault]]]
) -> Iterable[tuple[str, SeededFault]]:
    """Every fault once a game, spread over the tables of that game."""
    codes = {setup.table_id: setup.code for setup in tables}
    turn: dict[str, int] = {}
    for _, places in sorted(able.items()):
        by_code: dict[str, list[tuple[str, SeededFault]]] = {}
        for table_id, fault in places:
            by_code.setdefault(codes[table_id], []).append((table_id, fault))
        for code, choice in by_code.items():
            turn[code] = turn.get(code, -1) + 1
            yield choice[turn[code] % len(choice)]


def _laid_out(
    table_id: str, faults: Sequence[SeededFault], rounds: int, rng: Random
) -> dict[int, PlannedRound]:
    """A place for every fault: long ones first, the others in any order, spread over the day."""
    order = sorted(faults, key=lambda fault: (rng.random(), fault.name))
    order.sort(key=lambda fault: (not fault.first_round, -fault.lasts, -fault.runs_on))
    needed = QUIET + sum(_span(fault) + APART for fault in order)
    needed = max([needed, *(QUIET + _span(fault) + fault.runs_on for fault in order)])
    if needed > rounds:
        raise BadRequest(
            f"table {table_id}: {len(order)} faults need {needed} rounds, {rounds} found; "
            "ask for more rounds, more tables or fewer faults"
        )
    stages: dict[int, PlannedRound] = {}
    spare = rounds - needed
    start = 1 + QUIET
    for n, fault in enumerate(order):
        if fault.first_round:
            _put(stages, 1, fault)
            continue
        slack = int(rng.random() * (2 * spare / (len(order) - n) + 1)) if spare else 0
        slack = max(0, min(slack, spare, rounds - start - _span(fault) - fault.runs_on))
        spare -= slack
        start += slack
        _put(stages, start, fault)
        start += _span(fault) + APART
    return stages


def _span(fault: SeededFault) -> int:
    return fault.lasts + len(fault.lead)


def _put(stages: dict[int, PlannedRound], start: int, fault: SeededFault) -> None:
    kept: dict[str, str] = {}
    for n, stage in enumerate((*fault.lead, fault)):
        assert start + n not in stages, f"{fault.name}: round {start + n} is taken"
        stages[start + n] = PlannedRound(stage, kept, begins=n == 0)


def _setup(text: str) -> TableSetup:
    table_id, colon, game = text.strip().partition(":")
    code, paytable, shuffle, *more = [*game.split("/"), "", ""][: max(3, game.count("/") + 1)]
    fits, wanted = shape.FORMATS["id"]
    if not (colon and code and fits(table_id)):
        raise BadRequest(f"table {text!r}: NAME:GAME or NAME:GAME/PAYTABLE expected, NAME {wanted}")
    if more or (shuffle or SHUFFLES[0]) not in SHUFFLES:
        known = ", ".join(SHUFFLES)
        raise BadRequest(f"table {text!r}: NAME:GAME/PAYTABLE/SHUFFLE expected, SHUFFLE of {known}")
    return TableSetup(table_id, code, paytable, shuffle or SHUFFLES[0])

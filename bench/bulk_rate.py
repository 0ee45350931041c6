"""How much faster the bulk lane derives rounds than the plain lane, game by game.

python bench/bulk_rate.py [ROUNDS [GAMES]]     by default 1,000 rounds of every game with tables

Both lanes start from the same folded rounds in one process; all they derive is made: rows
of all tables in the plain lane, Arrow columns of dues, settlements and results in the bulk lane.

    usual     from columns of usual rounds to the columns that come out
    fallback  the same of all rounds, the others among them derived by the plain lane
    framed    that with the columns made from folded rounds first, which an archive in columns saves
    others    share of rounds that went to the plain lane

Processor time, the median of five runs; the factors are what the plain lane takes of that.
"""

import gc
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from replay import rulebooks
from replay.bulk.frame import frame
from replay.bulk.lane import TABULATED, BulkLane
from replay.judge import judge_next
from replay.rounds import Round, fold
from replay.ruled import Memory
from replay.simulate import DayRequest, SeededHouse, plan
from replay.tables.round_rows import of_round
from schemas import events as e

DAY, SEED, RUNS = "2026-03-01", "7", 5
NO_SAMPLE = 10**9


class Rate(NamedTuple):
    """Microseconds a round of one game."""

    plain: float
    usual: float
    fallback: float
    framed: float
    others: float


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 1_000
    games = sys.argv[2].split(",") if sys.argv[2:] else list(TABULATED)
    print(f"{rounds:,} rounds a game; µs of processor time a round, median of {RUNS}")
    print("game      plain    usual fallback   framed   others      usual fallback framed")
    for game in games:
        rate = measured(game, rounds)
        print(
            f"{game:<7}{rate.plain:>8,.0f}{rate.usual:>9.1f}{rate.fallback:>9.1f}"
            f"{rate.framed:>9.1f}{rate.others:>9.2%}{rate.plain / rate.usual:>10.0f}x"
            f"{rate.plain / rate.fallback:>8.0f}x{rate.plain / rate.framed:>6.0f}x"
        )


def measured(game: str, count: int) -> Rate:
    """Both lanes over a lawful day of one table."""
    rounds = simulated(game, count)
    usual = usual_rounds(rounds)
    part = frame(usual)
    lane = BulkLane(rulebooks.in_force, NO_SAMPLE)
    lane.derive(rounds)
    others = len(lane.done.plain) / len(rounds)
    plain = spent(lambda: plainly(rounds)) / len(rounds)
    one = spent(lambda: in_bulk(lane, lambda: lane.derive_frame(part, {}))) / len(usual)
    every = frame(rounds)
    fallback = spent(lambda: in_bulk(lane, lambda: lane.derive_frame(every, {}))) / len(rounds)
    framed = spent(lambda: in_bulk(lane, lambda: lane.derive(rounds))) / len(rounds)
    return Rate(plain, one, fallback, framed, others)


def simulated(game: str, count: int) -> tuple[Round, ...]:
    """The folded rounds of a lawful day."""
    house = SeededHouse(DayRequest(SEED, plan.table_setups(f"T01:{game}"), count, DAY, {}))
    return tuple(fold(DAY, [_event(seq, at) for seq, at in enumerate(house.readings())]))


def usual_rounds(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """Those that the bulk lane derives; with their own terms and nothing carried between them."""
    lane = BulkLane(rulebooks.in_force, NO_SAMPLE)
    lane.derive(rounds)
    return tuple(round for round in rounds if round.round_id not in lane.done.plain)


def plainly(rounds: tuple[Round, ...]) -> None:
    """Every round in the plain lane, to its rows and their digest."""
    memory: dict[str, Memory] = {}
    for round in rounds:
        of_round(judge_next(round, rulebooks.in_force, memory))


def in_bulk(lane: BulkLane, derive: Callable[[], object]) -> None:
    """One run of the bulk lane, whose tables are filled already."""
    lane.done = type(lane.done)()
    derive()


def spent(run: Callable[[], object]) -> float:
    """Microseconds of processor time, the median of some runs."""
    times = []
    gc.disable()
    for _ in range(RUNS):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
        gc.collect()
    gc.enable()
    return median(times) * 1e6


def _event(seq: int, at: e.Reading) -> e.Event:
    event_id = f"{at.table_id}/{at.device_id}/{at.device_seq}"
    device = (at.device_kind, at.device_id, at.device_seq, at.occurred_at, at.err_ms)
    received = at.received_at or 0
    return e.Event(
        event_id, at.table_id, seq, *device, received, "", bytes(32), at.payload, at.round_id
    )


if __name__ == "__main__":
    main()

"""Simulated table-days in which things go wrong, as a live service gets their events."""

import tempfile
from functools import cache
from pathlib import Path

from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from replay.batch import source
from replay.batch.source import Sealed
from replay.simulate import plan
from replay.simulate.house import DayRequest, SeededHouse
from replay.simulate.plan import BadRequest
from replay.simulate.table import Stuck
from tests.support import houses

SEATS = {seat.code: seat for seat in plan.table_setups("15")}


@cache
def day(code: str, rounds: int = 60, faults: int = 10) -> tuple[Sealed, ...]:
    """A simulated day of one game with about so many of the faults it can show, far apart."""
    seat = SEATS[code]
    known = sorted(plan.known(seat, houses.DAY))
    chosen = known[:: -(-len(known) // faults)]
    wish = DayRequest("7", (seat,), rounds, houses.DAY, dict.fromkeys(chosen, 1))
    with tempfile.TemporaryDirectory() as folder:
        try:
            home = brought_in(Path(folder), wish)
        except (BadRequest, Stuck):  # more than the day has room or cards for
            return day(code, rounds, faults - 1)
        ((_, sealed),) = source.table_days(source.opened(home), seat.table_id)
    return tuple(sealed)


def brought_in(home: Path, wish: DayRequest) -> Path:
    """A house whose log holds a simulated day."""
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: houses.BEGUN, trusts_received_at=True)
        door.take(SeededHouse(wish).readings(), "a test")
    return home

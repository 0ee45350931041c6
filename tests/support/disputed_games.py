"""A house with a table of every game, and at each a round that paid a winner too little: disputed.

The log is sealed after the last dispute, so that every case can be packed.
"""

from pathlib import Path

from audit.cases.case import Case
from audit.checks import findings
from audit.commands import demo_dispute
from audit.sql import database
from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from replay import rulebooks
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from tests.support import houses, sealed_houses
from tests.support.command_line import called

FAULT, ROUNDS, SEED = "PAY-02", 6, "7"


def disputed_house(home: Path, games: tuple[str, ...] = ()) -> dict[str, Case]:
    """The case of each game in a house that this makes."""
    tables = {f"T{n:02}": code for n, code in enumerate(games or rulebooks.codes(), 1)}
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: houses.BEGUN, trusts_received_at=True)
        for table, code in tables.items():
            seats = (TableSetup(table, code),)
            wish = DayRequest(SEED, seats, ROUNDS, houses.DAY, {FAULT: 1})
            door.take(SeededHouse(wish).readings(), "a test")
    assert called("replay", "--workers", "1", "--home", str(home)) == 0
    assert called("detect", "--home", str(home)) == 5
    cases = {}
    with database.opened(home) as connection:
        found = [each for each in findings.read(connection) if each.check_id == FAULT]
    for finding in found:
        cases[tables[finding.table_id]] = demo_dispute.settled(home, finding)
    sealed_houses.key_made(home)
    sealed_houses.seal(home)
    return cases

"""The people of the demo. Nowhere else does an account begin with a password that is printed."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from audit.console.accounts import Accounts
from audit.console.roles import AccountRole
from audit.console.store import ConsoleStore

PASSWORD = "roundproof demo"  # noqa: S105  (printed on purpose, for simulated data alone)


class DemoPerson(NamedTuple):
    """One account of the demo."""

    name: str
    role: AccountRole
    person: str = ""
    rank: str = ""
    pit: str = ""


PEOPLE = (
    DemoPerson("sup-1", AccountRole.SUPERVISOR, "T01-S1", "pit_supervisor", "T"),
    DemoPerson("op-1", AccountRole.SURVEILLANCE, "OP-1", "surveillance_operator"),
    DemoPerson("pm-1", AccountRole.INVESTIGATOR, "PM-1", "pit_manager"),
    DemoPerson("sm-1", AccountRole.INVESTIGATOR, "SM-1", "shift_manager"),
    DemoPerson("aud-1", AccountRole.AUDITOR, "AU-1", "internal_auditor"),
    DemoPerson("admin-1", AccountRole.ADMIN),
)


def make(home: Path, now: Callable[[], float] = time.time) -> None:
    """Give a house of simulated data an account of every role, without one-time codes."""
    people = Accounts(ConsoleStore(home), now)
    for each in PEOPLE:
        token = people.invite(
            each.name, each.role, person=each.person, rank=each.rank, pit=each.pit
        )
        people.accept(token, PASSWORD, is_demo=True)

"""The findings as they stand: those on file, and what `watch` published since."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from audit.checks import reviews
from audit.console.guard import Visit
from audit.console.questions import queue
from audit.console.roles import Action
from audit.console.snapshot import NothingDerived
from replay.tables.parquet import DerivedCorrupt


@contextmanager
def findings(visit: Visit) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor on the file; while `watch` publishes, with what is not on file yet."""
    state = visit.request.app.state
    with state.snapshot.cursor() as db:
        live = state.live.standing() if state.live else []
        if live:
            queue.add_live(db, live)
        yield db


def cleared(visit: Visit) -> list[str]:
    """The findings that nobody needs to look at any more."""
    return reviews.load(visit.request.app.state.place.home).cleared


def open_findings(visit: Visit) -> int:
    """How many findings are open to this person; none where no file can be read."""
    if not visit.may(Action.SEE_FINDINGS):
        return 0
    try:
        with findings(visit) as db:
            counts = queue.open_counts(db, visit.session.account.pit, cleared(visit))
            return sum(counts.values())
    except (NothingDerived, DerivedCorrupt, OSError, duckdb.Error):
        return 0

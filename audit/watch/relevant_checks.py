"""The sieve: which checks can find anything in a round, told from its rows before any query runs.

Most rounds are lawful and most checks have nothing to say of them, yet a query takes milliseconds
even where it finds nothing.
"""

from collections.abc import Mapping
from functools import lru_cache

from audit.watch.query_needs import Gate
from audit.watch.triggers import OF_CHECKS, OF_VIEWS, Seen
from replay.tables.round_rows import Rows


class Sieve:
    """Built of the gates of the checks and of the views they share."""

    def __init__(self, checks: Mapping[str, Gate], views: Mapping[str, Gate]) -> None:
        self._checks, self._views = checks, views
        self._open = lru_cache(maxsize=4_096)(self._opened)  # rounds are much alike

    def causes(self, rows: Rows) -> list[str]:
        """The checks that a round gives cause, by its own rows and those around it."""
        seen = Seen(rows)
        filled = {table for table, part in rows.items() if part}
        filled |= {view for view, cause in OF_VIEWS.items() if cause(seen)}
        opened = self._open(frozenset(filled), seen.codes)
        return [check for check in opened if self._has_cause(check, seen)]

    def _has_cause(self, check: str, seen: Seen) -> bool:
        """A check that names a code of the round has; and so has one of which nothing is known."""
        named = not seen.codes.isdisjoint(self._checks[check].names or ())
        return named or check not in OF_CHECKS or OF_CHECKS[check](seen)

    def _opened(self, filled: frozenset[str], codes: frozenset[str]) -> tuple[str, ...]:
        """The checks whose gates open."""
        labels = codes | self._checks.keys()  # what is mispaid is labelled with its check
        has = dict.fromkeys(filled, labels)
        for view, gate in self._views.items():
            if view not in OF_VIEWS and gate.opens(has):
                has[view] = labels
        return tuple(check for check, gate in self._checks.items() if gate.opens(has))

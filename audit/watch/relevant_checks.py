"""Which checks can find anything in a round, told from its rows before any query runs.

Most rounds are lawful and most checks have nothing to say of them, yet a query takes milliseconds
even where it finds nothing. A check is relevant to a round where the round fills the tables that
the query needs, and fires one of the check's triggers or has a flag that the query names.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from audit.checks.triggers import OF_ROUND, TriggerRows
from audit.watch.query_needs import QueryNeeds
from replay.tables.rows import Rows

OF_CODES = ("flags", "raised")  # tables that are labelled with the codes of the round


class Query(NamedTuple):
    """What a check or a view needs and is triggered by; a view may name no trigger."""

    needs: QueryNeeds
    triggers: Sequence[str]


class RelevantChecks:
    """Built of the checks and of the views they share."""

    def __init__(self, checks: Mapping[str, Query], views: Mapping[str, Query]) -> None:
        self._checks, self._views = checks, views
        names = (query.needs.names or frozenset() for query in checks.values())
        self._kinds = frozenset[str]().union(*names)
        self._open = lru_cache(maxsize=4_096)(self._opened)  # rounds are much alike

    def to_round(self, rows: Rows) -> list[str]:
        """The checks that are relevant to a round, by its own rows and those around it."""
        seen = TriggerRows(rows)
        fires = cache(lambda trigger: OF_ROUND[trigger](seen))
        filled = {table for table, part in rows.items() if part}
        filled |= {view for view, query in self._views.items() if any(map(fires, query.triggers))}
        opened = self._open(frozenset(filled), seen.codes)
        return [check for check in opened if self._triggered(check, seen, fires)]

    def _triggered(self, check: str, seen: TriggerRows, fires: Callable[[str], bool]) -> bool:
        query = self._checks[check]
        named = not seen.codes.isdisjoint(query.needs.names or ())
        return named or any(map(fires, query.triggers))

    def _opened(self, filled: frozenset[str], codes: frozenset[str]) -> tuple[str, ...]:
        """The checks whose tables are filled."""
        labels = dict.fromkeys(OF_CODES, codes)  # what is mispaid may be of any kind
        has = {table: labels.get(table, self._kinds) for table in filled}
        for view, query in self._views.items():
            if not query.triggers and query.needs.met_by(has):
                has[view] = labels.get(view, self._kinds)
        return tuple(check for check, query in self._checks.items() if query.needs.met_by(has))

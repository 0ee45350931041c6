"""An in-memory database in which the live checks look at a few rounds at a time.

Planning a query costs far more than a few rounds do, so every check is planned once; and what
several checks read is worked out once a pass, where a batch run has views.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import duckdb

from audit.checks import run as run_checks
from audit.checks import views
from audit.checks.catalogue import Check
from audit.checks.run import CheckFinding
from audit.watch.query_needs import LABELLED, QueryNeeds, needs_of
from audit.watch.relevant_checks import Query, RelevantChecks
from replay.tables import dictionary, sql_rows
from replay.tables.rows import Rows


class PlannedQuery(NamedTuple):
    """A query that is planned once: a check, or a view that several checks read."""

    name: str
    sql: str
    needs: QueryNeeds

    @property
    def table(self) -> str:
        """The table that it fills, where it is no check."""
        return self.name.removeprefix("fill_")

    @property
    def planned(self) -> str:
        """The statement that runs the query as it was planned at the start."""
        # DuckDB 2.0 stumbles over the plan of an asof join that runs a second time.
        return self.sql if "asof join" in self.sql else f"execute {self.name}"


class CheckDatabase:
    """Takes rows in, runs the checks over them, and is cleared for the next rounds."""

    def __init__(self, checks: Iterable[Check], kept: Iterable[str] = ()) -> None:
        """Of the tables that are `kept` there is a second one, all_<name>, that is not cleared."""
        self.connection = duckdb.connect(":memory:", config={"threads": 1})
        self.connection.execute("set timezone = 'UTC'")
        self.connection.execute(dictionary.sql())
        # DuckDB plans again whenever something temporary is read, macros included.
        self.connection.execute(views.macros().replace("temp macro", "macro"))
        # With few rows the plan that is found quickest is the best one; and a plan that is kept
        # must not rest on what the optimizer saw in the tables, which were empty then.
        self.connection.execute("pragma disable_optimizer")
        for view in views.views():
            self.connection.execute(f"create table {view.name} as {view.sql}")
        for table in kept:
            self.connection.execute(f"create table all_{table} as from {table}")
        # A plan holds as long as no table is made or dropped, so the tables come first.
        self._views = [self._view(view.name, view.sql) for view in views.views()]
        self._checks = {check.check_id: (check, self._check(check)) for check in checks}
        self._filled: dict[str, frozenset[str]] = {}
        self.failed: dict[str, str] = {}  # checks that could not be run, and why

    def relevant_checks(self, checks: Iterable[str]) -> RelevantChecks:
        """Which of some checks are relevant to rows that are not in the database yet."""
        of_checks = (self._checks[name] for name in checks)
        triggers = {view.name: view.trigger for view in views.views()}
        return RelevantChecks(
            {check.check_id: Query(asked.needs, check.triggers) for check, asked in of_checks},
            {
                view.table: Query(view.needs, [name] if (name := triggers[view.table]) else [])
                for view in self._views
            },
        )

    def reads(self, checks: Iterable[str]) -> frozenset[str]:
        """The tables that some checks may look at, by themselves or by way of others."""
        found = frozenset[str]().union(*(self._checks[name][1].needs.reads for name in checks))
        for view in reversed(self._views):  # a later one may read an earlier one
            if view.table in found:
                found |= view.needs.reads
        return found

    def put(self, rows: Rows) -> None:
        """Put rows into their tables."""
        for table, part in rows.items():
            if part:
                self.lay(table, sql_rows.arrow(table, part))

    def lay(self, table: str, part: object) -> None:
        """Put Arrow rows into a table."""
        self.add(table, part)
        self.holds(table)

    def add(self, table: str, part: object) -> None:  # noqa: ARG002  (DuckDB finds it by its name)
        """Put rows into a table that is not cleared."""
        self.connection.execute(f"insert into {table} select * from part").fetchall()  # noqa: S608

    def holds(self, table: str) -> None:
        """Take note that a table has rows."""
        self._filled[table] = frozenset()
        if column := LABELLED.get(table):
            found = self.connection.execute(f"select distinct {column} from {table}")  # noqa: S608
            self._filled[table] = frozenset(label for (label,) in found.fetchall())

    def clear(self) -> None:
        """Empty every table that has rows."""
        for table in self._filled:
            self.connection.execute(f"delete from {table}")  # noqa: S608
        self._filled = {}

    def findings(self, checks: Sequence[str], *, many: bool = False) -> Iterator[CheckFinding]:
        """What these checks find; `many` rows are worth a plan of their own."""
        if many:
            self.connection.execute("pragma enable_optimizer")
        try:
            self._work_out(self.reads(checks), many=many)
            for check, asked in map(self._checks.__getitem__, checks):
                if asked.needs.met_by(self._filled):
                    yield from self._run(check, "" if many else asked.planned)
        finally:
            if many:
                self.connection.execute("pragma disable_optimizer")

    def _run(self, check: Check, statement: str) -> list[CheckFinding]:
        """What a check finds; one that cannot be run holds up no other."""
        try:
            return list(run_checks.run(self.connection, check, statement))
        except duckdb.Error as error:
            self.failed[check.check_id] = str(error).splitlines()[0]
            return []

    def _work_out(self, wanted: frozenset[str], *, many: bool) -> None:
        for view in self._views:
            if view.table in wanted and view.needs.met_by(self._filled):
                answer = self.connection.execute(view.sql if many else view.planned)
                if answer.fetchall() != [(0,)]:
                    self.holds(view.table)

    def _view(self, name: str, sql: str) -> PlannedQuery:
        asked = self._planned(f"fill_{name}", f"insert into {name} {sql}", sql)
        return asked._replace(needs=asked.needs._replace(names=None))

    def _check(self, check: Check) -> PlannedQuery:
        name = check.check_id.lower().replace("-", "_")
        return self._planned(name, check.sql, check.sql)

    def _planned(self, name: str, statement: str, query: str) -> PlannedQuery:
        self.connection.execute(f"prepare {name} as {statement}")
        return PlannedQuery(name, statement, needs_of(self.connection, query))

"""Every table and view of the DuckDB file, with its columns, as the page docs/tables.md."""

from collections.abc import Iterable, Iterator, Mapping

from audit.checks import case_rows, findings, views
from replay.tables import dictionary
from replay.tables.dictionary import Table

HEAD = """\
# Tables

The tables that a replay writes to `audit.duckdb`, for `roundproof sql` and for any DuckDB from 1.0
on. `roundproof sql .dictionary` writes this page from `replay/tables/tables.sql`,
`audit/checks/findings.sql`, `audit/checks/cases.sql` and `audit/checks/views.sql`.

Money is whole minor units of the round's currency. Times are UTC. A column that ends in `_seq` is a
position in the table's own sequence of events, which alone decides what came first; times do not.

This query compares theoretical and actual results by game, bet and currency. It counts the wagers
that a result decided and whose return is known, and leaves out rounds that are unknown or void, and
stakes that went back. `settled` counts the wagers whose payment was seen.

```sql
select
    game,
    kind,
    currency,
    count(*) as wagers,
    sum(stake) as staked,
    round(sum(expected_net)) as expected,
    sum(due_net) as due,
    sum(seen_net) as seen,
    count(seen_net) as settled
from wager_results
where decided
    and return_numerator is not null
group by all
order by all
```

What rulings changed, wager by wager:

```sql
select
    round_id,
    wager_id,
    player_id,
    due_net,
    unruled_net,
    due_net - unruled_net as moved,
    currency
from wager_results
where unruled_net is distinct from due_net
    and round_id in (select round_id from rulings)
order by round_id, wager_id
```

Late bets and late changes of bets, with the checks that found them:

```sql
select
    wager.round_id,
    wager.wager_id,
    wager.late,
    wager.late_changes,
    wager.withdrawn,
    list(finding.check_id order by finding.check_id) filter (finding.check_id is not null) as checks
from wagers as wager
left join findings as finding
    on finding.table_id = wager.table_id
    and finding.round_id = wager.round_id
    and list_contains(string_split(finding.subject, ' '), wager.wager_id)
    and finding.state <> 'gone'
where wager.late
    or wager.late_changes > 0
    or wager.withdrawn
group by all
order by wager.round_id, wager.wager_id
```
"""


def pages() -> Mapping[str, Table]:
    """Every table and view by name."""
    found = {findings.TABLE: findings.about(), **case_rows.about()}
    return {**dictionary.dictionary(), **found, **views.dictionary()}


def page() -> str:
    """The page docs/tables.md."""
    kept = [page for name, page in pages().items() if name not in views.dictionary()]
    return "\n".join([HEAD, *_part("Tables", kept), *_part("Views", views.dictionary().values())])


def _part(title: str, found: Iterable[Table]) -> Iterator[str]:
    yield f"## {title}\n"
    for table in found:
        yield f"### {table.name}\n\n{table.about}\n"
        yield "| column | type | meaning |\n|---|---|---|"
        for name, kind, about in table.columns:
            yield f"| `{name}` | {kind} | {about.replace('|', chr(92) + '|')} |"
        yield ""

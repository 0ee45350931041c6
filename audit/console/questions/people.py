"""Dealers and inspectors: rounds, findings, money, pace. Facts, and no judgement of a person."""

from typing import NamedTuple

import duckdb

SHEET = """
    with worked as (
        select
            round.dealer_id as person,
            round.table_id,
            round.round_id,
            round.opened_at,
            coalesce(round.ended_at, round.settled_at) as ended_at
        from rounds as round
        where round.dealer_id is not null and starts_with(round.table_id, $pit)
    ),
    found as (
        select table_id, round_id, count(*) as findings,
            count(*) filter (severity = 'S1') as s1,
            sum(house_minor) as house_minor, sum(player_minor) as player_minor
        from findings where state <> 'gone' and round_id is not null group by all
    )
    select
        worked.person,
        count(*) as rounds,
        count(distinct worked.table_id) as tables,
        coalesce(sum(found.findings), 0)::bigint as findings,
        coalesce(sum(found.s1), 0)::bigint as s1,
        coalesce(sum(found.house_minor), 0)::bigint as house_minor,
        coalesce(sum(found.player_minor), 0)::bigint as player_minor,
        coalesce(median(date_diff('second', worked.opened_at, worked.ended_at)), 0)::bigint
            as round_s,
        min(worked.opened_at) as first_at,
        max(worked.opened_at) as last_at
    from worked
    left join found using (table_id, round_id)
    group by worked.person
    order by findings desc, worked.person
"""


class DealerLine(NamedTuple):
    """What one dealer dealt, and what was found in it."""

    person: str
    rounds: int
    tables: int
    findings: int
    s1: int
    house_minor: int
    player_minor: int
    round_s: int  # median length of a round
    first_at: object
    last_at: object

    @property
    def a_thousand(self) -> float:
        """Findings in a thousand rounds."""
        return 1000 * self.findings / self.rounds if self.rounds else 0.0


def dealers(db: duckdb.DuckDBPyConnection, pit: str = "") -> list[DealerLine]:
    """Every dealer, those with most findings first."""
    return [DealerLine(*row) for row in db.execute(SHEET, {"pit": pit}).fetchall()]

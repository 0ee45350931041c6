"""Settlements in SQL: the second implementation of replay/tables/settlement_rows.py.

The examples of the checks are small tables of payments and dues. This works out of them what a
replay writes, and a test compares the two on simulated days.
"""

import duckdb

from audit.checks import views

COLUMNS = "wager_id, round_id, table_id, gaming_day"
OF_PAYMENTS = ",\n".join(
    f"{view.name} as (\n    {view.sql}\n)"
    for view in views.views()
    if view.name in ("stray_payments", "wager_payments", "reopening_payments")
)
SQL = f"""
with
{OF_PAYMENTS},
superseded as (
    select corrected.event_id
    from corrections as correction
    join (from events where type = 'CorrectionMade') as event using (event_id)
    join wager_payments as corrected on corrected.event_id = correction.corrected_id
    join wager_payments as later
        on later.table_id = corrected.table_id
        and later.wager_id = corrected.wager_id
        and later.seq > event.seq
),
seen as (
    select
        {COLUMNS},
        min(seq) as first_seq,
        sum(paid) as paid,
        sum(commission) as commission,
        sum(collected) as collected,
        sum(coalesce(reserve_taken, 0)) as reserve_taken,
        sum(returned) as returned,
        list(event_id order by seq) as evidence
    from (select distinct * from wager_payments)
    where event_id not in (select event_id from reopening_payments)
        and event_id not in (from superseded)
    group by all
),
owed as (
    select * replace (
        coalesce(reserve_taken, 0) as reserve_taken,
        coalesce(reserve_returned, 0) as reserve_returned
    )
    from dues
    qualify count(*) over (partition by table_id, round_id, wager_id) = 1
)
select
    seen.* exclude (evidence),
    seen.paid - due.paid as paid_gap,
    seen.commission - due.commission as commission_gap,
    seen.collected - due.collected as collected_gap,
    seen.reserve_taken - due.reserve_taken as reserve_gap,
    seen.returned - due.returned - due.reserve_returned as returned_gap,
    paid_gap <> 0
        or commission_gap <> 0
        or collected_gap <> 0
        or reserve_gap <> 0
        or returned_gap <> 0 as differs,
    seen.evidence
from seen
left join owed as due using (table_id, round_id, wager_id)
order by all
"""


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """Work out the settlements of the payments and dues that a database holds."""
    connection.execute(f"insert into settlements {SQL}")

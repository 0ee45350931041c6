-- report:      unseen
-- title:       What could not be seen
-- description: What is missing from the record that a report is made of.
-- shows:       Only what the record itself shows to be missing.

-- section:     What could not be seen
-- empty:       The record shows no gap: every table-day was opened, closed and derived, no device left out a number, and every round has a result.
-- column:      what | word | What
-- column:      table_id | id | Table
-- column:      gaming_day | day | Gaming day
-- column:      n | count | How many
-- column:      detail | said | Which
with days as (
    select *
    from table_days
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
kept as (
    select 'events in the log that no replay has taken in' as what, $events_in_log::bigint as n,
        (select count(*) from events where $table in ('', table_id)) as taken
    union all
    select 'steps of disputes that came after the last replay', $cases_in_log::bigint,
        (select count(*) from case_steps where $table in ('', table_id))
    union all
    select 'reviews of findings that came after the last replay', $reviews_in_log::bigint,
        (select count(*) from finding_reviews where $table in ('', table_id))
),
missing as (
    select 1 as rank, 'no table was open' as what, nullif($table, '') as table_id,
        null::date as gaming_day, null::bigint as n, '' as detail
    where not exists (from days)
    union all
    select 0, what, nullif($table, ''), null, n - taken, 'roundproof replay, roundproof detect'
    from kept
    where n > taken
    union all
    select 2, 'nothing could be derived', table_id, gaming_day, null, failed
    from days
    where failed is not null
    union all
    select 3, 'readings before the opening was seen', table_id, null, events, ''
    from table_days
    where gaming_day is null
        and $table in ('', table_id)
    union all
    select 4, 'the closing of the table was not seen', table_id, gaming_day, null, ''
    from days
    where closed_at is null
    union all
    select 5, 'readings that a device numbered and that never came', table_id, gaming_day,
        sum(numbers - come_since)::bigint, string_agg(distinct device_id, ', ' order by device_id)
    from open_gaps
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by table_id, gaming_day
    union all
    select 6, 'rounds without a known result', table_id, gaming_day, count(*),
        string_agg(round_id, ', ' order by round_id)
    from rounds
    where status = 'unknown'
        and gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by table_id, gaming_day
    union all
    select 7, 'settled wagers that cannot be compared with what is due', table_id, gaming_day,
        count(*), string_agg(distinct round_id, ', ' order by round_id)
    from settlements
    where differs is null
        and gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by table_id, gaming_day
)

select what, table_id, gaming_day, n, detail
from missing
order by rank, table_id nulls first, gaming_day nulls first

-- check:     RNG-01
-- title:     Pockets of a wheel do not come equally often
-- severity:  S3
-- live:      no
-- clauses:   RO:4.1, SA-RO:7.1
-- why:       A wheel that favours a pocket pays whoever notices first. The evidence is held against
--            every kind of bias at once and stays valid however often one looks.
-- benign:    Results that the recorder wrote twice (INT-15) look like a bias; so does a wheel that
--            was exchanged under the same table name.
-- budget:    Chance alone tells of one wheel in 100,000 at most, over its whole life. A pocket that
--            comes twice as often shows after about 3,400 spins, one at 1/30 instead of 1/37 after
--            76,000 (bench/chance_power.py); never told on one gaming day.

with
seen as (
    select table_id, result::integer as pocket, count(*) as times
    from chance_results
    where device = 'wheel'
    group by all
),
listed as (
    select
        wheel.table_id,
        list(coalesce(seen.times, 0) order by each.pocket) as counts,
        arg_max(each.pocket, (coalesce(seen.times, 0), -each.pocket)) as most,
        max(coalesce(seen.times, 0)) as most_times
    from (select distinct table_id from seen) as wheel
    cross join (select unnest(wheel()) as pocket) as each
    left join seen on seen.table_id = wheel.table_id and seen.pocket = each.pocket
    group by wheel.table_id
),
lasting as (
    select table_id
    from chance_results
    where device = 'wheel'
    group by table_id
    having count(distinct gaming_day) > 1
),
weighed as (
    select
        listed.*,
        list_sum(listed.counts) as spins,
        bias_evidence(listed.counts, list_transform(listed.counts, lambda each: 1)) as evidence
    from listed
    join lasting using (table_id)
)
select
    'wheel' as subject,
    weighed.table_id,
    null as round_id,
    false as certain,
    'every pocket once in 37 spins' as expected,
    'pocket ' || weighed.most || ' came ' || counted(weighed.most_times, 'time') || ' in '
        || counted(weighed.spins, 'spin') || ', ' || odds_against_chance(weighed.evidence) as found,
    reading.evidence
from weighed
join chance_readings as reading on reading.table_id = weighed.table_id and reading.reader = 'wheel'
where weighed.evidence >= told_evidence()
order by weighed.table_id

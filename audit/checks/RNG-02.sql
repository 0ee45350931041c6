-- check:     RNG-02
-- title:     Neighbouring pockets of a wheel come too often
-- severity:  S3
-- live:      no
-- clauses:   RO:4.1, SA-RO:7.1
-- why:       A tilted wheel or a worn ball track favours an arc, and an arc shows ten times sooner
--            than a pocket. Every arc of three to nine pockets is tried, with its share of the odds.
-- benign:    A dealer who throws alike for hours (RNG-03 looks at that); results written twice (INT-15).
-- budget:    Chance alone tells of one wheel in 100,000 at most, over its whole life. Five pockets
--            that come 30 % too often show after about 2,200 spins (bench/chance_power.py); never told
--            on one gaming day.

with
spun as (
    select table_id, list_position(wheel(), result::integer) - 1 as place, count(*) as times
    from chance_results
    where device = 'wheel'
    group by all
),
wheels as (
    select result.table_id, count(*) as spins
    from chance_results as result
    where result.device = 'wheel'
    group by result.table_id
    having count(distinct result.gaming_day) > 1
),
arcs as (
    select begin.begin, width.width
    from (select unnest(range(37)) as begin) as begin
    cross join (select unnest(range(3, 10)) as width) as width
),
hit as (
    select
        wheels.table_id,
        wheels.spins,
        arcs.begin,
        arcs.width,
        coalesce(sum(spun.times), 0)::bigint as times
    from wheels
    cross join arcs
    left join spun
        on spun.table_id = wheels.table_id
        and (spun.place - arcs.begin + 37) % 37 < arcs.width
    group by all
),
weighed as (
    select
        *,
        log_mean(
            list_transform(
                [1.2, 1.3, 1.5, 2.0],
                lambda lift: times * ln(lift)
                    + (spins - times) * ln((37 - width * lift) / (37 - width))
            )
        ) as evidence
    from hit
),
whole as (
    select
        table_id,
        spins,
        log_mean(list(evidence order by begin, width)) as evidence,
        arg_max(begin, (evidence, -width, -begin)) as begin,
        arg_max(width, (evidence, -width, -begin)) as width,
        arg_max(times, (evidence, -width, -begin)) as times
    from weighed
    group by table_id, spins
)
select
    'wheel' as subject,
    whole.table_id,
    null as round_id,
    false as certain,
    'the pockets ' || wheel()[whole.begin + 1] || ' to ' || wheel()[(whole.begin + whole.width - 1) % 37 + 1]
        || ' on the wheel: ' || counted(whole.spins * whole.width // 37, 'time') as expected,
    counted(whole.times, 'time') || ' in ' || counted(whole.spins, 'spin') || ', '
        || odds_against_chance(whole.evidence) as found,
    reading.evidence
from whole
join chance_readings as reading on reading.table_id = whole.table_id and reading.reader = 'wheel'
where whole.evidence >= told_evidence()
order by whole.table_id

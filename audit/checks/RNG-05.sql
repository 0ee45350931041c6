-- check:     RNG-05
-- title:     Faces of a shaker's dice do not come equally often
-- severity:  S3
-- live:      no
-- clauses:   SA-SB:8.1, SA-FPC:5.1, SA-HL:10.1
-- why:       A loaded die pays whoever knows its face. All dice of a shaker are counted together.
-- benign:    A die that lies in the reader's blind corner is read as one face too often; results
--            written twice (INT-15) look like a bias.
-- budget:    Chance alone tells of one shaker in 100,000 at most, over its whole life. One die of three
--            that shows a face a fifth too often takes about 18,500 shakes to show
--            (bench/chance_power.py); never told on one gaming day.

with
thrown as (
    select table_id, gaming_day, unnest(string_split(result, '-')) as face
    from chance_results
    where device = 'dice'
),
seen as (
    select table_id, face, count(*) as times
    from thrown
    group by all
),
listed as (
    select
        table_id,
        list(times order by face) as shown,
        list_resize(shown, 6, 0) as counts,
        arg_max(face, (times, face)) as most,
        max(times) as most_times
    from seen
    group by table_id
    having count(*) <= 6
        and table_id in (select table_id from thrown group by table_id having count(distinct gaming_day) > 1)
),
weighed as (
    select *, list_sum(counts) as faces, bias_evidence(counts, [1, 1, 1, 1, 1, 1]) as evidence
    from listed
)
select
    'dice' as subject,
    weighed.table_id,
    null as round_id,
    false as certain,
    'every face on one die in six' as expected,
    'face ' || weighed.most || ' on ' || format('{:,}', weighed.most_times) || ' of '
        || format('{:,}', weighed.faces::bigint) || ' dice, ' || odds_against_chance(weighed.evidence) as found,
    reading.evidence
from weighed
join chance_readings as reading on reading.table_id = weighed.table_id and reading.reader = 'shaker'
where weighed.evidence >= told_evidence()
order by weighed.table_id

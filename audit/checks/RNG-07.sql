-- check:     RNG-07
-- title:     Tokens of a bowl fall on one side too often
-- severity:  S3
-- live:      no
-- clauses:   SA-XD:11.1
-- why:       Four fair tokens show 0 to 4 red ones as 1, 4, 6, 4 and 1 of 16 shakes. A token that is
--            heavier on one side moves every bet of the game.
-- benign:    Results that the recorder wrote twice (INT-15) look like a bias.
-- budget:    Chance alone tells of one bowl in 100,000 at most, over its whole life. Four tokens that
--            fall on red 55 % of the time show after about 920 shakes (bench/chance_power.py); never
--            told on one gaming day.

with
thrown as (
    select table_id, gaming_day, len(result) - len(replace(result, 'R', '')) as red
    from chance_results
    where device = 'tokens'
        and len(result) = 7
),
listed as (
    select
        table_id,
        list_transform(range(5), lambda red: len(list_filter(list(thrown.red), lambda each: each = red))) as counts,
        sum(red)::bigint as reds,
        count(*) as shakes
    from thrown
    group by table_id
    having count(distinct gaming_day) > 1
),
weighed as (
    select *, bias_evidence(counts, [1, 4, 6, 4, 1]) as evidence
    from listed
)
select
    'tokens' as subject,
    weighed.table_id,
    null as round_id,
    false as certain,
    'two of four tokens red on average' as expected,
    format('{:,}', weighed.reds) || ' red of ' || format('{:,}', 4 * weighed.shakes) || ' tokens, '
        || odds_against_chance(weighed.evidence) as found,
    reading.evidence
from weighed
join chance_readings as reading on reading.table_id = weighed.table_id and reading.reader = 'shaker'
where weighed.evidence >= told_evidence()
order by weighed.table_id

-- check:     INT-15
-- title:     The recorder wrote results twice
-- severity:  S3
-- live:      no
-- clauses:   RO:4.1, SA-RO:7.1, SA-SB:8.1, SA-FPC:5.1, SA-HL:10.1
-- why:       A block of results that stands twice in a row, or results that each stand twice, come
--            from the recorder. A test of the wheel, the dice or the dealer's hand that does not know
--            of it accuses the wrong one.
-- benign:    Chance gives such a block as rarely as the budget says.
-- budget:    Four numbers stand twice in a row once in two million spins, told as possible; five once
--            in seventy million. Eight repeats among 24 spins come once in seven million. Dice are told from
--            the same lengths on and repeat more rarely.

with
placed as (
    select
        table_id,
        round_id,
        result,
        row_number() over told as n,
        hash(result, lag(result, 1) over told, lag(result, 2) over told, lag(result, 3) over told) as four,
        count(*) filter (where again) over (told rows between 23 preceding and current row) as repeats
    from (
        select
            *,
            result = lag(result) over (partition by table_id order by gaming_day, seen_seq) as again
        from chance_results
        where device in ('wheel', 'dice')
    )
    window told as (partition by table_id order by gaming_day, seen_seq)
),
compared as (
    select
        table_id,
        n,
        four,
        [
            lag(four, 4) over told,
            lag(four, 5) over told,
            lag(four, 6) over told,
            lag(four, 7) over told,
            lag(four, 8) over told,
            lag(four, 9) over told,
            lag(four, 10) over told,
            lag(four, 11) over told,
            lag(four, 12) over told,
            lag(four, 13) over told,
            lag(four, 14) over told,
            lag(four, 15) over told,
            lag(four, 16) over told
        ] as fours
    from placed
    window told as (partition by table_id order by n)
),
near as (
    select table_id, n, unnest(list_filter(range(4, 17), lambda length: fours[length - 3] = four)) as length
    from compared
    where list_contains(fours, four)
),
block as (
    select
        near.table_id,
        near.n,
        near.length,
        list(placed.result order by placed.n) as results,
        arg_min(placed.round_id, placed.n) as begun_in,
        list(placed.round_id order by placed.n) as rounds
    from near
    join placed
        on placed.table_id = near.table_id
        and placed.n between near.n - 2 * near.length + 1 and near.n
    group by near.table_id, near.n, near.length
    having count(*) = 2 * near.length
        and results[:near.length] = results[near.length + 1:]
),
first_block as (
    select *
    from block
    qualify n > coalesce(lag(n) over (partition by table_id, length order by n), -1) + 1
),
stretch as (
    select
        table_id,
        n,
        n - row_number() over (partition by table_id order by n) as island
    from placed
    where repeats >= 8
),
twice as (
    select stretch.table_id, min(stretch.n) as n, max(placed.repeats) as repeats
    from stretch
    join placed using (table_id, n)
    group by stretch.table_id, stretch.island
),
told as (
    select
        table_id,
        'block of ' || length || ' from ' || begun_in as subject,
        rounds[-1] as round_id,
        length > 4 as certain,
        counted(length, 'result') || ' stand twice in a row: ' || array_to_string(results, ' ') as found,
        rounds
    from first_block
    union all by name
    select
        twice.table_id,
        'repeats until ' || placed.round_id as subject,
        placed.round_id,
        true as certain,
        twice.repeats || ' of 24 results are the same as the one before' as found,
        [placed.round_id] as rounds
    from twice
    join placed using (table_id, n)
)
select
    told.subject,
    told.table_id,
    told.round_id,
    told.certain,
    'results written once' as expected,
    told.found,
    (
        select list(event.event_id order by event.gaming_day, event.seq)
        from events as event
        where event.table_id = told.table_id
            and list_contains(told.rounds, event.round_id)
            and event.type in ('BallLanded', 'ShakerOpened')
    ) as evidence
from told
order by told.table_id, told.subject

-- check:     INT-05
-- title:     A device fell silent while the table was open
-- severity:  S2
-- live:      table-day
-- trigger:   table alarm
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       A device that says nothing for more than two of its intervals sees nothing either:
--            what happened meanwhile has one witness less.
-- benign:    The device was changed; its successor's first beat follows.

with
openings as (
    select
        day.table_id,
        day.gaming_day,
        max(event.occurred_at) as open_until
    from table_days as day
    left join events as event
        on event.table_id = day.table_id
        and event.gaming_day is not distinct from day.gaming_day
    where day.closed_at is null
    group by day.table_id, day.gaming_day
    union all
    select table_id, gaming_day, closed_at
    from table_days
    where closed_at is not null
),
silences as (
    select
        beat.*,
        least(
            opening.open_until,
            coalesce(
                lead(beat.seen_at) over (
                    partition by beat.table_id, beat.gaming_day, beat.device_id
                    order by beat.seen_at, beat.seq
                ),
                opening.open_until
            )
        ) as heard_at
    from beats as beat
    join openings as opening
        on opening.table_id = beat.table_id
        and opening.gaming_day is not distinct from beat.gaming_day
)
select
    silence.event_id                                            as subject,
    silence.table_id,
    event.round_id,
    true                                                        as certain,
    silence.device_id || ' beats every ' || silence.interval_s || ' s'
                                                                as expected,
    'nothing for ' || date_diff('second', silence.seen_at, silence.heard_at)
        || ' s after ' || clock(silence.seen_at)                as found,
    [silence.event_id]                                          as evidence,
    silence.gaming_day
from silences as silence
left join events as event using (table_id, event_id)
where silence.heard_at - silence.seen_at
    > to_seconds(2 * silence.interval_s) + to_seconds(1)
order by silence.table_id, event.round_id, subject

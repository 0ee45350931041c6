-- check:     INT-04
-- title:     A device's clock is wrong
-- severity:  S3
-- live:      table-day
-- trigger:   table alarm
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       Before and after no more bets is told by clocks where devices differ. A clock more
--            than a second off, or running backwards, cannot carry that.
-- benign:    The device was set right in between; the offset of its next beat is small again.

with
watched as (
    select
        *,
        abs(offset_ms) > 1000 as wrong,
        lag(abs(offset_ms) > 1000, 1, false) over (
            partition by table_id, gaming_day, device_id order by seq
        ) as wrong_before
    from beats
),
episodes as (
    select
        *,
        sum((wrong and not wrong_before)::integer) over (
            partition by table_id, gaming_day, device_id order by seq
        ) as episode
    from watched
),
drifted as (
    select
        table_id,
        gaming_day,
        arg_min(event_id, seq) as event_id,
        device_id || ' keeps within 1,000 ms of true time' as expected,
        counted(count(*), 'beat') || ' up to ' || format('{:,}', max(abs(offset_ms)))
            || ' ms off, the first at ' || clock(min(seen_at)) as found,
        list(event_id order by seq) as evidence
    from episodes
    where wrong
    group by table_id, gaming_day, device_id, episode
),
stepped as (
    select
        table_id,
        gaming_day,
        event_id,
        device_id || '''s clock runs forward' as expected,
        'it ran back by ' || format('{:,}', found) || ' ms' as found,
        [event_id] as evidence
    from alarms
    where kind = 'ClockStepped'
)
select
    sign.event_id                                               as subject,
    sign.table_id,
    event.round_id,
    true                                                        as certain,
    sign.expected,
    sign.found,
    sign.evidence,
    sign.gaming_day
from (from drifted union all from stepped) as sign
left join events as event using (table_id, event_id)
order by sign.table_id, event.round_id, subject

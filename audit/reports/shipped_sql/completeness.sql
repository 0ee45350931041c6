-- report:      completeness
-- title:       Completeness certificate
-- description: Whether the record of the gaming day is whole: the numbers that each device gave its readings, the times at which it said that it was alive, and the rounds that a camera saw.
-- shows:       Numbers that are all there show that no reading was lost between the device and the log, not that the device saw everything. That the log was not changed afterwards is proven by its seal: roundproof log verify.

-- section:     The record
-- layout:      facts
-- column:      table_days | count | Table-days
-- column:      events | count | Events
-- column:      rounds | count | Rounds
-- column:      missing | count | Numbers never seen
-- column:      late | count | Readings that came late
-- column:      steps | count | Clocks set back
with days as (
    select *
    from table_days
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
raised as (
    select *
    from alarms
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
)
select
    (select count(*) from days) as table_days,
    (select coalesce(sum(events), 0)::bigint from days) as events,
    (select coalesce(sum(rounds), 0)::bigint from days) as rounds,
    (
        select coalesce(sum(numbers - come_since), 0)::bigint
        from open_gaps
        where gaming_day between $from::date and $to::date
            and $table in ('', table_id)
    ) as missing,
    (select count(*) from raised where kind = 'LateArrived') as late,
    (select count(*) from raised where kind = 'ClockStepped') as steps

-- section:     Table-days
-- empty:       No table was open.
-- column:      table_id | id | Table
-- column:      gaming_day | day | Gaming day
-- column:      opened_at | time | Opened
-- column:      closed_at | time | Closed
-- column:      events | count | Events
-- column:      rounds | count | Rounds
-- column:      without_result | count | Without a known result
-- under:       digest | id | Digest of everything derived
-- under:       failed | said | Not derived
select
    day.table_id,
    day.gaming_day,
    day.opened_at,
    day.closed_at,
    day.events,
    day.rounds,
    (
        select count(*)
        from rounds as round
        where round.table_id = day.table_id
            and round.gaming_day = day.gaming_day
            and round.status = 'unknown'
    ) as without_result,
    day.digest,
    day.failed
from table_days as day
where day.gaming_day between $from::date and $to::date
    and $table in ('', day.table_id)
order by day.table_id, day.gaming_day

-- section:     Devices
-- empty:       No device was heard.
-- column:      table_id | id | Table
-- column:      device_id | id | Device
-- column:      first_number | count | First number
-- column:      last_number | count | Last number
-- column:      readings | count | Readings
-- column:      missing | count | Missing
-- column:      beats | count | Beats
-- column:      silent_s | count | Seconds silent
-- column:      offset_ms | count | Clock off by at most, ms
with heard as (
    select
        table_id,
        device_id,
        min(device_seq) as first_number,
        max(device_seq) as last_number,
        count(*) as readings,
        max(device_seq) - min(device_seq) + 1 - count(distinct device_seq) as missing
    from events
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by table_id, device_id
),
gaps as (
    select
        table_id,
        device_id,
        offset_ms,
        interval_s,
        date_diff(
            'second', lag(seen_at) over (partition by table_id, gaming_day, device_id order by seq), seen_at
        ) as seconds
    from beats
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
alive as (
    select
        table_id,
        device_id,
        count(*) as beats,
        coalesce(sum(seconds - interval_s) filter (where seconds > 2 * interval_s), 0)::bigint as silent_s,
        max(abs(offset_ms)) as offset_ms
    from gaps
    group by table_id, device_id
)
select
    heard.*,
    coalesce(alive.beats, 0) as beats,
    alive.silent_s,
    alive.offset_ms
from heard
left join alive using (table_id, device_id)
order by heard.table_id, heard.device_id

-- section:     What the cameras saw
-- empty:       No round was played.
-- column:      table_id | id | Table
-- column:      gaming_day | day | Gaming day
-- column:      game | id | Game
-- column:      rounds | count | Rounds
-- column:      seen | count | Seen by a camera
-- column:      unseen | count | Not seen
-- column:      disturbed | count | View disturbed
-- under:       which | said | Not seen by any camera
with watched as (
    select
        round.table_id,
        round.gaming_day,
        round.game,
        round.round_id,
        round.opened_seq,
        count(event.event_id) filter (where event.disturbance is null) > 0 as seen,
        count(event.disturbance) > 0 as disturbed
    from rounds as round
    left join events as event
        on event.table_id = round.table_id
        and event.round_id = round.round_id
        and event.device_kind = 'camera'
    where round.gaming_day between $from::date and $to::date
        and $table in ('', round.table_id)
    group by all
)
select
    table_id,
    gaming_day,
    game,
    count(*) as rounds,
    count(*) filter (where seen) as seen,
    count(*) filter (where not seen) as unseen,
    count(*) filter (where disturbed) as disturbed,
    case
        when not bool_or(seen) then ''
        else array_to_string(list(round_id order by opened_seq) filter (where not seen), ', ')
    end as which
from watched
group by table_id, gaming_day, game
order by table_id, gaming_day, game

-- section:     What the gateway noticed
-- empty:       The gateway noticed nothing: no gap, no late reading, no clock set back, no number used twice.
-- column:      raised_at | time | Time
-- column:      table_id | id | Table
-- column:      device_id | id | Device
-- column:      kind | word | What
-- column:      expected | count | Expected
-- column:      found | count | Found
-- under:       round_id | id | Round
-- under:       subject | id | Concerns
select
    raised_at,
    table_id,
    device_id,
    case kind
        when 'GapFound' then 'numbers left out'
        when 'TwinConflicted' then 'one number for two readings'
        when 'LateArrived' then 'came late'
        when 'ClockStepped' then 'clock set back'
        else kind
    end as kind,
    expected,
    found,
    round_id,
    subject
from alarms
where gaming_day between $from::date and $to::date
    and $table in ('', table_id)
order by table_id, seq, event_id

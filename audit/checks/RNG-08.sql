-- check:     RNG-08
-- title:     A device speaks at a table that it is not assigned to
-- severity:  S2
-- live:      no
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       A wheel, shaker, shoe or sensor is levelled, sealed and tested for its table. One that turns up
--            elsewhere without an entry may have been opened, exchanged or prepared on the way.
-- benign:    The move was made and not entered, or entered with the wrong table.
-- unseen:    A device that gives itself the id of another; one that sends no sign of life; what happened to
--            it on the way.

with
-- the table that each device was last moved to, at each of its beats; the first beat assigns it else
travelled as (
    select device_id
    from device_moves
    union
    select device_id
    from beats
    group by device_id
    having min(table_id) <> max(table_id)
),
heard as (
    from beats
    where device_id in (from travelled)
),
homes as (
    select device_id, arg_min(table_id, (seen_at, table_id, seq)) as home_id,
        arg_min(event_id, (seen_at, table_id, seq)) as home_event
    from heard
    group by device_id
),
placed as (
    select
        heard.*,
        coalesce(move.to_table, home.home_id) as assigned_to,
        coalesce(move.event_id, home.home_event) as assigned_by,
        coalesce(heard.seen_at > move.moved_at + to_milliseconds(move.err_ms) + interval 2 second, true)
            as beyond_bounds
    from heard
    join homes as home using (device_id)
    asof left join device_moves as move
        on move.device_id = heard.device_id
        and move.moved_at < heard.seen_at
)
select
    device_id || ' from ' || assigned_by                        as subject,
    table_id,
    null                                                        as round_id,
    bool_or(beyond_bounds)                                      as certain,
    device_id || ' at ' || assigned_to || ', or an entry that it was moved' as expected,
    counted(count(*), 'beat') || ' of it at ' || table_id || ', the first at ' || clock(min(seen_at))
                                                                as found,
    [assigned_by, arg_min(event_id, (seen_at, seq))]            as evidence,
    min(gaming_day)                                             as gaming_day
from placed
where table_id <> assigned_to
group by device_id, table_id, assigned_to, assigned_by
order by table_id, subject

-- check:     INT-13
-- title:     A table-day that could not be derived
-- severity:  S2
-- live:      no
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       No round of it was judged and no other check has looked at it. Half an audit must say
--            that it is one.
-- benign:    The rules of this version stumble over something the table did; another version may not.

select
    coalesce(day.gaming_day::varchar, '')                       as subject,
    day.table_id,
    null::varchar                                               as round_id,
    true                                                        as certain,
    'the ' || counted(day.events, 'event') || ' of the table-day judged'
                                                                as expected,
    day.failed                                                  as found,
    [first(event.event_id order by event.seq)]                  as evidence,
    day.gaming_day
from table_days as day
left join events as event
    on event.table_id = day.table_id
    and event.gaming_day is not distinct from day.gaming_day
where day.failed is not null
group by day.table_id, day.gaming_day, day.events, day.failed
order by day.table_id, day.gaming_day

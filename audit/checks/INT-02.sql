-- check:     INT-02
-- title:     Two different readings under one event id
-- severity:  S1
-- live:      table-day
-- trigger:   table alarm
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       A device numbers each reading once. Two contents under one number mean that one of
--            them was altered or that somebody else speaks in the device's name.
-- benign:    A device was reset and counts from the start again.

select
    alarm.subject,
    alarm.table_id,
    alarm.round_id,
    true                                                        as certain,
    'one reading under ' || alarm.subject                       as expected,
    counted(1 + count(*), 'reading') || ' that differ'                   as found,
    list_concat([alarm.subject], list(alarm.event_id order by alarm.seq))
                                                                as evidence,
    alarm.gaming_day
from alarms as alarm
where alarm.kind = 'TwinConflicted'
group by alarm.table_id, alarm.round_id, alarm.subject, alarm.gaming_day
order by alarm.table_id, alarm.round_id, alarm.subject

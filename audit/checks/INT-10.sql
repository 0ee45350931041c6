-- check:     INT-10
-- title:     A camera was moved or covered in an open round
-- severity:  S3
-- live:      round
-- trigger:   camera disturbed
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-TP:9.2, SA-BJ:3.4
-- why:       What the camera could not see while chips were at risk has one witness less, and
--            a covered camera is where a switch begins.
-- benign:    Somebody leaned into the view; it is clear again before the result.

select
    event.device_id                                             as subject,
    event.table_id,
    event.round_id,
    true                                                        as certain,
    'a clear view from ' || clock(round.opened_at) || ' to the closing'
                                                                as expected,
    string_agg(
        event.disturbance || ' at ' || clock(event.occurred_at),
        ', ' order by event.seq
    )                                                           as found,
    list(event.event_id order by event.seq)                     as evidence
from events as event
join rounds as round using (table_id, round_id)
where event.type = 'CameraDisturbed'
    and event.seq < coalesce(round.ended_seq, event.seq + 1)
group by event.device_id, event.table_id, event.round_id, round.opened_at
order by event.table_id, event.round_id, subject

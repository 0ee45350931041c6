-- check:     INT-07
-- title:     A late reading changes a settled round
-- severity:  S2
-- mode:      live
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       The table paid on what it knew. A reading that came after the round was closed says
--            that something else was due.
-- benign:    The device was cut off and sent its readings later, with their true times.

select
    'late reading'                                              as subject,
    round.table_id,
    round.round_id,
    true                                                        as certain,
    'nothing after ' || clock(round.ended_at) || ' changes what is due'
                                                                as expected,
    counted(round.late_events, 'late event') || ', and with them the round is '
        || round.status
        || case when round.outcome = '' then '' else ' ' || round.outcome end
                                                                as found,
    list(event.event_id order by event.seq)                     as evidence
from rounds as round
join events as event
    on event.table_id = round.table_id
    and event.round_id = round.round_id
    and event.seq > round.ended_seq
where round.changed_by_late
group by all
order by round.table_id, round.round_id

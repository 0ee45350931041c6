-- check:     INT-07
-- title:     A late reading changes what is due
-- severity:  S2
-- live:      round
-- trigger:   changed by late events
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       The table paid on what it knew. A reading that came after the round was closed says
--            that something else was due; and one that came after its result, with a number and
--            a time from before, may have been held back until then.
-- benign:    The device was cut off and sent its readings later, with their true times.

select
    'late reading'                                              as subject,
    round.table_id,
    round.round_id,
    coalesce(bool_or(event.arrived > ending.arrived), false)   as certain,
    case
        when coalesce(bool_or(event.arrived > ending.arrived), false)
            then 'nothing after ' || clock(any_value(round.ended_at)) || ' changes what is due'
        else 'nothing that came after what happened later changes what is due'
    end                                                         as expected,
    counted(any_value(round.late_events), 'late event') || ', and with them the round is '
        || any_value(round.status)
        || any_value(case when round.outcome = '' then '' else ' ' || round.outcome end)
                                                                as found,
    list(event.event_id order by event.seq)                     as evidence
from rounds as round
-- a reading that is put back moves the closing on, so both are compared as they arrived.
left join events as ending
    on ending.table_id = round.table_id
    and ending.round_id = round.round_id
    and ending.seq = round.ended_seq
    and ending.type = 'RoundClosed'
join events as event
    on event.table_id = round.table_id
    and event.round_id = round.round_id
    and (event.arrived > ending.arrived or event.arrived > event.seq)
where round.changed_by_late
group by round.table_id, round.round_id
order by round.table_id, round.round_id

-- check:     SHOE-07
-- title:     A shoe or shuffler jammed, and the round went on as if nothing had happened
-- severity:  S2
-- live:      round
-- trigger:   device jammed
-- clauses:   TB:7.20, SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, SA-AB:1.2.4, SA-TP:9.2.3, SA-BJ:3.4.5
-- why:       A device that jams may have turned, skipped or shown cards. Somebody reports it and somebody
--            decides before the round is settled.
-- benign:    The jam cleared itself before a card was out, and the inspector saw it.
-- unseen:    A jam that the device does not report. In NN and TH the rules ask for a decision of the House
--            on a jam: IRR-01 tells where it is missing.

select
    event.event_id                                              as subject,
    event.table_id,
    event.round_id,
    true                                                        as certain,
    'a report or a ruling before the round is settled'          as expected,
    event.device_id || ' jammed at ' || clock(event.occurred_at) || ', nobody reported it, and the round was settled'
                                                                as found,
    [event.event_id]                                            as evidence
from events as event
join rounds as round using (table_id, round_id)
where event.type = 'DeviceJammed'
    and event.device_kind in ('shoe', 'shuffler')
    and not rules_on_jams(round.game)
    and round.recorded_status = 'settled'
    and not exists (
        from irregularities as report
        where report.table_id = event.table_id
            and report.round_id = event.round_id
    )
    and not exists (
        from rulings as ruling
        where ruling.table_id = event.table_id
            and ruling.round_id = event.round_id
    )
order by event.table_id, event.round_id, subject

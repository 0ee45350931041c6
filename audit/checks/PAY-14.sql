-- check:     PAY-14
-- title:     The chip tray does not balance
-- severity:  S1
-- live:      table-day
-- trigger:   table alarm
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       What was collected less what was paid must be in the tray. A difference is a payment
--            nobody entered, or chips that left another way.
-- benign:    A fill or a credit that was not entered. A settlement that only came in after the count
--            is none: its own time tells. Where a device's numbers have a gap between the counts, a
--            settlement may have got lost, and a round that is not closed by the count may still be
--            settled: this is possible only.

select
    balance.event_id                                            as subject,
    balance.table_id,
    balance.only_round                                          as round_id,
    not balance.unfinished and not exists (
        from open_gaps as gap
        where gap.table_id = balance.table_id
            and gap.seq > balance.seq_before
            and gap.seq < balance.seq
    )                                                           as certain,
    money(balance.amount_before + balance.taken - balance.paid, balance.currency)
        || ' in the tray: ' || money(balance.amount_before, balance.currency)
        || ' before, ' || money(balance.taken, balance.currency) || ' collected and '
        || money(balance.paid, balance.currency) || ' paid in '
        || counted(balance.rounds, 'round')                     as expected,
    money(balance.amount, balance.currency) || ' counted, '
        || money(abs(balance.gap), balance.currency)
        || case when balance.gap < 0 then ' short' else ' over' end
                                                                as found,
    [balance.event_before, balance.event_id]                    as evidence,
    greatest(-balance.gap, 0)                                   as house_minor,
    greatest(balance.gap, 0)                                    as player_minor,
    balance.gaming_day
from tray_gaps as balance
order by balance.table_id, balance.seq

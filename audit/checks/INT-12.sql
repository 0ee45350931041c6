-- check:     INT-12
-- title:     A number beyond what can be
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       No table takes such a stake, and no clock or counter says such a number. What was due
--            on that wager is unknown, so a payment on it is not looked at by any other check.
-- benign:    A slip at the keys, or a device that failed, before the doors refused such readings.

select
    excess.event_id || ' ' || excess.field                      as subject,
    excess.table_id,
    excess.round_id,
    true                                                        as certain,
    excess.field || ' of ' || excess.bound                      as expected,
    excess.found                                                as found,
    [excess.event_id]                                           as evidence,
    excess.gaming_day
from excesses as excess
order by excess.table_id, excess.round_id, subject

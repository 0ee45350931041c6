-- check:     PAY-02
-- title:     A winner was paid too little
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:5.1, TB:5.1, RO:5.1, SA-SB:8.4, SA-FPC:5.4, SA-HL:10.4, SA-XD:11.3, SA-BC:2.4,
--            SA-DT:4.3, SA-PD:6.5, TH:6.1, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       The player is owed what the paytable says, and seldom counts it.
-- benign:    The rest was paid in a second go that was not entered.

select
    wager.wager_id                                              as subject,
    wager.table_id,
    wager.round_id,
    true                                                        as certain,
    wager.expected,
    wager.found,
    wager.evidence,
    wager.clauses,
    wager.house_minor,
    wager.player_minor
from mispaid as wager
where wager.kind = 'plain'
    and wager.paid_gap < 0
order by wager.table_id, wager.round_id, subject

-- check:     PAY-01
-- title:     A winner was paid too much, or a loser was paid
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:5.1, TB:5.1, RO:5.1, SA-SB:8.4, SA-FPC:5.4, SA-HL:10.4, SA-XD:11.3, SA-BC:2.4,
--            SA-DT:4.3, SA-PD:6.5, TH:6.1, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       The paytable says what each wager is owed; more than that is the house's money given
--            away, by mistake or to a friend.
-- benign:    A slip over one chip that was taken back after the settlement was entered.

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
    and wager.paid_gap > 0
order by wager.table_id, wager.round_id, subject

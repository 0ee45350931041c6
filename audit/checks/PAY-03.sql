-- check:     PAY-03
-- title:     A stake was collected or returned wrongly
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:6.3, TB:6.1, RO:6.1, SA-SB:8.4, SA-FPC:5.4, SA-HL:10.4, SA-XD:11.3, SA-BC:2.4,
--            SA-DT:4.3, SA-PD:6.5, TH:5.3, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       Winnings were right and the stake was not: a losing stake left lying, a winning one
--            swept up, or less given back than is due.
-- benign:    The losing chips were bet again at once with the dealer's knowledge.

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
    and wager.paid_gap = 0
order by wager.table_id, wager.round_id, subject

-- check:     PAY-07
-- title:     A stand-off was treated as a win or a loss
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   TB:6.1.1.3, TB:6.1.2.3, SA-XD:11.3.9, SA-XD:11.3.10, SA-BC:2.6, SA-DT:4.4, SA-PD:6.5.7,
--            TH:5.2, TH:5.4, SA-TP:9.5.1, SA-BJ:3.7.3
-- why:       On a tie the main wagers neither win nor lose.
-- benign:    None known; the hand was misread.

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
where wager.kind = 'stand-off'
    and wager.outcome in ('push', 'half_loss')
order by wager.table_id, wager.round_id, subject

-- check:     PAY-09
-- title:     A wager over the maximum was settled wrongly
-- severity:  S2
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:7.11, TB:7.18, TH:7.10, TH:7.10.1.i
-- why:       Only the maximum is paid or collected and the rest goes back, whichever way the hand
--            went.
-- benign:    A higher limit had been agreed for the player and was not posted.

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
where wager.kind = 'over maximum'
order by wager.table_id, wager.round_id, subject

-- check:     PAY-06
-- title:     Reserve was collected wrongly
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:6.4.1, NN:6.4.2, SA-PD:6.2.2, SA-PD:6.5.6
-- why:       How much of a Reserve is lost hangs on the hand the house wins with. Too much robs the
--            player of an insurance, too little pays for a friend's risk.
-- benign:    The two Reserves of a box were taken together and entered on one of its wagers.

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
where wager.kind = 'reserve'
    and wager.reserve_gap <> 0
order by wager.table_id, wager.round_id, subject

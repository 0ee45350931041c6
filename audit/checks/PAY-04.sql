-- check:     PAY-04
-- title:     Commission wrong
-- severity:  S2
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:5.2, NN:5.3.1, NN:5.4.1, TB:2.2.4, TB:2.2.5, TB:5.1.1, SA-BC:2.4.2, SA-BC:2.4.3,
--            SA-AB:1.4.1
-- why:       Five per cent of a winning banker wager is the house's edge on it. Small and frequent,
--            it is the easiest money to let slip.
-- benign:    The change was owed in a chip the tray had run out of.

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
where wager.kind = 'commission'
    and wager.commission_gap <> 0
order by wager.table_id, wager.round_id, subject

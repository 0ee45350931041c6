-- check:     PAY-10
-- title:     Pro rata settlement wrong
-- severity:  S2
-- live:      round
-- trigger:   paid other than due
-- clauses:   TB:7.19, TB:7.19.1
-- why:       When one side outweighs the other by more than the differential, each wager on it counts
--            for its share only.
-- benign:    The share was rounded to the smallest chip.

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
where wager.kind = 'pro rata'
order by wager.table_id, wager.round_id, subject

-- check:     PAY-16
-- title:     Colour chips of another table were valued wrongly
-- severity:  S2
-- live:      round
-- trigger:   paid other than due
-- clauses:   RO:4.7.4, RO:7.11
-- why:       A colour chip is worth what its own table says, wherever it lies.
-- benign:    The other table's marker was changed that day.

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
where wager.kind = 'other table''s chips'
order by wager.table_id, wager.round_id, subject

-- check:     PAY-11
-- title:     Money moved in a free hand
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   TB:7.8
-- why:       A free hand is dealt without wagers, because its first card was known.
-- benign:    None known; the chips should have been off the layout.

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
where wager.kind = 'free hand'
    and wager.status = 'free_hand'
order by wager.table_id, wager.round_id, subject

-- check:     BET-13
-- title:     A wager on a free hand
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   TB:7.8
-- why:       The first card of a free hand is known. A wager on it is a wager on a known card.
-- benign:    Chips of the hand before were not off the layout yet.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'no wagers on a free hand'                                  as expected,
    noted(counted(count(wager.wager_id), 'wager') || ' of together '
        || money(coalesce(sum(wager.stake), 0), flag.currency), flag.note)
                                                                as found,
    flag.clauses,
    flag.evidence
from raised as flag
left join wagers as wager using (table_id, round_id)
where flag.code = 'WAGER_ON_FREE_HAND'
group by
    flag.concerns, flag.table_id, flag.round_id, flag.currency, flag.note, flag.clauses,
    flag.evidence
order by flag.table_id, flag.round_id, subject

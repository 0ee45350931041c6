-- check:     DEAL-14
-- title:     The shoe ran empty and the round was not void
-- severity:  S1
-- mode:      live
-- clauses:   TB:7.2
-- why:       A round that the shoe cannot complete is void and every stake goes back.
-- benign:    None known; the cut card should have ended the shoe before.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'void: the shoe ran empty before the hand was complete'     as expected,
    noted('recorded ' || flag.recorded_status, flag.note)       as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code = 'SHOE_EXHAUSTED'
    and flag.recorded_status <> 'void'
order by flag.table_id, flag.round_id, subject

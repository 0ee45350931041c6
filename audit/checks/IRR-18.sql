-- check:     IRR-18
-- title:     A player looked at more than one hand
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   TH:4.7.1
-- why:       Whoever plays several hands may look at one of them. Four hole cards known, or a
--            neighbour's two, change what the next bet is worth.
-- benign:    The player turned over the hand of a neighbour who had asked for help.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'a player looks at one hand'                                as expected,
    noted('more than one was looked at', flag.note)             as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code = 'MULTI_VIEW'
order by flag.table_id, flag.round_id, subject

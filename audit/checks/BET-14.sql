-- check:     BET-14
-- title:     A bet type was taken after its last round of the shoe
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   SA-BC:2.5
-- why:       A pair is worth more the better the cards that are left are known. The bet closes after
--            a number of rounds; one taken later is refused and its stake goes back.
-- benign:    The rounds of the shoe were counted from another one.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'no bet of a type that has closed'                          as expected,
    noted('it was taken', flag.note)                            as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code = 'BET_UNAVAILABLE'
order by flag.table_id, flag.round_id, subject

-- check:     IRR-06
-- title:     No spin was not called
-- severity:  S1
-- mode:      live
-- clauses:   RO:7.1, RO:7.2, RO:7.3, RO:7.4, RO:7.5, RO:7.6, RO:7.7
-- why:       A spin that went wrong has to be called off before it counts. Left standing, its number
--            pays whoever the irregularity favoured.
-- benign:    The sensor miscounted the revolutions; the camera shows more.

with
meaning (code, expected, found) as (
    values
        ('NO_SPIN_NOT_CALLED', 'no spin is called', 'nobody called it')
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.clauses,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

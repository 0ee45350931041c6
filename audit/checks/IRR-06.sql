-- check:     IRR-06
-- title:     No spin was not called, or a re-spin not done
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   RO:7.1, RO:7.2, RO:7.3, RO:7.4, RO:7.5, RO:7.6, RO:7.7, RO:7.9.1,
--            SA-RO:7.3, SA-RO:7.3.a, SA-RO:7.3.b, SA-RO:7.3.c, SA-RO:7.3.d, SA-RO:7.3.e, SA-RO:7.3.f
-- why:       A spin that went wrong has to be called off, or repeated, before one counts. Left
--            standing, its number pays whoever the irregularity favoured.
-- benign:    The sensor miscounted the revolutions; the camera shows more. A ball of SA Roulette that
--            ran along the edge was spun again, and nobody entered why: this is possible only. So is a round
--            that was called void.

with
meaning (code, expected, found) as (
    values
        ('NO_SPIN_NOT_CALLED', 'no spin is called', 'nobody called it'),
        (
            'SECOND_BALL',
            'a ball is spun again only where the one before is known to count for nothing',
            'another ball was spun all the same'
        ),
        ('RESPIN_MISSED', 'the ball is spun again until a spin is valid', 'it was not')
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    -- called off without the word, or by the other reading of the rule: no number paid anybody
    (flag.code <> 'SECOND_BALL' or not list_contains(flag.clauses, 'SA-RO:7.3.c'))
        and not (
            coalesce(flag.recorded_status, '') = 'void'
            and flag.code in ('NO_SPIN_NOT_CALLED', 'RESPIN_MISSED')
        )                                                       as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.clauses,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

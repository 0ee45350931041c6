-- check:     IRR-17
-- title:     Overlapping tokens were not parted as they should be
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   SA-XD:11.4.1
-- why:       The stick makes every side visible and must not change one. A token turned over, or moved
--            without need, is how a result is helped along.
-- benign:    The sensor took tokens that lay close for overlapping ones.

with
meaning (code, expected, found) as (
    values
        (
            'NOT_REARRANGED',
            'overlapping tokens are parted with the stick',
            'nobody parted them'
        ),
        ('REARRANGE_UNFOUNDED', 'only overlapping tokens are moved', 'none overlapped'),
        (
            'REARRANGE_CHANGED_OUTCOME',
            'the stick leaves every token on its side',
            'another number of reds lay there afterwards'
        )
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

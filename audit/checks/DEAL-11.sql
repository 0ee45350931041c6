-- check:     DEAL-11
-- title:     Cards were damaged or taken off the layout
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.10, NN:7.9
-- why:       A bent card is known again by its back. The result stands; whoever did it may be kept
--            from handling cards.
-- benign:    A drink was spilled.

with
meaning (code, expected, found) as (
    values
        (
            'CARD_DAMAGED',
            'cards stay on the layout and fit for use',
            'they were damaged or taken off it'
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

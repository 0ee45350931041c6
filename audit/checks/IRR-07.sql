-- check:     IRR-07
-- title:     The ball was not returned to the last winning pocket
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   RO:7.9.1
-- why:       A re-spin starts where the last valid one ended, so that nobody chooses where the ball
--            sets out from.
-- benign:    The ball was put back unseen by the sensor.

with
meaning (code, expected, found) as (
    values
        (
            'BALL_NOT_RETURNED',
            'the ball goes back into the previous winning pocket before the re-spin',
            'it did not'
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

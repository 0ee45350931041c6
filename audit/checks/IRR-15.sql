-- check:     IRR-15
-- title:     Squeeze cards were handed out wrongly
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   TB:4.7, TB:7.10
-- why:       The highest bettor of a side may open its cards. Cards in other hands are cards out of the
--            dealer's control.
-- benign:    The player next to the highest bettor was asked to open them.

with
meaning (code, expected, found) as (
    values
        (
            'SQUEEZE_MISDELIVERY',
            'the squeezing player is given the cards of their own side',
            'other cards or another player'
        ),
        (
            'SQUEEZE_NOT_HIGHEST',
            'the seated player with the highest bet squeezes',
            'somebody else did'
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

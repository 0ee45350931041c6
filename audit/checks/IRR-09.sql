-- check:     IRR-09
-- title:     A void throw was not treated as void
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   SA-XD:11.4.4, SA-XD:11.4.5
-- why:       Tokens that nobody shook, that were seen while bets were taken, or that the bowl touched
--            have no result. Settling on them lets the dealer choose it. A round that was not voided
--            is one finding, whether it was played on or not.
-- benign:    The bowl's sensor took a shadow for a touch; the camera shows the tokens still.

with
meaning (code, expected, found) as (
    values
        (
            'ROUND_VOID',
            'the round is void and every bet goes back',
            'it was recorded otherwise'
        ),
        ('PLAY_AFTER_VOID', 'nothing is shaken in a void round', 'play went on')
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
where (flag.code = 'ROUND_VOID' and flag.recorded_status <> 'void')
    or (flag.code = 'PLAY_AFTER_VOID' and flag.recorded_status = 'void')
order by flag.table_id, flag.round_id, subject

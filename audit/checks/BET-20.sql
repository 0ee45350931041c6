-- check:     BET-20
-- title:     A wager the layout does not have, or a call bet never placed
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:7.12, RO:4.3, RO:4.8, RO:6.1, SA-SB:8.3, SA-FPC:5.3, SA-HL:10.3, SA-XD:11.3,
--            SA-BC:2.4, SA-DT:4.2.1, SA-PD:6.2.1, TH:4.7.2, SA-AB:1.4, SA-RO:7.4, SA-RO:7.5,
--            SA-TP:9.2.1, SA-BJ:3.3.2
-- why:       Only the wagers of the rules can be settled. Others are refused, and whoever takes them
--            can argue about them afterwards.
-- benign:    The position was entered wrongly and the chips lay on a lawful one.

with
meaning (code, expected, found) as (
    values
        ('ILLEGAL_POSITION', 'a position of the layout', 'a position it does not have'),
        ('BET_NOT_OFFERED', 'a bet that is offered', 'one that is not'),
        ('SIDE_BET', 'only the bets of the layout, each on the own box', 'another bet was taken'),
        (
            'CALL_BET_NOT_PLACED',
            'a call bet comes with chips and is placed before no more bets',
            'it was not'
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
where flag.code <> 'SIDE_BET'
    or not exists (
        from flags as shared
        where shared.table_id = flag.table_id
            and shared.round_id = flag.round_id
            and shared.code = 'BOX_SHARED'
    )
order by flag.table_id, flag.round_id, subject

-- check:     DEAL-07
-- title:     A hand after the last of its shoe, or another shoe's cut card
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   TB:7.8.1, SA-BC:2.1.3, SA-DT:4.1.3, SA-PD:6.1.3, SA-BJ:3.1.2
-- why:       The end of a shoe is announced so that nobody can choose to go on when the last cards
--            are known to favour somebody.
-- benign:    The announcement was a hand too early and was taken back aloud.

with
meaning (code, expected, found) as (
    values
        (
            'HAND_AFTER_LAST',
            'the announced last hand is the last of the shoe',
            'another hand was dealt from it'
        ),
        (
            'DEALT_AFTER_LAST_ROUND',
            'the announced last hand is the last of the shoe',
            'another hand was dealt from it'
        ),
        (
            'CUT_CARD_OF_ANOTHER_SHOE',
            'the cut card is that of the shoe in play',
            'that of another one came out'
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

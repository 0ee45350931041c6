-- check:     BET-12
-- title:     Two wagers on one bet of a box, or two players on one box
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.5.4, NN:4.6, TH:4.7.1, TH:4.7.2, SA-BJ:3.3.2
-- why:       A box is one hand with one owner. Two who share it argue over it, or hide how much one
--            of them bets.
-- benign:    A player topped up a stake and it was entered as a second wager.

with
meaning (code, expected, found) as (
    values
        (
            'BOX_SHARED',
            'one wager a bet and one player a box',
            'there were more'
        ),
        ('SECOND_MAIN_BET', 'one main bet of a seat', 'a second one was placed')
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

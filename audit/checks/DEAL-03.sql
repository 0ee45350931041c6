-- check:     DEAL-03
-- title:     Cards to an empty box, or none to a box with a wager
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.8.1, NN:7.6, NN:7.6.1, NN:7.7, NN:7.7.1
-- why:       A packet on the wrong place gives everybody after it the hand of somebody else. What
--            was not touched is reconstructed.
-- benign:    A player left the box between no more bets and the deal.

with
meaning (code, expected, found) as (
    values
        (
            'CARDS_TO_EMPTY_BOX',
            'cards go to boxes with a wager only',
            'a box without a wager was dealt in'
        ),
        (
            'NO_CARDS_TO_BOX',
            'every box with a wager is dealt in',
            'a box with a wager got no cards'
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

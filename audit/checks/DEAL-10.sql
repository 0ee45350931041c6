-- check:     DEAL-10
-- title:     A hand was set or called wrongly and settled by that
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.9.5, NN:7.8
-- why:       The dealer sees to it that every hand is set as well as it can be. A hand that is
--            reset costs nobody anything; one that is settled as it was called does.
-- benign:    The call was entered for another box.

with
meaning (code, expected, found) as (
    values
        (
            'HAND_RESET',
            'the true class of the hand settles its wagers',
            'a hand was set or called otherwise and money followed'
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
where exists (
    from mispaid as wager
    where wager.table_id = flag.table_id
        and wager.round_id = flag.round_id
)
order by flag.table_id, flag.round_id, subject

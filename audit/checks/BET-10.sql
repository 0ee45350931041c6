-- check:     BET-10
-- title:     A bet out of proportion to the main one
-- severity:  S2
-- live:      round
-- trigger:   own flags
-- clauses:   NN:2.2.2, NN:4.5.2.i, TH:4.11.2.ii, TH:7.10.1.i, TH:7.10.1.ii, SA-BJ:3.4.3, SA-BJ:3.5.2,
--            SA-BJ:3.5.3
-- why:       Double and Super Niu may not be higher than Even; Flop is twice the Ante, Turn and River
--            once; insurance is half the main bet, a double as much again. A surplus is not in action
--            and goes back; what is short was let through.
-- benign:    The main bet was entered wrongly.

with
meaning (code, expected) as (
    values
        ('OVER_EVEN', 'no higher than the Even of its box'),
        ('OVER_ANTE_MULTIPLE', 'no more than its multiple of the Ante'),
        ('UNDER_ANTE_MULTIPLE', 'its multiple of the Ante'),
        ('FLOP_MISSING', 'followed by a Flop bet or a fold'),
        ('INSURANCE_AMOUNT', 'of half the main bet'),
        ('ADDED_BET_AMOUNT', 'with a second bet equal to the first')
)
select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    due.bet || ' ' || meaning.expected                          as expected,
    money(due.stake, round.currency) || ' by player ' || due.player_id
                                                                as found,
    due.clauses,
    [wager.event_id]                                            as evidence
from dues as due
join rounds as round using (table_id, round_id)
join wagers as wager using (table_id, round_id, wager_id)
join meaning on list_contains(due.flags, meaning.code)
where len(due.flags) > 0
order by due.table_id, due.round_id, subject

-- check:     BET-10
-- title:     A side wager above the main one
-- severity:  S2
-- mode:      live
-- clauses:   NN:2.2.2, NN:4.5.2.i
-- why:       Double and Super Niu may not be higher than Even. The surplus is not in action and
--            goes back.
-- benign:    The Even was entered too low.

select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    due.bet || ' no higher than the Even of its box'
                                                                as expected,
    money(due.stake, round.currency) || ' by player ' || due.player_id
                                                                as found,
    due.clauses,
    [wager.event_id]                                            as evidence
from dues as due
join rounds as round using (table_id, round_id)
join wagers as wager using (table_id, round_id, wager_id)
where list_contains(due.flags, 'OVER_EVEN')
order by due.table_id, due.round_id, subject

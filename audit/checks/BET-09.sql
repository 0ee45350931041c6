-- check:     BET-09
-- title:     A Reserve is missing, short or too large
-- severity:  S2
-- mode:      live
-- clauses:   NN:4.5.3.i, NN:4.5.3.ii
-- why:       The Reserve covers what a strong hand of the house takes beyond the bet. Who lays less
--            risks less than the odds they would collect.
-- benign:    The two Reserves of a box were laid as one and entered with one of its bets.

select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    money(case due.bet when 'double' then 2 else 11 end * due.stake, round.currency)
        || ' of Reserve with ' || due.bet || ' ' || money(due.stake, round.currency)
                                                                as expected,
    money(due.reserve_taken + due.reserve_returned, round.currency) || ' of Reserve by player '
        || due.player_id
                                                                as found,
    due.clauses,
    [wager.event_id]                                            as evidence
from dues as due
join rounds as round using (table_id, round_id)
join wagers as wager using (table_id, round_id, wager_id)
where list_has_any(due.flags, ['RESERVE_SHORT', 'RESERVE_EXCESS'])
order by due.table_id, due.round_id, subject

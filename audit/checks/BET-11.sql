-- check:     BET-11
-- title:     A side wager without the main one
-- severity:  S2
-- live:      round
-- trigger:   own flags
-- clauses:   NN:4.5.1, TH:4.7, TH:4.8, SA-BJ:3.3.2
-- why:       Without an Even or an Ante the box takes no part: the chips go back whatever the cards say.
-- benign:    The Even was never entered.

select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    case
        when list_contains(due.flags, 'ANTE_MISSING') then 'an Ante'
        when list_contains(due.flags, 'PAIR_BEFORE_MAIN') then 'first a main bet'
        else 'an Even'
    end || ' on box ' || wager.box                              as expected,
    money(due.stake, round.currency) || ' on ' || due.bet || ' by player ' || due.player_id
                                                                as found,
    due.clauses,
    [wager.event_id]                                            as evidence
from dues as due
join rounds as round using (table_id, round_id)
join wagers as wager using (table_id, round_id, wager_id)
where list_has_any(due.flags, ['EVEN_MISSING', 'ANTE_MISSING', 'PAIR_BEFORE_MAIN'])
order by due.table_id, due.round_id, subject

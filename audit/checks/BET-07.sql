-- check:     BET-07
-- title:     A repeated wager below the minimum was settled
-- severity:  S2
-- live:      round
-- trigger:   paid other than due
-- clauses:   TB:7.17
-- why:       Once such a wager of a player has been settled, every later one goes back whatever the
--            result. Settling it anyway is a favour, or a way to chip at the player.
-- benign:    The table did not know the player from the shift before.

select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    money(due.stake, round.currency) || ' given back to player ' || due.player_id
        || ', whose one time is used up'                        as expected,
    money(seen.paid, round.currency) || ' paid, '
        || money(seen.collected, round.currency) || ' collected'
                                                                as found,
    seen.evidence,
    wager.house_minor,
    wager.player_minor
from mispaid as wager
join dues as due using (table_id, round_id, wager_id)
join rounds as round using (table_id, round_id)
join settlements as seen using (table_id, round_id, wager_id)
where wager.kind = 'below minimum'
order by due.table_id, due.round_id, subject

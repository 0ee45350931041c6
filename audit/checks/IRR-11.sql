-- check:     IRR-11
-- title:     A free hand was due and not dealt as one
-- severity:  S1
-- live:      round
-- trigger:   free hand due
-- clauses:   TB:7.5, TB:7.6, TB:7.7, TB:7.8
-- why:       The first card of this hand was known before the bets. A hand like that is dealt
--            without wagers.
-- benign:    The card was covered at once and the camera shows that nobody could read it.

select
    'free hand'                                                 as subject,
    round.table_id,
    round.round_id,
    true                                                        as certain,
    'a free hand: the round before showed its first card'       as expected,
    'recorded ' || round.recorded_status || ' with ' || counted(count(wager.wager_id), 'wager')
        || ' of together '
        || money(coalesce(sum(wager.stake), 0), round.currency)
                                                                as found,
    case when opening.event_id is null then [] else [opening.event_id] end
                                                                as evidence
from rounds as round
left join wagers as wager using (table_id, round_id)
left join events as opening
    on opening.table_id = round.table_id
    and opening.round_id = round.round_id
    and opening.seq = round.opened_seq
where round.free_hand_due
    and round.recorded_status <> 'free_hand'
    and round.status <> 'void'
group by
    round.table_id, round.round_id, round.recorded_status, round.currency, opening.event_id
order by round.table_id, round.round_id

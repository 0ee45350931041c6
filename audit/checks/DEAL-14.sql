-- check:     DEAL-14
-- title:     The shoe ran empty and the round was not void, or it gave cards after that
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   TB:7.2
-- why:       A round that the shoe cannot complete is void and every stake goes back. A shoe that gives
--            cards once it is empty was not: somebody wanted the round gone.
-- benign:    None known; the cut card should have ended the shoe before.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'void: the shoe ran empty before the hand was complete'     as expected,
    noted('recorded ' || flag.recorded_status, flag.note)       as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code = 'SHOE_EXHAUSTED'
    and flag.recorded_status <> 'void'
union all
select
    'cards after the end'                                       as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'no card leaves a shoe that ran empty'                      as expected,
    counted(count(distinct card.event_id), 'card') || ' left it before another was loaded'
                                                                as found,
    flag.clauses,
    list_concat(
        list(distinct empty.event_id order by empty.event_id), [arg_min(card.event_id, card.seq)]
    )                                                           as evidence
from raised as flag
join events as empty
    on empty.table_id = flag.table_id
    and empty.round_id = flag.round_id
    and empty.type = 'ShoeExhausted'
join events as card
    on card.table_id = empty.table_id
    and card.gaming_day is not distinct from empty.gaming_day
    and card.seq > empty.seq
    and card.type = 'CardDrawn'
where flag.code = 'SHOE_EXHAUSTED'
    and not exists (
        from events as other
        where other.table_id = empty.table_id
            and other.type in ('ShoeLoaded', 'ShoeRemoved')
            and other.seq > empty.seq
            and other.seq < card.seq
    )
group by flag.table_id, flag.round_id, flag.clauses
order by table_id, round_id, subject

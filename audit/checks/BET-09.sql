-- check:     BET-09
-- title:     A Reserve is missing, short or too large
-- severity:  S2
-- live:      round
-- trigger:   own flags
-- clauses:   NN:4.5.3, NN:4.5.3.i, NN:4.5.3.ii, SA-PD:6.2.2
-- why:       The Reserve covers what a strong hand of the house takes beyond the bet. Who lays less
--            risks less than the odds they would collect.
-- benign:    The two Reserves of a box were laid as one and entered with one of its bets.

with
owed as (
    select
        due.*,
        case due.bet
            when 'even' then 0
            when 'double' then 2 * due.stake
            when 'super_niu' then 11 * due.stake
            else case when due.bet like '%_pair' then 0 else due.stake end
        end as reserve
    from dues as due
    where list_has_any(
        due.flags,
        ['RESERVE_SHORT', 'RESERVE_EXCESS', 'WITHHELD_AMOUNT', 'INSUFFICIENT_BALANCE']
    )
),
told as (
    select
        table_id,
        round_id,
        subject as wager_id,
        list(distinct clause order by clause) as clauses
    from flags
    where code in ('WITHHELD_AMOUNT', 'INSUFFICIENT_BALANCE')
    group by all
)
select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    money(due.reserve, round.currency) || ' of Reserve with ' || due.bet || ' '
        || money(due.stake, round.currency)                     as expected,
    money(due.reserve_taken + due.reserve_returned, round.currency) || ' of Reserve by player '
        || due.player_id
        || case
            when list_contains(due.flags, 'INSUFFICIENT_BALANCE')
                then ', who had less than that available'
            else ''
        end                                                     as found,
    list_sort(list_distinct(list_concat(coalesce(flag.clauses, []), due.clauses)))
                                                                as clauses,
    [wager.event_id]                                            as evidence
from owed as due
join rounds as round using (table_id, round_id)
join wagers as wager using (table_id, round_id, wager_id)
left join told as flag using (table_id, round_id, wager_id)
order by due.table_id, due.round_id, subject

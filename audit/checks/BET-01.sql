-- check:     BET-01
-- title:     Chips added after "no more bets"
-- severity:  S1
-- live:      round
-- trigger:   late wager, late stake change
-- clauses:   NN:4.7, TB:4.6, RO:4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.1,
--            SA-DT:4.2.1, SA-PD:6.3.1, TH:4.9, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1, SA-BJ:3.4.1
-- why:       A stake that grows once betting has ended may be a bet on a known result.
-- benign:    The dealer squares up a fallen stack: the next reading shows the old amount. Or the sensor
--            contradicts itself: the change it gives is not what its amounts show.

with
grown as (
    select
        table_id,
        round_id,
        wager_id,
        change as added,
        case when contradicted then greatest(by_amounts, 0) else change end as at_stake,
        contradicted,
        seen_at as added_at,
        seq,
        certain,
        event_id,
        betting_ended_at,
        betting_ended_by
    from late_readings as reading
    where change > 0
        -- a bet that was placed too late is told elsewhere
        and not (placed_late and (countdown or betting_ended_by <> 'no more bets'))
        and not exists (
            from stake_moves as move
            where move.rise_id = reading.event_id
        )
),
placed as (
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        wager.stake as added,
        wager.stake as at_stake,
        false as contradicted,
        wager.placed_at as added_at,
        wager.placed_seq as seq,
        earliest(wager.placed_at, wager.placed_err_ms)
            > latest(wager.betting_ended_at, wager.betting_ended_err_ms) as certain,
        wager.event_id,
        wager.betting_ended_at,
        wager.betting_ended_by
    from wagers as wager
    join rounds as round using (table_id, round_id)
    where wager.late
        and not round.countdown
        and wager.betting_ended_by = 'no more bets'
        -- without an edition nobody knows which bets a game takes later
        and not exists (
            from flags as flag
            where flag.table_id = wager.table_id
                and flag.round_id = wager.round_id
                and flag.code in ('RULEBOOK_MISMATCH', 'TERMS_MISSING')
        )
        and not exists (
            from stake_moves as move
            where move.table_id = wager.table_id
                and move.round_id = wager.round_id
                and move.to_wager = wager.wager_id
        )
)
select
    bet.wager_id                                                as subject,
    bet.table_id,
    bet.round_id,
    coalesce(bool_or(bet.certain), false)                       as certain,
    'no chips added after ' || min_by(bet.betting_ended_by, bet.seq) || ' at '
        || clock(min_by(bet.betting_ended_at, bet.seq))         as expected,
    noted(
        money(max(bet.added), round.currency) || ' added at ' || clock(min(bet.added_at)),
        shown_by_amounts(bool_or(bet.contradicted), max(bet.at_stake), round.currency)
    )                                                           as found,
    list(bet.event_id order by bet.seq)                         as evidence,
    max(bet.at_stake)                                           as house_minor
from (from grown union all from placed) as bet
join rounds as round using (table_id, round_id)
group by bet.wager_id, bet.table_id, bet.round_id, round.currency
order by bet.table_id, bet.round_id, subject

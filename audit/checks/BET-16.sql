-- check:     BET-16
-- title:     A bet was taken outside the time for betting
-- severity:  S1
-- live:      round
-- trigger:   late wager
-- clauses:   SA-SB:8.2, SA-SB:8.5, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.1, SA-DT:4.2.1,
--            SA-PD:6.3.1, SA-AB:1.2.1, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1, SA-BJ:3.4.1,
--            SA-BJ:3.4.3, RO:4.6, RO:4.10, TB:4.2, TB:4.6, NN:4.7, TH:4.7, TH:4.9
-- why:       After the countdown, or once a card, the ball, dice or tokens can be seen, a bet is refused
--            and its stake goes back; taking it at all invites a bet on what was seen.
-- benign:    The bet left the player in time and arrived late.

with
after_the_end as (
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        coalesce(
            earliest(wager.placed_at, wager.placed_err_ms)
                > latest(wager.betting_ended_at, wager.betting_ended_err_ms),
            false
        ) as certain,
        'no bet after ' || wager.betting_ended_by || ' at ' || clock(wager.betting_ended_at)
            as expected
    from wagers as wager
    join rounds as round using (table_id, round_id)
    where wager.late
        -- chips after a call by the dealer are told elsewhere
        and (round.countdown or wager.betting_ended_by <> 'no more bets')
        -- without an edition nobody knows which bets a game takes later
        and not exists (
            from flags as flag
            where flag.table_id = wager.table_id
                and flag.round_id = wager.round_id
                and flag.code in ('RULEBOOK_MISMATCH', 'TERMS_MISSING')
        )
),
before_it_opened as (
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        true as certain,
        'no bet before the countdown begins' as expected
    from raised as flag
    join wagers as wager
        on wager.table_id = flag.table_id
        and wager.round_id = flag.round_id
        and wager.wager_id = flag.subject
    where flag.code = 'LATE_BET'
        and wager.late is not true
        and list_contains(flag.clauses, 'SA-AB:1.2.1')
)
select
    bet.wager_id                                                as subject,
    bet.table_id,
    bet.round_id,
    bet.certain,
    bet.expected,
    wager.bet || ' ' || money(wager.stake, round.currency) || ' placed at '
        || clock(wager.placed_at)                               as found,
    [wager.event_id]                                            as evidence,
    case wager.bet when 'insurance' then ['SA-BJ:3.4.3'] end    as clauses,
    wager.stake                                                 as house_minor
from (from after_the_end union all from before_it_opened) as bet
join wagers as wager using (table_id, round_id, wager_id)
join rounds as round using (table_id, round_id)
order by bet.table_id, bet.round_id, subject

-- check:     BET-03
-- title:     A wager was moved or changed after "no more bets"
-- severity:  S1
-- mode:      live
-- clauses:   NN:4.7, TB:4.6, RO:4.6, RO:4.10, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.2.1, SA-DT:4.2.1, SA-PD:6.3.1, TH:4.9, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1,
--            SA-BJ:3.4.1
-- why:       The same chips on another place after the call are a new bet on what is known by then.
-- benign:    The dealer put a nudged stack back where it had been.

with
moved as (
    select
        table_id,
        round_id,
        from_wager || ' to ' || to_wager as subject,
        certain,
        'chips stay where they are after no more bets at ' || clock(closed_at) as expected,
        money(amount, currency) || ' left ' || from_wager || ' and came to ' || to_wager
            || ' at ' || clock(seen_at) as found,
        [fall_id, rise_id] as evidence,
        amount as house_minor
    from stake_moves
    qualify row_number() over (
        partition by table_id, round_id, from_wager, to_wager order by seen_at, fall_id
    ) = 1
),
acted as (
    select table_id, round_id, wager_id
    from wagers
    where late_changes > 0
    union
    select table_id, round_id, subject
    from flags
    where code = 'LATE_ACTION'
),
acts as (
    -- the last ones are the late ones; where betting ended before its close they lie before it
    select
        act.*,
        event.event_id,
        event.seq,
        event.occurred_at,
        event.err_ms,
        row_number() over (
            partition by act.table_id, act.round_id, act.wager_id order by event.seq desc
        ) as back
    from acted as act
    join events as event
        on event.table_id = act.table_id
        and event.round_id = act.round_id
        and event.type in ('WagerChanged', 'WagerWithdrawn')
        and (event.payload ->> '$.wager_id') = act.wager_id
),
changed as (
    select
        act.table_id,
        act.round_id,
        act.wager_id as subject,
        coalesce(
            bool_and(
                earliest(event.occurred_at, event.err_ms)
                    > latest(round.closed_at, round.closed_err_ms)
            ),
            false
        ) as certain,
        'no wager is changed or taken back after no more bets'
            || coalesce(' at ' || clock(round.closed_at), '') as expected,
        coalesce(wager.bet || ' ' || money(wager.stake, round.currency), act.wager_id)
            || ': ' || counted(greatest(count(event.event_id), 1), 'action') || ' after it' as found,
        coalesce(list(event.event_id order by event.seq) filter (event.event_id is not null), [])
            as evidence,
        0 as house_minor
    from acted as act
    join rounds as round using (table_id, round_id)
    left join wagers as wager using (table_id, round_id, wager_id)
    left join acts as event
        on event.table_id = act.table_id
        and event.round_id = act.round_id
        and event.wager_id = act.wager_id
        and (
            event.seq > round.closed_seq
            or event.back <= coalesce(wager.late_changes, 0) + coalesce(wager.withdrawn, false)::int
        )
    group by
        act.table_id, act.round_id, act.wager_id, round.closed_at, round.currency, wager.bet,
        wager.stake
)
select
    move.subject,
    move.table_id,
    move.round_id,
    move.certain,
    move.expected,
    move.found,
    move.evidence,
    move.house_minor
from (from moved union all from changed) as move
order by move.table_id, move.round_id, move.subject

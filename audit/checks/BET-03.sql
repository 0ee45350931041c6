-- check:     BET-03
-- title:     A wager was moved or changed after "no more bets"
-- severity:  S1
-- live:      round
-- trigger:   late wager change, late stake change
-- clauses:   NN:4.7, TB:4.6, RO:4.6, RO:4.10, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.2.1, SA-DT:4.2.1, SA-PD:6.3.1, TH:4.9, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1,
--            SA-BJ:3.4.1
-- why:       The same chips on another place after the call are a new bet on what is known by then.
-- benign:    The dealer put a nudged stack back where it had been.

with
taken_back as (
    from wagers
    where withdrawn
),
due_on_these as (
    from dues
    semi join taken_back using (table_id, round_id, wager_id)
),
moved as (
    select
        table_id,
        round_id,
        from_wager || ' to ' || to_wager as subject,
        certain,
        'chips stay where they are after ' || betting_ended_by || ' at '
            || clock(betting_ended_at) as expected,
        money(amount, currency) || ' left ' || from_wager || ' and came to ' || to_wager
            || ' at ' || clock(seen_at) as found,
        [fall_id, rise_id] as evidence,
        amount as house_minor
    from stake_moves
    qualify row_number() over (
        partition by table_id, round_id, from_wager, to_wager order by seen_at, fall_id
    ) = 1
),
-- taken back too late in a round that was void: every stake went back, so nothing is certain
moot as (
    select wager.table_id, wager.round_id, wager.wager_id
    from taken_back as wager
    join rounds as round using (table_id, round_id)
    join due_on_these as due using (table_id, round_id, wager_id)
    where round.status = 'void'
        and due.outcome = 'returned'
        and coalesce(wager.late_changes, 0) = 0
        and exists (
            from flags as flag
            where flag.table_id = wager.table_id
                and flag.round_id = wager.round_id
                and flag.code = 'LATE_BET'
        )
),
acted as (
    select table_id, round_id, wager_id
    from wagers
    where late_changes > 0
    union
    from moot
    union
    -- taken back too late, and the stake stays: where the rules of the game have a word for that it
    -- is told as a ruling against the rules
    select wager.table_id, wager.round_id, wager.wager_id
    from taken_back as wager
    join due_on_these as due using (table_id, round_id, wager_id)
    where due.outcome <> 'returned'
        and not exists (
            from flags as flag
            where flag.table_id = wager.table_id
                and flag.round_id = wager.round_id
                and flag.code in ('WITHDRAWAL_REFUSED', 'WITHDRAWAL_NOT_ALLOWED')
        )
    union
    select table_id, round_id, subject
    from flags
    where code = 'LATE_ACTION'
),
acts as (
    select
        act.*,
        event.event_id,
        event.seq,
        wager.bet,
        wager.stake,
        coalesce(nullif(wager.betting_ended_by, ''), round.betting_ended_by) as over_by,
        coalesce(wager.betting_ended_at, round.betting_ended_at) as over_at,
        earliest(event.occurred_at, event.err_ms)
            > latest(
                over_at, coalesce(wager.betting_ended_err_ms, round.betting_ended_err_ms)
            )
            and not exists (
                from moot
                where moot.table_id = act.table_id
                    and moot.round_id = act.round_id
                    and moot.wager_id = act.wager_id
            ) as certain
    from acted as act
    join rounds as round using (table_id, round_id)
    left join wagers as wager using (table_id, round_id, wager_id)
    join wager_changes as event
        on event.table_id = act.table_id
        and event.round_id = act.round_id
        and event.wager_id = act.wager_id
        and event.seq > coalesce(wager.betting_ended_seq, round.betting_ended_seq)
),
changed as (
    select
        act.table_id,
        act.round_id,
        act.wager_id as subject,
        coalesce(bool_and(act.certain), false) as certain,
        'no wager is changed or taken back after ' || act.over_by || ' at '
            || clock(act.over_at) as expected,
        coalesce(act.bet || ' ' || money(act.stake, round.currency), act.wager_id)
            || ': ' || counted(count(*), 'action') || ' after it' as found,
        list(act.event_id order by act.seq) as evidence,
        0 as house_minor
    from acts as act
    join rounds as round using (table_id, round_id)
    group by
        act.table_id, act.round_id, act.wager_id, act.over_at, act.over_by, act.bet, act.stake,
        round.currency
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

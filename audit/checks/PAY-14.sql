-- check:     PAY-14
-- title:     The chip tray does not balance
-- severity:  S1
-- live:      table-day
-- trigger:   table alarm
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       What was collected less what was paid must be in the tray. A difference is a payment
--            nobody entered, or chips that left another way.
-- benign:    A fill or a credit that was not entered. A settlement that only came in after the count
--            is none: its own time tells. Where a device's numbers have a gap between the counts, a
--            settlement may have got lost, and a round that is not closed by the count may still be
--            settled: this is possible only.

with
spans as (
    select
        *,
        lag(amount) over day_order as amount_before,
        lag(seq) over day_order as seq_before,
        lag(event_id) over day_order as event_before,
        lag(counted_at) over day_order as counted_before
    from tray_counts
    window day_order as (partition by table_id, gaming_day order by seq)
),
moved as (
    select
        span.event_id,
        coalesce(sum(payment.collected + payment.reserve_taken), 0) as taken,
        coalesce(sum(payment.paid), 0) as paid
    from spans as span
    left join payments as payment
        on payment.table_id = span.table_id
        and payment.seq > span.seq_before
        and payment.seq < span.seq
    group by span.event_id
),
gaps as (
    select
        span.*,
        move.taken,
        move.paid,
        span.amount - span.amount_before - (move.taken - move.paid) as gap
    from spans as span
    join moved as move using (event_id)
    where span.seq_before is not null
        and gap <> 0
),
-- the same by the devices' own times, for payments that only came in after a count or before it
moved_by_time as (
    select
        span.event_id,
        coalesce(
            sum(payment.collected + payment.reserve_taken - payment.paid), 0
        )::bigint as net
    from gaps as span
    left join payments as payment
        on payment.table_id = span.table_id
        and (payment.paid_at, payment.seq) > (span.counted_before, span.seq_before)
        and (payment.paid_at, payment.seq) < (span.counted_at, span.seq)
    group by span.event_id
),
played as (
    select
        span.event_id,
        count(distinct round.round_id) as rounds,
        min(round.round_id) as round_id,
        any_value(round.currency order by round.opened_seq) as currency,
        coalesce(
            arg_max(coalesce(round.ended_seq, span.seq) >= span.seq, round.opened_seq), false
        ) as unfinished  -- the last of them is not closed by the count
    from gaps as span
    left join rounds as round
        on round.table_id = span.table_id
        and round.gaming_day is not distinct from span.gaming_day
        and round.opened_seq < span.seq
        and coalesce(round.ended_seq, span.seq) > span.seq_before
    group by span.event_id
),
balances as (
    select
        span.*,
        span.amount - span.amount_before - by_time.net as gap_by_time,
        case when play.rounds = 1 then play.round_id end as only_round,
        play.rounds,
        play.currency,
        play.unfinished
    from gaps as span
    join moved_by_time as by_time using (event_id)
    join played as play using (event_id)
)
select
    balance.event_id                                            as subject,
    balance.table_id,
    balance.only_round                                          as round_id,
    not balance.unfinished and not exists (
        from open_gaps as gap
        where gap.table_id = balance.table_id
            and gap.seq > balance.seq_before
            and gap.seq < balance.seq
    )                                                           as certain,
    money(balance.amount_before + balance.taken - balance.paid, balance.currency)
        || ' in the tray: ' || money(balance.amount_before, balance.currency)
        || ' before, ' || money(balance.taken, balance.currency) || ' collected and '
        || money(balance.paid, balance.currency) || ' paid in '
        || counted(balance.rounds, 'round')                     as expected,
    money(balance.amount, balance.currency) || ' counted, '
        || money(abs(balance.gap), balance.currency)
        || case when balance.gap < 0 then ' short' else ' over' end
                                                                as found,
    [balance.event_before, balance.event_id]                    as evidence,
    greatest(-balance.gap, 0)                                   as house_minor,
    greatest(balance.gap, 0)                                    as player_minor,
    balance.gaming_day
from balances as balance
where balance.gap_by_time <> 0
order by balance.table_id, balance.seq

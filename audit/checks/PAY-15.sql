-- check:     PAY-15
-- title:     More chips lie on a place than were paid there
-- severity:  S2
-- live:      round
-- trigger:   chips read after settlement
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       What the sensor sees after the dealer has paid is stake and winnings as they were entered.
--            More of it are chips that nobody entered: an overpayment, or a stake left where it lost.
-- benign:    The player put the next stake down early, or set his own chips beside the payment.
-- unseen:    Tables whose sensor stops reading when betting ends; chips that were taken away before the
--            sensor read them again.

with
read_again as (
    select hash(table_id, round_id, wager_id) as wager_hash
    from stake_readings
    group by wager_hash
    having count(*) > 1
),
last_paid as (
    select
        table_id,
        round_id,
        wager_id,
        max(seq) as seq,
        max(paid_at) as paid_at,
        list(event_id order by seq, event_id) as evidence
    from payments
    where hash(table_id, round_id, wager_id) in (from read_again)
    group by all
),
after as (
    select
        reading.table_id,
        reading.round_id,
        reading.wager_id,
        reading.amount,
        earliest(reading.seen_at, reading.err_ms) > paid.paid_at + interval 1 second as beyond_bounds,
        paid.evidence || [reading.event_id] as evidence
    from stake_readings as reading
    join last_paid as paid using (table_id, round_id, wager_id)
    where reading.seq > paid.seq
        and latest(reading.seen_at, reading.err_ms) > paid.paid_at
    qualify row_number() over (
        partition by reading.table_id, reading.round_id, reading.wager_id
        order by reading.amount desc, reading.seq, reading.event_id
    ) = 1
)
select
    after.wager_id                                              as subject,
    after.table_id,
    after.round_id,
    after.beyond_bounds                                         as certain,
    'at most ' || money(seen.paid + seen.returned, round.currency) || ' on the place, as paid and returned'
                                                                as expected,
    money(after.amount, round.currency) || ' read there afterwards' as found,
    after.evidence,
    after.amount - seen.paid - seen.returned                    as house_minor
from after
join settlements as seen using (table_id, round_id, wager_id)
join rounds as round using (table_id, round_id)
where after.amount > seen.paid + seen.returned
order by after.table_id, after.round_id, subject

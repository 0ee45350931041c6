-- check:     BET-02
-- title:     Chips taken off after "no more bets"
-- severity:  S1
-- live:      round
-- trigger:   late stake change
-- clauses:   NN:4.7, TB:4.6, RO:4.6, SA-SB:8.2, SA-SB:8.5, SA-FPC:5.2, SA-FPC:5.5, SA-HL:10.2,
--            SA-HL:10.5, SA-XD:11.2, SA-BC:2.2.1, SA-DT:4.2.1, SA-PD:6.3.1, TH:4.9, SA-AB:1.2.2,
--            SA-RO:7.2.2, SA-TP:9.2.1, SA-BJ:3.4.1
-- why:       A stake that shrinks once betting has ended and before it is settled may be a loss that
--            somebody saw coming.
-- benign:    A chip rolled off the stack and was put back; or the table allowed a withdrawal that
--            nobody entered. Or the sensor contradicts itself: the change it gives is not what its
--            amounts show.

with
shrunk as (
    select
        *,
        case when contradicted then greatest(-by_amounts, 0) else -change end as at_stake
    from late_readings
)
select
    reading.wager_id                                            as subject,
    reading.table_id,
    reading.round_id,
    bool_or(reading.certain)                                    as certain,
    'no chips taken off between ' || reading.betting_ended_by || ' at '
        || clock(reading.betting_ended_at)
        || ' and the settlement'                                as expected,
    noted(
        money(-sum(reading.change), reading.currency) || ' taken off, first at '
            || clock(min(reading.seen_at)),
        shown_by_amounts(bool_or(reading.contradicted), sum(reading.at_stake), reading.currency)
    )                                                           as found,
    list(reading.event_id order by reading.seq)                 as evidence,
    sum(reading.at_stake)                                       as house_minor
from shrunk as reading
where reading.change < 0
    and not reading.withdrawn
    and not exists (
        from stake_moves as move
        where move.fall_id = reading.event_id
    )
group by
    reading.wager_id, reading.table_id, reading.round_id, reading.betting_ended_at,
    reading.betting_ended_by, reading.currency
order by reading.table_id, reading.round_id, subject

-- check:     IRR-05
-- title:     A closed round was settled again
-- severity:  S1
-- mode:      daily
-- clauses:   NN:7.2, TB:7.1.2, TB:2.2.13, RO:2.2, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:7.2, TH:7.8, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2,
--            SA-BJ:3.4
-- why:       What is settled stands. Money that moves for a round closed before is a correction
--            without a case, or a payment with a story.
-- benign:    A dispute was decided for the player and paid out at the table.

select
    payment.wager_id                                            as subject,
    payment.table_id,
    payment.round_id,
    true                                                        as certain,
    'nothing moves after the round was closed at ' || clock(round.ended_at)
                                                                as expected,
    money(sum(payment.paid)::bigint, round.currency) || ' paid, '
        || money(sum(payment.collected)::bigint, round.currency) || ' collected, '
        || money(sum(payment.returned)::bigint, round.currency) || ' returned at '
        || clock(min(payment.paid_at))                          as found,
    list(payment.event_id order by payment.seq)                 as evidence,
    greatest(sum(payment.paid - payment.collected)::bigint, 0)  as house_minor,
    greatest(sum(payment.collected - payment.paid)::bigint, 0)  as player_minor
from wager_payments as payment
join rounds as round using (table_id, round_id)
where payment.reopened
group by
    payment.wager_id, payment.table_id, payment.round_id, round.ended_at, round.currency
order by payment.table_id, payment.round_id, subject

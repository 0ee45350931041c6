-- check:     IRR-05
-- title:     A closed round was settled or opened again
-- severity:  S1
-- live:      no
-- clauses:   NN:7.2, TB:7.1.2, TB:2.2.13, RO:2.2, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:7.2, TH:7.8, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2,
--            SA-BJ:3.4
-- why:       What is settled stands. Money that moves for a round closed before is a correction
--            without a case, or a payment with a story.
-- benign:    A dispute was decided for the player and paid out at the table. Or the closing was entered
--            before the last settlement: then it is the wager's first and just what is due.
--            Or the placing of the wager never came, so that its round does not know it.

with
-- what still lay on the layout at the closing; more than that comes out of the tray
moved as (
    select
        table_id,
        round_id,
        wager_id,
        sum(paid) as paid,
        sum(collected + coalesce(reserve_taken, 0)) as collected,
        sum(returned) as returned,
        min(paid_at) as paid_at,
        max(seq) as last_seq,
        list(event_id order by seq) as evidence
    from reopening_payments
    group by all
),
left_lying as (
    select
        due.table_id,
        due.round_id,
        due.wager_id,
        greatest(
            due.stake + coalesce(due.reserve_taken + due.reserve_returned, 0)
                - coalesce(seen.collected + seen.reserve_taken + seen.returned, 0),
            0
        ) as chips,
        -- nothing was settled before, and before the next round exactly what is due
        seen.wager_id is null
            and not exists (
                from rounds as round
                join rounds as later
                    on later.table_id = round.table_id
                    and later.opened_seq > round.ended_seq
                where round.table_id = moved.table_id
                    and round.round_id = moved.round_id
                    and later.opened_seq < moved.last_seq
            )
            and moved.paid = due.paid
            and moved.collected = due.collected + coalesce(due.reserve_taken, 0)
            and moved.returned = due.returned + coalesce(due.reserve_returned, 0) as only_late
    from moved
    join dues as due using (table_id, round_id, wager_id)
    left join settlements as seen using (table_id, round_id, wager_id)
),
settled_again as (
    select
        payment.table_id,
        payment.round_id,
        payment.wager_id as subject,
        'nothing moves after the round was closed at ' || clock(round.ended_at) as expected,
        money(payment.paid, round.currency) || ' paid, '
            || money(payment.collected, round.currency) || ' collected, '
            || money(payment.returned, round.currency) || ' returned at '
            || clock(payment.paid_at) as found,
        null::varchar[] as clauses,
        payment.evidence,
        payment.paid - payment.collected
            + greatest(payment.returned - coalesce(lay.chips, payment.returned), 0) as gap,
        coalesce(lay.only_late, false) as doubtful
    from moved as payment
    join rounds as round using (table_id, round_id)
    left join left_lying as lay using (table_id, round_id, wager_id)
),
-- settlements of wagers whose placing never came: the record is short of it, and nobody can say
-- that it belongs to another round
reopened as (
    from raised
    where code = 'REOPENED_ROUND'
),
unplaced as (
    select payment.table_id, payment.event_id
    from (
        from payments
        semi join (select table_id, unnest(evidence) as event_id from reopened) using (table_id, event_id)
    ) as payment
    anti join wagers as wager using (table_id, wager_id)
),
ruled as (
    select
        *,
        exists (
            from unplaced as payment
            where payment.table_id = flag.table_id
                and list_contains(flag.evidence, payment.event_id)
        )
            and not exists (
                from events as other
                where other.table_id = flag.table_id
                    and list_contains(flag.evidence, other.event_id)
                    and other.type in ('RoundVoided', 'RulingMade', 'WagerSettled')
                    and other.event_id not in (select event_id from unplaced)
            ) as short_record
    from reopened as flag
    where not exists (
        from reopening_payments as payment
        where payment.table_id = flag.table_id
            and list_contains(flag.evidence, payment.event_id)
    )
),
ruled_again as (
    select
        flag.table_id,
        flag.round_id,
        flag.concerns as subject,
        case
            when flag.short_record then 'every settled wager placed on record'
            else 'a round that is settled stands'
        end as expected,
        flag.note as found,
        flag.clauses,
        flag.evidence,
        0 as gap,
        flag.short_record as doubtful
    from ruled as flag
)
select
    again.subject,
    again.table_id,
    again.round_id,
    not again.doubtful                                          as certain,
    again.expected,
    again.found,
    again.evidence,
    again.clauses,
    greatest(again.gap, 0)                                      as house_minor,
    greatest(-again.gap, 0)                                     as player_minor
from (from settled_again union all from ruled_again) as again
order by again.table_id, again.round_id, again.subject

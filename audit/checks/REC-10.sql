-- check:     REC-10
-- title:     A wager was entered for other chips than the sensor read
-- severity:  S2
-- live:      round
-- trigger:   chips read differ, sensor contradicts itself
-- clauses:   NN:4.4, TB:4.2, RO:4.2, TH:4.7, SA-SB:8.2.1, SA-FPC:5.2.1, SA-HL:10.2.1, SA-XD:11.2,
--            SA-BC:2.2.1, SA-DT:4.2.1, SA-PD:6.3.1, SA-AB:1.2.2, SA-RO:7.2.1, SA-TP:9.2.1,
--            SA-BJ:3.4.1
-- why:       Chips are the wager. Whoever enters more than lies there is paid for chips that nobody
--            put at risk; whoever enters less, or nothing, loses what lies there unseen.
-- benign:    The sensor read the place before the last chip was down, or read a fallen stack: then
--            another reading shows what was entered, and this is possible only. So is a place that
--            it did not read while it read another: some layouts have places without a sensor. A
--            sensor whose change does not fit its amounts proves nothing against anybody, and is
--            possible only; after the end of betting BET-01 to BET-03 tell of it.

with
-- chips that are not the stake that was entered, and wagers of which no chips were read
differing as (
    select table_id, round_id, wager_id, reading.seq
    from stake_readings as reading
    full join wagers as wager using (table_id, round_id, wager_id)
    where reading.event_id is null
        or reading.amount <> coalesce(wager.stake, 0)
),
-- their rounds, where that was before the settlement and the sensor read anything; in all others
-- there is nothing to compare, and what follows goes round by round.
looked_at as (
    select distinct reading.table_id, reading.round_id
    from differing as reading
    semi join stake_readings as other using (table_id, round_id)
    left join settlements as seen using (table_id, round_id, wager_id)
    where reading.seq is null
        or reading.seq < coalesce(seen.first_seq, reading.seq + 1)
),
readings as (
    from stake_readings
    semi join looked_at using (table_id, round_id)
),
settled as (
    from settlements
    semi join looked_at using (table_id, round_id)
),
-- what was entered last, and taken back, before no more bets
changed as (
    select
        event.table_id,
        event.round_id,
        event.wager_id,
        max(event.seq) as seq,
        arg_max(event.occurred_at, event.seq) as entered_at,
        arg_max(event.err_ms, event.seq) as err_ms,
        bool_or(event.type = 'WagerWithdrawn') as withdrawn,
        list(event.event_id order by event.seq) as evidence
    from wager_changes as event
    join rounds as round using (table_id, round_id)
    where event.seq < coalesce(round.closed_seq, event.seq + 1)
    group by all
),
entered as (
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        wager.bet,
        wager.stake,
        wager.withdrawn,
        wager.late,
        wager.betting_ended_seq,
        greatest(wager.placed_seq, coalesce(change.seq, 0)) as seq,
        coalesce(change.entered_at, wager.placed_at) as entered_at,
        coalesce(change.err_ms, wager.placed_err_ms) as err_ms,
        list_concat([wager.event_id], coalesce(change.evidence, [])) as evidence
    from (from wagers semi join looked_at using (table_id, round_id)) as wager
    left join changed as change using (table_id, round_id, wager_id)
),
-- readings of the chips while they still were the wager, by what they are worth as a witness: those
-- after no more bets, else the last one since the wager was entered, else the last one before
watched as (
    select
        reading.*,
        case
            when reading.seq > greatest(
                coalesce(wager.seq, change.seq, 0), coalesce(round.closed_seq, wager.seq, 0)
            )
                then 1
            when reading.seq > coalesce(wager.seq, change.seq, 0) then 2
            else 3
        end as rank
    from readings as reading
    join rounds as round using (table_id, round_id)
    left join entered as wager using (table_id, round_id, wager_id)
    left join changed as change using (table_id, round_id, wager_id)
    left join settled as seen using (table_id, round_id, wager_id)
    left join called_off as call using (table_id, round_id)
    where reading.seq < coalesce(seen.first_seq, round.ended_seq, reading.seq + 1)
        and reading.seq < coalesce(call.seq, reading.seq + 1)
        and not (coalesce(wager.withdrawn, false) and reading.amount = 0)
        -- chips that were added or taken off since it was read
        and (change.seq is null or reading.seq > change.seq)
),
witnesses as (
    select
        *,
        sum(case when rank = 1 then change else 0 end) over (
            partition by table_id, round_id, wager_id
            order by seq, event_id
        ) as changed_since
    from watched
    qualify rank = min(rank) over (partition by table_id, round_id, wager_id)
        and (
            rank = 1
            or row_number() over (
                partition by table_id, round_id, wager_id, rank
                order by seq desc, event_id desc
            ) = 1
        )
),
compared as (
    select
        reading.table_id,
        reading.round_id,
        reading.wager_id,
        any_value(wager.bet) as bet,
        coalesce(any_value(wager.stake), 0) as stake,
        any_value(wager.wager_id) is null as unknown,
        arg_min(reading.amount, reading.seq) filter (
            coalesce(wager.stake, 0)
                not in (reading.amount, reading.amount - reading.changed_since)
        ) as sensed,
        bool_and(
            coalesce(wager.stake, 0)
                not in (reading.amount, reading.amount - reading.changed_since)
            and reading.rank < 3
            and coalesce(
                earliest(reading.seen_at, reading.err_ms)
                    > latest(wager.entered_at, wager.err_ms),
                true
            )
        ) as certain,
        list_concat(
            coalesce(any_value(wager.evidence), []), list(reading.event_id order by reading.seq)
        ) as evidence
    from witnesses as reading
    left join entered as wager using (table_id, round_id, wager_id)
    group by reading.table_id, reading.round_id, reading.wager_id
),
-- wagers entered before the call on places where the sensor saw nothing, in a round of which it read
-- another one, and lost no reading; how many it read says nothing of who put the chips there
unread as (
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        wager.bet,
        wager.stake,
        false as unknown,
        0 as sensed,
        false as certain,
        wager.evidence
    from entered as wager
    join rounds as round using (table_id, round_id)
    left join readings as reading using (table_id, round_id, wager_id)
    -- bets on later cards of a round have an end of their own
    where wager.seq < greatest(round.closed_seq, wager.betting_ended_seq)
        and wager.late is not true
    qualify reading.event_id is null
        and count(reading.wager_id) over (partition by table_id, round_id) > 0
        and not exists (
            from alarms as alarm
            where alarm.table_id = wager.table_id
                and alarm.round_id = wager.round_id
                and alarm.kind in ('GapFound', 'LateArrived')
        )
),
-- who is short: whoever wins on chips that did not lie there, or loses them
weighed as (
    select
        compare.*,
        (compare.stake - compare.sensed)
            * case when due.paid > 0 then 1 when due.collected > 0 then -1 else 0 end as gap
    from (from compared union all by name from unread) as compare
    left join dues as due using (table_id, round_id, wager_id)
    where compare.sensed is not null
),
-- changes that the sensor's own amounts do not show; one that it says twice is said once
contradicted as (
    select reading.*
    from moving_stakes as reading
    join rounds as round using (table_id, round_id)
    left join wagers as wager using (table_id, round_id, wager_id)
    left join settlements as seen using (table_id, round_id, wager_id)
    where reading.change <> 0
        and reading.change
            <> reading.amount
                - coalesce(reading.amount_before, greatest(reading.amount - reading.change, 0))
        and (reading.amount, reading.change)
            is distinct from (reading.amount_before, reading.change_before)
        and reading.seq < coalesce(seen.first_seq, reading.seq + 1)
        and reading.seq
            < coalesce(wager.betting_ended_seq, round.betting_ended_seq, reading.seq + 1)
)
select
    reading.event_id                                            as subject,
    reading.table_id,
    reading.round_id,
    false                                                       as certain,
    'a change of ' || money(
        reading.amount - coalesce(reading.amount_before, 0), round.currency
    ) || ' on ' || reading.wager_id || ', by the sensor''s amounts'
                                                                as expected,
    'the sensor contradicts itself: it gives a change of '
        || money(reading.change, round.currency)                as found,
    [reading.event_id]                                          as evidence,
    0                                                           as house_minor,
    0                                                           as player_minor
from contradicted as reading
join rounds as round using (table_id, round_id)
union all
select
    bet.wager_id                                                as subject,
    bet.table_id,
    bet.round_id,
    bet.certain,
    case
        when bet.unknown then 'a wager entered for the chips on the place of ' || bet.wager_id
        else bet.bet || ' ' || money(bet.stake, round.currency) || ', as entered'
    end                                                         as expected,
    'the sensor read '
        || case when bet.sensed = 0 then 'no chips' else money(bet.sensed, round.currency) end
        || case when bet.unknown then ' and no wager is on record' else '' end
                                                                as found,
    bet.evidence,
    greatest(coalesce(bet.gap, 0), 0)                           as house_minor,
    greatest(-coalesce(bet.gap, 0), 0)                          as player_minor
from weighed as bet
join rounds as round using (table_id, round_id)
order by table_id, round_id, subject

-- check:     INT-06
-- title:     The record of a round is incomplete
-- severity:  S2
-- live:      round
-- trigger:   round not closed, round unknown, wager not settled
-- clauses:   NN:2.2.5, TB:2.2.13, TB:4.17, RO:2.2, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.2, SA-DT:4.2, SA-PD:6.3, TH:2.2.19, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       A round that was never closed, a wager without a settlement, with two of them or without
--            an id of its own, a settlement without a wager, a word that means nothing, two
--            counts of one spin or shake, a call entered for another time than its own, a card outside
--            every round, a result that no witness gave or the dealer alone, a free hand that nothing on
--            record makes one: the players' money is left without a reason. So is what a camera saw in
--            the time of no round, or where its clock allows two, and a card, a ball, a shake, a bet, a
--            settlement, a call, a void or a report that came between two rounds, before the first or after them.
-- benign:    The round is still being played, or its readings are still on their way.

with
never_closed as (
    select
        round.table_id,
        round.round_id,
        'closing' as subject,
        'the round is closed before the next one or the end of the day' as expected,
        'it was opened at ' || clock(round.opened_at) || ' and never closed' as found,
        round.opened_seq as seq,
        0 as owed
    from rounds as round
    join table_days as day
        on day.table_id = round.table_id
        and day.gaming_day is not distinct from round.gaming_day
    where round.ended_seq is null
        and (
            day.closed_at is not null
            or exists (
                from rounds as later
                where later.table_id = round.table_id
                    and later.opened_seq > round.opened_seq
            )
        )
),
not_settled as (
    select
        due.table_id,
        due.round_id,
        due.wager_id as subject,
        'a settlement of ' || due.bet || ' ' || money(due.stake, round.currency)
            || case due.outcome
                when 'win' then ', which wins'
                when 'lose' then ', which loses'
                when 'returned' then ', which goes back'
                when 'void' then ', which goes back'
                else ', which is a stand-off'
            end as expected,
        'the round was recorded ' || round.recorded_status || ' and the wager has none' as found,
        wager.placed_seq as seq,
        case
            when due.outcome in ('returned', 'void')
                then due.returned + coalesce(due.reserve_returned, 0)
            else due.paid - due.collected - coalesce(due.reserve_taken, 0)
        end as owed
    from (
        from dues
        anti join settlements using (table_id, round_id, wager_id)
        where outcome in ('win', 'lose', 'push', 'half_loss', 'lose_original', 'returned', 'void')
    ) as due
    join rounds as round using (table_id, round_id)
    left join wagers as wager using (table_id, round_id, wager_id)
    where round.recorded_status not in ('void', 'free_hand', 'unsettled')
        or (round.recorded_status = 'void' and due.outcome in ('returned', 'void'))
),
no_result as (
    select
        round.table_id,
        round.round_id,
        'result' as subject,
        'a witness for every card, pocket or die the result needs' as expected,
        noted(
            'the round was recorded ' || round.recorded_status || ' without one',
            round.unknown_because
        ) as found,
        round.ended_seq as seq,
        0 as owed
    from rounds as round
    where round.status = 'unknown'
        and round.recorded_status is not null
        and (
            round.recorded_status not in ('void', 'free_hand', 'unsettled')
            or exists (
                from settlements as seen
                where seen.table_id = round.table_id
                    and seen.round_id = round.round_id
                    and (seen.paid <> 0 or seen.collected <> 0 or seen.reserve_taken <> 0)
            )
        )
        and not exists (
            from flags as flag
            where flag.table_id = round.table_id
                and flag.round_id = round.round_id
                and flag.code in ('RULEBOOK_MISMATCH', 'TERMS_MISSING')
        )
        and not exists (
            from disagreements as differing
            where differing.table_id = round.table_id
                and differing.round_id = round.round_id
        )
),
wrong_ids (code, what, expected) as (
    values
        ('WAGER_ID_REPEATED', ' placed again', 'one wager under the id '),
        ('SETTLED_TWICE', ' settled again', 'one settlement, or parts of what is due, of '),
        ('SETTLED_WITHDRAWN', ' settled, taken back', 'no settlement once it was taken back of '),
        ('SETTLED_UNKNOWN', ' settled, unknown', 'a wager of the round under the id '),
        ('PAID_AT_NO_ODDS', ' settled at no odds', 'an amount that the paytable makes, for ')
),
-- each event of a step in a row of its own, without the list of the step: a wager may be settled
-- ten thousand times
step_events as (
    select step.round_id, step.wager_id, step.text, unnest(list_distinct(step.evidence)) as event_id
    from steps as step
    semi join flags as flag
        on flag.round_id = step.round_id
        and flag.subject = step.wager_id
        and flag.note = step.text
),
by_id as (
    select
        flag.table_id,
        flag.round_id,
        flag.subject || meaning.what as subject,
        meaning.expected || flag.subject as expected,
        string_agg(distinct flag.note, '; ' order by flag.note) as found,
        min(event.seq) as seq,
        -- what a second settlement moved too much is weighed with the wager
        -coalesce(
            sum(payment.paid + payment.returned - payment.collected)
                filter (flag.code in ('SETTLED_WITHDRAWN', 'SETTLED_UNKNOWN')),
            0
        ) as owed
    from flags as flag
    join wrong_ids as meaning using (code)
    join step_events as step
        on step.round_id = flag.round_id
        and step.wager_id = flag.subject
        and step.text = flag.note
    join events as event
        on event.table_id = flag.table_id
        and event.event_id = step.event_id
    left join payments as payment on payment.event_id = event.event_id
    -- a payment for a round that was closed already is told of elsewhere
    where not exists (
        from reopening_payments as payment
        where payment.table_id = flag.table_id
            and payment.wager_id = flag.subject
            and (payment.event_id = event.event_id or flag.code <> 'SETTLED_UNKNOWN')
    )
    -- where the play is unknown nobody can say which hands and bets a wager grew into
    and not exists (
        from wagers as wager
        join rounds as round using (table_id, round_id)
        where wager.table_id = flag.table_id
            and wager.round_id = flag.round_id
            and round.status = 'unknown'
            and flag.code = 'SETTLED_UNKNOWN'
            and starts_with(flag.subject, wager.wager_id || '.')
    )
    group by flag.table_id, flag.round_id, flag.subject, meaning.what, meaning.expected
),
derived as (
    select
        gap.* exclude (seq),
        null::varchar[] as clauses,
        case when event.event_id is null then [] else [event.event_id] end as evidence
    from (
        from never_closed
        union all from not_settled
        union all from no_result
        union all from by_id
    ) as gap
    left join events as event
        on event.table_id = gap.table_id
        and event.round_id = gap.round_id
        and event.seq = gap.seq
),
meaning (code, expected) as (
    values
        ('WORD_UNKNOWN', 'words that the rules know'),
        ('COUNT_CONTRADICTED', 'one count of a ball''s revolutions or a shaker''s tumbles'),
        ('ROUND_WITHOUT_CARDS', 'the cards of a round that was not void'),
        ('FREE_HAND_UNFOUNDED', 'a card seen or put wrong in the round before a free hand'),
        ('CARD_NOT_READ', 'every card that left the shoe on record'),
        ('CARD_OUTSIDE_ROUND', 'no card leaves the shoe outside a round'),
        ('TOLD_AFTERWARDS', 'play and its irregularities are told while the round is played'),
        ('SPIN_AFTER_CLOSE', 'no ball is spun after the close of a round'),
        ('STAKE_CONTRADICTED', 'a stake entered as what its chips are worth'),
        ('COLOUR_ISSUED_LATE', 'colour chips are issued before they are bet'),
        ('PHASE_CONTRADICTED', 'a no spin entered for the time at which it was called'),
        ('UNVERIFIABLE', 'a witness of the result besides the dealer')
),
told as (
    select
        flag.table_id,
        flag.round_id,
        flag.concerns as subject,
        meaning.expected,
        flag.note as found,
        0 as owed,
        flag.clauses,
        flag.evidence
    from raised as flag
    join meaning using (code)
    where flag.code <> 'UNVERIFIABLE'
        or flag.recorded_status not in ('void', 'free_hand', 'unsettled')
),
outside_rounds as materialized (
    from events
    where round_id is null
),
witnessing_nothing as (
    select
        event.table_id,
        null::varchar as round_id,
        event.device_id || ' ' || coalesce(event.gaming_day::varchar, '') as subject,
        'what ' || event.device_id || ' sees lies in the time of one round' as expected,
        counted(count(*), 'reading') || ' in no round, seen from '
            || clock(min(event.occurred_at)) || ' to ' || clock(max(event.occurred_at)) as found,
        0 as owed,
        null::varchar[] as clauses,
        list(event.event_id order by event.seq) as evidence,
        event.gaming_day
    from outside_rounds as event
    where event.type in ('CardsObserved', 'DiceObserved', 'TokensObserved')
    group by event.table_id, event.gaming_day, event.device_id
),
told_of as (
    select distinct table_id, unnest(evidence) as event_id
    from told
),
astray as (
    from outside_rounds
    anti join told_of using (table_id, event_id)
    where type in (
        'CardDrawn', 'CardPlaced', 'BallReleased', 'BallTracked', 'BallLanded', 'DollyPlaced',
        'NoSpinCalled', 'ShakerStarted', 'ShakerStopped', 'ShakerOpened', 'ReshakeOrdered',
        'BowlRemoved', 'TokensRevealed', 'DecisionMade', 'WagerPlaced', 'WagerChanged',
        'WagerWithdrawn', 'WagerSettled', 'ResultCalled', 'RoundVoided', 'IrregularityReported'
    )
),
dated_rounds as (
    select
        table_id,
        round_id,
        coalesce(gaming_day::varchar, '') as day,
        opened_seq,
        opened_at,
        ended_at
    from rounds
    semi join astray using (table_id)
),
-- play and money of no round, before the first, between two or after the last of the day
played_outside as (
    select
        event.table_id,
        null::varchar as round_id,
        coalesce('after ' || previous.round_id, 'before the first round') || ' ' || event.type
            as subject,
        'nothing of a round '
            || case
                when previous.round_id is null then 'before the first one was opened'
                when any_value(later.round_id) is null
                    then 'after the last one, ' || previous.round_id || ', was closed'
                else 'between ' || previous.round_id || ' and ' || any_value(later.round_id)
            end as expected,
        event.type || ' of ' || string_agg(distinct event.device_id, ', ' order by event.device_id)
            || ', ' || counted(count(*), 'time') || ', the first at '
            || clock(min(event.occurred_at)) as found,
        0 as owed,
        null::varchar[] as clauses,
        list(event.event_id order by event.seq) as evidence,
        event.gaming_day,
        bool_or(
            coalesce(earliest(event.occurred_at, event.err_ms) > previous.ended_at, true)
            and coalesce(latest(event.occurred_at, event.err_ms) < later.opened_at, true)
        ) as certain
    from astray as event
    asof left join dated_rounds as previous
        on previous.table_id = event.table_id
        and previous.day = coalesce(event.gaming_day::varchar, '')
        and event.seq >= previous.opened_seq
    asof left join dated_rounds as later
        on later.table_id = event.table_id
        and later.day = coalesce(event.gaming_day::varchar, '')
        and event.seq <= later.opened_seq
    group by event.table_id, event.gaming_day, previous.round_id, event.type
)
select
    gap.subject,
    gap.table_id,
    gap.round_id,
    coalesce(gap.certain, true)                                 as certain,
    gap.expected,
    gap.found,
    gap.evidence,
    gap.clauses,
    greatest(-gap.owed, 0)                                      as house_minor,
    greatest(gap.owed, 0)                                       as player_minor,
    gap.gaming_day
from (
    from derived
    union all by name from told
    union all by name from witnessing_nothing
    union all by name from played_outside
) as gap
order by gap.table_id, gap.round_id, gap.subject

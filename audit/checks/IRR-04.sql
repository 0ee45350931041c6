-- check:     IRR-04
-- title:     Void though the rules say stand, or the reverse
-- severity:  S1
-- live:      round
-- trigger:   status differs, void with a result
-- clauses:   NN:7.3, NN:7.4, NN:7.5, NN:7.10, TB:7.4, TB:7.16, RO:7.9, RO:7.10, SA-SB:8.5,
--            SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4, SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:7.5,
--            TH:7.7, TH:7.12, SA-AB:1.2.4, SA-RO:7.3, SA-TP:9.2.3, SA-BJ:3.4.5
-- why:       Voiding a round gives every loser the stake back; letting one stand that is void pays
--            on nothing. Either is worth asking for.
-- benign:    A decision above the rules, taken by whoever may and not entered; or the call was taken
--            back and the round settled by its result, as it should be. A cause that was seen in
--            time and entered once the result was called is possible only (NN, TB, TH).

with
judged_apart as (
    select distinct table_id, round_id
    from flags
    where code in (
        'SHOE_INTEGRITY', 'DECK_INTEGRITY', 'SHOE_EXHAUSTED', 'RESHAKE_MISSED',
        'ROUND_VOID', 'RESPIN_MISSED', 'NO_MATCH', 'DEALER_STOPPED_EARLY', 'AUTO_STOOD_EARLY'
    )
),
not_called as (
    select distinct table_id, round_id
    from flags
    where code = 'NO_SPIN_NOT_CALLED'
),
unjustified as (
    select table_id, round_id, string_agg(note, '; ' order by note) as note
    from flags
    where code = 'UNJUSTIFIED_VOID'
        -- called void and settled all the same
        or (code = 'RESULT_MISMATCH' and subject = 'void')
    group by all
),
-- what had happened, where a clause says that the round goes on all the same
goes_on as (
    select table_id, round_id, list(distinct clause order by clause) as clauses
    from flags
    where code in ('UNJUSTIFIED_VOID', 'ONE_CARD_EXPOSED')
        and clause <> ''
    group by all
),
-- the first call of a round that ended void
called as (
    select result.table_id, result.round_id, min(result.seq) as seq,
        arg_min(result.event_id, result.seq) as event_id
    from results as result
    join rounds as round using (table_id, round_id)
    where result.shown_by = 'dealer'
        and void_after_call(round.game)
        and round.status = 'void'
        and round.recorded_status = 'void'
    group by result.table_id, result.round_id
),
causes as (
    select table_id, round_id, seq, event_id, kind as cause
    from irregularities
    union all
    select table_id, round_id, seq, event_id, 'ruled void'
    from rulings
    where decision = 'void'
),
-- void for a cause that nobody told before the result was known; what the rules ask besides, and
-- was not done, other checks tell
told_after_the_call as (
    select
        call.table_id,
        call.round_id,
        string_agg(cause.cause, ', ' order by cause.seq) as cause,
        list_concat([any_value(call.event_id)], list(cause.event_id order by cause.seq)) as evidence
    from called as call
    join causes as cause using (table_id, round_id)
    where not exists (
        from flags as flag
        where flag.table_id = call.table_id
            and flag.round_id = call.round_id
            and flag.code in (
                'DECISION_MISSING', 'DECISION_NOT_AUTHORISED', 'RULING_WITHOUT_CAUSE',
                'RULING_AGAINST_RULES', 'UNJUSTIFIED_VOID'
            )
    )
    group by call.table_id, call.round_id
    having min(cause.seq) > min(call.seq)
),
otherwise as (
    select
        'status'                                                    as subject,
        round.table_id,
        round.round_id,
        true                                                        as certain,
        'the round is ' || round.status
            || case when round.outcome = '' then '' else ', ' || round.outcome end
                                                                    as expected,
        noted('recorded ' || round.recorded_status, unjustified.note)
                                                                    as found,
        list_sort(
            list_distinct(list_concat(round.status_clauses, coalesce(goes_on.clauses, [])))
        )                                                           as clauses,
        case when ending.event_id is null then [] else [ending.event_id] end
                                                                    as evidence
    from rounds as round
    left join judged_apart as apart using (table_id, round_id)
    left join not_called using (table_id, round_id)
    left join unjustified using (table_id, round_id)
    left join goes_on using (table_id, round_id)
    left join events as ending
        on ending.table_id = round.table_id
        and ending.round_id = round.round_id
        and ending.seq = round.ended_seq
        and ending.type = 'RoundClosed'
    where round.recorded_status is not null
        and apart.round_id is null
        and not (not_called.round_id is not null and round.status = 'void')
        and (
            unjustified.round_id is not null
            or (
                round.status not in ('unknown', 'free_hand')
                and round.recorded_status <> 'free_hand'
                and round.recorded_status <> round.status
            )
        )
)
select *
from otherwise
union all by name
select
    'void'                                                      as subject,
    told.table_id,
    told.round_id,
    false                                                       as certain,
    'a result that was called stands'                           as expected,
    'void for what was told after the call: ' || told.cause     as found,
    round.status_clauses                                        as clauses,
    told.evidence
from told_after_the_call as told
join rounds as round using (table_id, round_id)
order by table_id, round_id, subject

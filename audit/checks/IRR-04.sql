-- check:     IRR-04
-- title:     Void though the rules say stand, or the reverse
-- severity:  S1
-- mode:      live
-- clauses:   NN:7.3, NN:7.4, NN:7.5, NN:7.10, TB:7.4, TB:7.16, RO:7.9, RO:7.10, SA-SB:8.5,
--            SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4, SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:7.5,
--            TH:7.7, TH:7.12, SA-AB:1.2.4, SA-RO:7.3, SA-TP:9.2.3, SA-BJ:3.4.5
-- why:       Voiding a round gives every loser the stake back; letting one stand that is void pays
--            on nothing. Either is worth asking for.
-- benign:    A decision above the rules, taken by whoever may and not entered; or the call was taken
--            back and the round settled by its result, as it should be.

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
)
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
order by round.table_id, round.round_id

-- check:     REC-02
-- title:     The dealer entered another result than the sensor read
-- severity:  S1
-- live:      round
-- trigger:   witnesses differ, entered result differs
-- clauses:   TB:8.4.6, RO:4.10, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-RO:7.2.3,
--            NN:8.4.6, TH:8.4.6, SA-AB:1.2, SA-BC:2.2.2, SA-BJ:3.4.2, SA-DT:4.2.2, SA-PD:6.3.2,
--            SA-TP:9.2
-- why:       The sensor saw where the ball or the dice came to rest. An entry that differs pays
--            the wrong wagers.
-- benign:    A slip of the finger, put right before anything was paid.

with
entered as (
    select
        result.table_id,
        result.round_id,
        'entry' as subject,
        case
            when round.result = '' then 'no result: the round is ' || round.status
            else round.outcome || ', as the sensor read it'
        end as expected,
        'entered: ' || string_agg(result.result, ', ' order by result.seq) as found,
        list(result.event_id order by result.seq) as evidence
    from results as result
    join rounds as round using (table_id, round_id)
    where result.shown_by in ('dealer', 'dolly')
        and not exists (
            from rounds_with_cards as card
            where card.table_id = result.table_id
                and card.round_id = result.round_id
        )
        and (
            (round.result <> '' and not agrees(result.said, round.result))
            or (
                round.result = ''
                and exists (
                    from flags as flag
                    where flag.table_id = result.table_id
                        and flag.round_id = result.round_id
                        and flag.code = 'RESULT_MISMATCH'
                )
            )
        )
    group by all
),
placed as (
    select
        table_id,
        round_id,
        place as subject,
        'the console agrees with the device on ' || place as expected,
        'the device read ' || device || ', the console says ' || other as found,
        evidence
    from disagreements
    where witness = 'dealer'
),
told as (
    select
        flag.table_id,
        flag.round_id,
        'entry ' || flag.subject as subject,
        case
            when round.result = '' then 'no result: the round is ' || round.status
            else round.outcome || ', as the sensor read it'
        end as expected,
        noted('another was entered', flag.note) as found,
        flag.evidence
    from raised as flag
    join rounds as round using (table_id, round_id)
    where flag.code in ('RESULT_MISMATCH')
        and flag.subject <> 'void' -- which is no result
        -- a round that could not be ended is told of as that
        and round.status not in ('unsettled', 'unknown')
        and not exists (
            from rounds_with_cards as card
            where card.table_id = flag.table_id
                and card.round_id = flag.round_id
        )
        -- what is told already, here or of a board
        and not exists (
            from entered as other
            where other.table_id = flag.table_id
                and other.round_id = flag.round_id
        )
        and not exists (
            from results as result
            where result.table_id = flag.table_id
                and result.round_id = flag.round_id
                and result.shown_by in ('shoe', 'board')
                and round.result <> ''
                and not agrees(result.said, round.result)
        )
)
select
    entry.subject,
    entry.table_id,
    entry.round_id,
    true                                                        as certain,
    entry.expected,
    entry.found,
    entry.evidence
from (from entered union all from placed union all from told) as entry
order by entry.table_id, entry.round_id, entry.subject

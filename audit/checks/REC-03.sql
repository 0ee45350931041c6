-- check:     REC-03
-- title:     The called result is not what the cards show
-- severity:  S1
-- live:      round
-- trigger:   dealer's call differs
-- clauses:   NN:4.11, NN:6.2.15, TB:7.16, SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:4.13,
--            SA-AB:1.2.4, SA-TP:9.2.3, SA-TP:9.3, SA-BJ:3.2.1, SA-BJ:3.4.5
-- why:       The cards stand, not the call. Where the money followed the call it went to the wrong
--            side.
-- benign:    The dealer put it right at once and paid by the cards.

with
called as (
    select
        result.table_id,
        result.round_id,
        'call' as subject,
        'the cards show ' || round.outcome as expected,
        'the dealer called ' || string_agg(result.result, ', ' order by result.seq) as found,
        list(result.event_id order by result.seq) as evidence
    from results as result
    join rounds as round using (table_id, round_id)
    where result.shown_by = 'dealer'
        and round.result <> ''
        and coalesce(result.box, '') = ''
        and not agrees(result.said, round.result)
        and exists (
            from rounds_with_cards as card
            where card.table_id = result.table_id
                and card.round_id = result.round_id
        )
    group by result.table_id, result.round_id, round.outcome
),
called_of_a_hand as (
    select
        flag.table_id,
        flag.round_id,
        'call ' || flag.subject as subject,
        'the cards of ' || flag.subject || ' as they lie' as expected,
        noted('another class or figure was recorded', flag.note) as found,
        list(result.event_id order by result.seq) as evidence
    from raised as flag
    join rounds as round using (table_id, round_id)
    join results as result
        on result.table_id = flag.table_id
        and result.round_id = flag.round_id
        and result.box = flag.subject
        and result.shown_by = 'dealer'
    where flag.code = 'RESULT_MISMATCH'
        and round.result <> ''
    group by flag.table_id, flag.round_id, flag.subject, flag.note
),
told as (
    select
        flag.table_id,
        flag.round_id,
        'call ' || flag.subject as subject,
        case
            when round.result = '' then 'no result: the round is ' || round.status
            else 'the cards show ' || round.outcome
        end as expected,
        noted('another was called', flag.note) as found,
        flag.evidence
    from raised as flag
    join rounds as round using (table_id, round_id)
    where flag.code in ('RESULT_MISMATCH', 'STANDOFF_RECORDED', 'WRONG_CALL')
        and flag.subject <> 'void' -- which is no result
        -- a round that could not be ended is told of as that
        and round.status not in ('unsettled', 'unknown')
        and exists (
            from rounds_with_cards as card
            where card.table_id = flag.table_id
                and card.round_id = flag.round_id
        )
        -- what is told already, here or of a board
        and not exists (
            from (from called union all from called_of_a_hand) as other
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
    call.subject,
    call.table_id,
    call.round_id,
    true                                                        as certain,
    call.expected,
    call.found,
    call.evidence
from (from called union all from called_of_a_hand union all from told) as call
order by call.table_id, call.round_id, call.subject

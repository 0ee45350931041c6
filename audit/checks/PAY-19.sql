-- check:     PAY-19
-- title:     A wager was settled before its result could be known
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   NN:6.3, TB:6.1, RO:4.10, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:5.3, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       Whoever pays before the ball, the dice or the cards can be seen knows what will come, or
--            enters payments that nobody made. That the amount is right makes it worse.
-- benign:    A reading of wheel, shaker or shoe came in late and its clock is too coarse to tell; a
--            hand that the last card could not change was settled at once. Both are possible only.

with
flagged as (
    select distinct table_id, round_id, code, subject, note
    from flags
    where code in ('SETTLED_BEFORE_PLAY', 'SETTLED_BEFORE_RESULT')
),
-- each event of a step in a row of its own, without the list
step_events as (
    select step.round_id, step.wager_id, step.text, unnest(step.evidence) as event_id
    from steps as step
    semi join flagged as flag
        on flag.round_id = step.round_id
        and flag.subject = step.wager_id
        and flag.note = step.text
),
-- the settlements and what showed the result, as the derivation has them
early_events as (
    select distinct flag.table_id, flag.round_id, flag.code, flag.subject, step.event_id
    from flagged as flag
    join step_events as step
        on step.round_id = flag.round_id
        and step.wager_id = flag.subject
        and step.text = flag.note
),
timed as (
    select
        flag.table_id,
        flag.round_id,
        flag.code,
        flag.subject,
        min(event.occurred_at) filter (event.type = 'WagerSettled') as paid_at,
        min(latest(event.occurred_at, event.err_ms)) filter (event.type = 'WagerSettled')
            as paid_by,
        min(event.occurred_at) filter (event.type <> 'WagerSettled') as shown_at,
        min(earliest(event.occurred_at, event.err_ms)) filter (event.type <> 'WagerSettled')
            as shown_from,
        list(event.event_id order by event.event_id) as evidence
    from early_events as flag
    join events as event using (table_id, event_id)
    group by flag.table_id, flag.round_id, flag.code, flag.subject
)
select
    flag.subject || case
        when flag.code = 'SETTLED_BEFORE_PLAY' then ' before play'
        else ' in mid-deal'
    end                                                         as subject,
    flag.table_id,
    flag.round_id,
    flag.code = 'SETTLED_BEFORE_PLAY'
        and coalesce(flag.paid_by < flag.shown_from, false)     as certain,
    case
        when flag.code = 'SETTLED_BEFORE_PLAY' then 'no wager is settled before something shows at '
        else 'no wager is settled before the last card at '
    end || clock(flag.shown_at)                                 as expected,
    flag.subject || ' was settled at ' || clock(flag.paid_at)   as found,
    flag.evidence
from timed as flag
order by flag.table_id, flag.round_id, subject

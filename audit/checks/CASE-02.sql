-- check:     CASE-02
-- title:     No timeframe was given to the player
-- severity:  S3
-- live:      no
-- clauses:   NN:8.3, TB:8.3, RO:8.3, TH:8.3
-- why:       A player who waits is told for how long.
-- benign:    The dispute was settled on the spot and nobody entered the promise.

select
    dispute.case_id as subject,
    dispute.table_id,
    dispute.round_id,
    dispute.gaming_day,
    true as certain,
    'a timeframe promised to the player' as expected,
    'none' as found,
    0 as player_minor,
    (
        select list(step.event_id order by step.number)
        from case_steps as step
        where step.case_id = dispute.case_id
            and step.step in ('escalate')
    ) as evidence
from cases as dispute
where dispute.escalated_at is not null
    and dispute.promised_at is null
    and dispute.as_of > dispute.inform_due_at
order by dispute.table_id, dispute.case_id

-- check:     CASE-05
-- title:     Footage of an open dispute will soon be deleted
-- severity:  S1
-- live:      no
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, TH:8.4.6
-- why:       Footage that is gone cannot decide anything. A hold keeps it.
-- benign:    The footage was copied into the case as evidence and the hold was ended on purpose.

select
    dispute.case_id as subject,
    dispute.table_id,
    dispute.round_id,
    dispute.gaming_day,
    true as certain,
    'footage under a hold until the dispute is closed' as expected,
    'no hold; it may be deleted from ' || strftime(dispute.video_expires_at, '%Y-%m-%dT%H:%M:%SZ') as found,
    dispute.amount_minor as player_minor,
    (
        select list(step.event_id order by step.number)
        from case_steps as step
        where step.case_id = dispute.case_id
            and step.step in ('open', 'hold', 'release', 'confirm-release')
    ) as evidence
from cases as dispute
where dispute.closed_at is null
    and not dispute.video_held
    and dispute.as_of > dispute.video_warn_at
order by dispute.table_id, dispute.case_id

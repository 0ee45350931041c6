-- check:     CASE-06
-- title:     A notice to the authority is due
-- severity:  S1
-- live:      no
-- clauses:   NN:8.4.8, TB:8.4.8, RO:8.4.8, TH:8.4.8
-- why:       A large dispute that stays unpaid is the authority's business, by the jurisdiction's
--            own table.
-- benign:    The notice was given by another way and not entered.

select
    dispute.case_id as subject,
    dispute.table_id,
    dispute.round_id,
    dispute.gaming_day,
    true as certain,
    dispute.notice || ' given by ' || strftime(dispute.notice_due_at, '%Y-%m-%dT%H:%M:%SZ') as expected,
    case when dispute.notified_at is null then 'not given'
        else 'given at ' || strftime(dispute.notified_at, '%Y-%m-%dT%H:%M:%SZ') end as found,
    dispute.amount_minor as player_minor,
    (
        select list(step.event_id order by step.number)
        from case_steps as step
        where step.case_id = dispute.case_id
            and step.step in ('open', 'notify')
    ) as evidence
from cases as dispute
where coalesce(dispute.notified_at, dispute.as_of) > dispute.notice_due_at
order by dispute.table_id, dispute.case_id

-- check:     CASE-01
-- title:     Surveillance was not informed of a dispute in time
-- severity:  S2
-- live:      no
-- clauses:   NN:8.2, TB:8.2, RO:8.2, TH:8.2
-- why:       Whoever takes a dispute over informs Surveillance, while footage and memory are
--            fresh.
-- benign:    Surveillance was told by phone and the notice was entered late, without the time at
--            which it was given.

select
    dispute.case_id as subject,
    dispute.table_id,
    dispute.round_id,
    dispute.gaming_day,
    true as certain,
    'Surveillance informed by ' || strftime(dispute.inform_due_at, '%Y-%m-%dT%H:%M:%SZ') as expected,
    case when dispute.informed_at is null then 'no notice'
        else 'informed at ' || strftime(dispute.informed_at, '%Y-%m-%dT%H:%M:%SZ') end as found,
    0 as player_minor,
    (
        select list(step.event_id order by step.number)
        from case_steps as step
        where step.case_id = dispute.case_id
            and step.step in ('escalate', 'inform')
    ) as evidence
from cases as dispute
where coalesce(dispute.informed_at, dispute.as_of) > dispute.inform_due_at
order by dispute.table_id, dispute.case_id

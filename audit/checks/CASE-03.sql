-- check:     CASE-03
-- title:     A promised time or the time for a complaint has passed
-- severity:  S2
-- live:      no
-- clauses:   NN:8.3, TB:8.3, RO:8.3, TH:8.3, NN:8.5, TB:8.5, RO:8.5, TH:8.5
-- why:       A promise that is not kept is a second grievance, and a licence may set a term for
--            complaints.
-- benign:    The player was told in time and nobody entered it.

with
terms_of as (
    select case_id, 'promise' as what, promised_at as due_at, coalesce(told_at, closed_at) as done_at
    from cases
    where promised_at is not null
    union all
    select case_id, 'complaint', complaint_due_at, reviewed_at
    from cases
    where complaint_due_at is not null
)
select
    dispute.case_id || ' ' || term.what as subject,
    dispute.table_id,
    dispute.round_id,
    dispute.gaming_day,
    true as certain,
    case term.what when 'promise' then 'the player told by ' else 'the complaint answered by ' end
        || strftime(term.due_at, '%Y-%m-%dT%H:%M:%SZ') as expected,
    case when term.done_at is null then 'nothing yet'
        else 'done at ' || strftime(term.done_at, '%Y-%m-%dT%H:%M:%SZ') end as found,
    (
        select list(step.event_id order by step.number)
        from case_steps as step
        where step.case_id = dispute.case_id
            and step.step in ('promise', 'tell', 'assist', 'review')
    ) as evidence
from terms_of as term
join cases as dispute using (case_id)
where coalesce(term.done_at, dispute.as_of) > term.due_at
order by dispute.table_id, subject

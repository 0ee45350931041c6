-- check:     CASE-04
-- title:     A player who disagrees was not told of the right to complain
-- severity:  S2
-- live:      no
-- clauses:   NN:8.5, TB:8.5, RO:8.5, TH:8.5, NN:8.6, TB:8.6, RO:8.6, TH:8.6
-- why:       A player who does not know of the right cannot use it.
-- benign:    The player was told and the box was not ticked.

select
    dispute.case_id as subject,
    dispute.table_id,
    dispute.round_id,
    dispute.gaming_day,
    true as certain,
    'the player told of the right to complain' as expected,
    'the player disagrees and was not told' as found,
    0 as player_minor,
    (
        select list(step.event_id order by step.number)
        from case_steps as step
        where step.case_id = dispute.case_id
            and step.step in ('tell')
    ) as evidence
from cases as dispute
where not dispute.agrees
    and not dispute.right_told
order by dispute.table_id, dispute.case_id

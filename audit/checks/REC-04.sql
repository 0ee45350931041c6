-- check:     REC-04
-- title:     The shoe's light or the score board shows another result
-- severity:  S2
-- live:      round
-- trigger:   displayed result differs
-- clauses:   TB:3.2.1, TB:3.2.2, RO:3.2.1, SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, SA-AB:1.2.4,
--            SA-RO:7.2.3, SA-TP:9.2.3
-- why:       Players bet by the board and dealers pay by the light. One of them being wrong misleads
--            both, or says that the replay and the equipment read different cards.
-- benign:    The board was one round behind after a restart.

select
    result.shown_by                                             as subject,
    result.table_id,
    result.round_id,
    true                                                        as certain,
    'the ' || result.shown_by || ' shows ' || round.outcome     as expected,
    'it showed ' || string_agg(result.result, ', ' order by result.seq)
                                                                as found,
    list(result.event_id order by result.seq)                   as evidence
from results as result
join rounds as round using (table_id, round_id)
where result.shown_by in ('shoe', 'board')
    and round.result <> ''
    and coalesce(result.box, '') = ''
    and not agrees(result.said, round.result)
group by result.shown_by, result.table_id, result.round_id, round.outcome
order by result.table_id, result.round_id, subject

-- check:     BET-19
-- title:     Terms changed while a round was open
-- severity:  S3
-- live:      round
-- trigger:   terms posted in the round
-- clauses:   NN:8.4.2, TB:4.3, TB:4.4, RO:8.4.2, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.4, SA-DT:4.3.3, SA-PD:6.2.1, TH:8.4.2, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.3.2
-- why:       Players bet by the sign they saw. A limit that changes under an open round makes it
--            unclear which one a wager keeps to.
-- benign:    The sign was changed between the last settlement and the closing of the round.

select
    posted.event_id                                             as subject,
    posted.table_id,
    posted.round_id,
    true                                                        as certain,
    'terms are posted between rounds'                           as expected,
    'posted at ' || clock(posted.posted_at) || ', in a round opened at '
        || clock(round.opened_at)                               as found,
    [posted.event_id]                                           as evidence
from terms as posted
join rounds as round using (table_id, round_id)
where posted.seq < coalesce(round.ended_seq, posted.seq + 1)
order by posted.table_id, posted.round_id, subject

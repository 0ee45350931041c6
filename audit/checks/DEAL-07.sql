-- check:     DEAL-07
-- title:     A hand was dealt after the announced last hand
-- severity:  S2
-- mode:      live
-- clauses:   TB:7.8.1, SA-BC:2.1.3, SA-DT:4.1.3, SA-PD:6.1.3, SA-BJ:3.1.2
-- why:       The end of a shoe is announced so that nobody can choose to go on when the last cards
--            are known to favour somebody.
-- benign:    The announcement was a hand too early and was taken back aloud.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'the announced last hand is the last of the shoe'           as expected,
    noted('another hand was dealt from it', flag.note)          as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code in ('HAND_AFTER_LAST', 'DEALT_AFTER_LAST_ROUND')
order by flag.table_id, flag.round_id, subject

-- check:     PAY-13
-- title:     Winners were not paid in the order of the rules
-- severity:  S4
-- live:      no
-- clauses:   NN:6.3, RO:6.3, RO:6.4, RO:6.5
-- why:       The order keeps every payment in sight of the one before; a dealer who breaks it often
--            loses count, or wants others to.
-- benign:    A player asked to be paid first so as to leave.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'winning wagers are paid in the order of the rules'         as expected,
    noted('they were paid in another order', flag.note)         as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code in ('PAYMENT_ORDER', 'SETTLE_ORDER')
order by flag.table_id, flag.round_id, subject

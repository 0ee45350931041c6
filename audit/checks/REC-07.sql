-- check:     REC-07
-- title:     Cards lie in another order than they were drawn
-- severity:  S2
-- mode:      live
-- clauses:   TB:4.9.1, TB:7.9, TB:7.12, SA-BC:2.2.2, SA-DT:4.2.2, SA-PD:6.3.2, TH:7.3, SA-TP:9.2.2,
--            SA-BJ:3.4.2, SA-BJ:3.5.3
-- why:       First and third card are the player's, second and fourth the banker's. The order of
--            the shoe decides the hand, so a crossed deal may have paid the wrong side.
-- benign:    The dealer reconstructed the hand at the table and paid by it.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'cards are put down in the order they leave the shoe'       as expected,
    noted('they were put down in another order', flag.note)     as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code in ('WRONG_ORDER', 'DEAL_ORDER', 'MISDEALT')
    and flag.game <> 'SA-AB' -- whose sides have a check of their own
order by flag.table_id, flag.round_id, subject

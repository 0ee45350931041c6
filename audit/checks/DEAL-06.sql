-- check:     DEAL-06
-- title:     A round was dealt from a deck that was not shuffled
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   SA-AB:1.1.1, SA-TP:9.1
-- why:       Cards that come again in an order somebody has seen are known before they are dealt.
-- benign:    The deck was changed for another and nobody entered it.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    'the deck is shuffled after every round'                    as expected,
    noted('it was dealt again', flag.note)                      as found,
    flag.clauses,
    flag.evidence
from raised as flag
where flag.code = 'DECK_REUSED'
order by flag.table_id, flag.round_id, subject

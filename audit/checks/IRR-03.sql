-- check:     IRR-03
-- title:     A decision by too low a rank, or against the one that stands
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.5.3, NN:4.6.2, NN:7.1, TB:7.9, TB:7.10.1, TB:7.10.2, TB:7.12, TB:7.13, TB:7.20, RO:6.6,
--            RO:7.8, RO:8.1, TH:4.7.3, TH:7.1, TH:7.13
-- why:       Each clause names who may decide. A decision from below has no force, and a dealer
--            deciding over their own round decides for themselves. Of two who may decide, the
--            higher rank's word stands, among equals the last.
-- benign:    A senior person stood by and agreed, and was not entered; or new facts came up and
--            the decision was taken back.

with
meaning (code, expected, found) as (
    values
        ('RANK_TOO_LOW', 'a decision of the rank the clause names', 'somebody lower decided'),
        (
            'DECISION_NOT_AUTHORISED',
            'a decision of the pit manager or above',
            'somebody lower decided'
        ),
        (
            'RULING_CONTRADICTED',
            'one decision, the highest rank''s or among equals the last',
            'another was made, which does not stand'
        ),
        (
            'NO_SPIN_AUTHORITY',
            'a suspicion is called by the inspector, a pit supervisor or above',
            'the dealer called it alone'
        ),
        (
            'RULING_AUTHORITY',
            'a doubtful chip is ruled on by a pit supervisor or above',
            'somebody lower ruled'
        ),
        (
            'DISPUTE_AUTHORITY',
            'a dispute is decided by the inspector, a pit supervisor or above',
            'somebody lower decided'
        )
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.clauses,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

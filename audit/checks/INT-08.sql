-- check:     INT-08
-- title:     No rulebook edition fits the round
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:8.4.1, TB:8.4.1, RO:8.4.1, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.1, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       A round is judged by the approved edition in force on its gaming day. Without terms,
--            or with terms no edition knows, nobody can say what was due.
-- benign:    The terms were posted late; the rounds after the posting can be judged.

with
meaning (code, expected, found) as (
    values
        ('RULEBOOK_MISMATCH', 'terms that an edition in force knows', 'the terms fit none'),
        ('TERMS_MISSING', 'terms posted before the round', 'none were posted')
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

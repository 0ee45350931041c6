-- check:     IRR-08
-- title:     A re-shake was due and not done
-- severity:  S1
-- mode:      live
-- clauses:   SA-SB:8.5
-- why:       Dice that overlap, stand on edge or hardly tumbled have no result. Taking one lets a
--            thrown hand decide.
-- benign:    The sensor misread how the dice lay; the camera shows them flat.

with
meaning (code, expected, found) as (
    values
        ('RESHAKE_MISSED', 'the dice are shaken again until a shake is valid', 'they were not')
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

-- check:     IRR-08
-- title:     A re-shake was due and not done
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   SA-SB:8.5, SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4
-- why:       Dice that overlap, lean or hardly tumbled and tokens that stand or fell have no result.
--            Taking one lets a thrown hand decide.
-- benign:    The sensor misread how they lay; the camera shows them flat. Or the round was called void.

with
meaning (code, expected, found) as (
    values
        ('RESHAKE_MISSED', 'all is shaken again until a shake is valid', 'it was not')
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    -- called off by the other reading of the rule: no thrown hand decided anything
    coalesce(flag.recorded_status, '') <> 'void'                as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.clauses,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

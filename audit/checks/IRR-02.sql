-- check:     IRR-02
-- title:     A ruling or call against the rules
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   NN:7.4, NN:7.5, TH:7.5, TH:7.9, TB:7.1, TB:7.3, TB:7.9, TB:7.10, TB:7.11.3, TB:7.12,
--            RO:2.2, RO:6.6, RO:7.8, RO:7.11.1, SA-SB:8.5, SA-FPC:5.5, SA-HL:10.5, SA-XD:11.2,
--            SA-BC:2.2.1, SA-DT:4.2.1, SA-PD:6.3.1, TH:7.6.1, SA-AB:1.2.2, SA-RO:7.3, SA-TP:9.2.1,
--            SA-BJ:3.4.1
-- why:       The rules say which way out each irregularity has. Another way moves money that should
--            have stayed, and is how a favour looks.
-- benign:    The facts were told wrongly to whoever decided.

with
meaning (code, expected, found) as (
    values
        (
            'WITHDRAWAL_NOT_ALLOWED',
            'a wager is taken back only under a clause that allows it, with leave',
            'a wager was taken back without'
        ),
        (
            'RULING_AGAINST_RULES',
            'what the rules leave nobody to decide is as they say',
            'it was ruled otherwise'
        ),
        ('WITHDRAWAL_REFUSED', 'bets ride to the re-shake', 'a bet was to be taken back'),
        (
            'NO_SPIN_TOO_LATE',
            'no spin is called before the last winner is paid',
            'it was called after'
        ),
        ('NO_SPIN_TOO_EARLY', 'no spin is called while a ball is spun', 'no ball had been spun'),
        (
            'NO_SPIN_AFTER_RESULT',
            'no spin is called before the result is marked',
            'it was called while winners were being paid'
        ),
        ('NO_SPIN_UNSUPPORTED', 'no spin has a reason that was seen', 'nothing seen supports it'),
        (
            'RECONSTRUCTABLE',
            'a hand is declared beyond reconstruction where the order of the draws is lost',
            'the order was on record'
        ),
        (
            'RULING_WITHOUT_CAUSE',
            'a ruling is about something its clause speaks of',
            'there was nothing to rule on'
        ),
        (
            'RESHAKE_UNFOUNDED',
            'the first valid shake decides',
            'it was repeated without cause'
        ),
        ('RESPIN_UNFOUNDED', 'the first valid spin decides', 'it was repeated without cause'),
        (
            'UNJUSTIFIED_SHOE_CHANGE',
            'the shoe is played out once its first hand is over',
            'it was taken out'
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

-- check:     DEAL-01
-- title:     Third card wrongly drawn or not drawn
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   TB:4.13, TB:4.14, TB:4.15, TB:4.16, TB:7.3, TB:7.6, TB:7.7, SA-BC:2.3.1, SA-BC:2.3.2,
--            SA-BC:2.3.3, SA-BC:2.3.4
-- why:       The drawing tables leave nobody a choice. A card too many or too few changes this
--            result and shows the first card of the next one.
-- benign:    The table noticed and followed the clause for a card drawn in error. Or the hand was
--            called void before its end.

with
meaning (code, expected, found) as (
    values
        ('UNLAWFUL_DRAW', 'third cards by the drawing tables', 'a third card against them'),
        ('UNDUE_PLAYER_CARD', 'the player stands', 'the player was given a third card'),
        ('UNDUE_BANKER_CARD', 'the banker stands', 'the banker was given a third card'),
        (
            'UNDUE_THIRD_CARD_USED_BY_BANKER',
            'the player stands and the banker draws',
            'the card was put on the player''s hand first'
        ),
        ('HAND_INCOMPLETE', 'both hands are dealt to their end', 'the hand stopped short'),
        ('THIRD_CARD_EXTRA', 'third cards by the drawing rules', 'a hand went beyond them'),
        ('THIRD_CARD_MISSING', 'third cards by the drawing rules', 'a hand stopped short of them')
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    -- a hand that was called void stops where it stops
    not (flag.code = 'HAND_INCOMPLETE' and coalesce(flag.recorded_status, '') = 'void')
                                                                as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.clauses,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

-- check:     DEAL-09
-- title:     A Blackjack hand was not played by the rules
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   SA-BJ:3.4.3, SA-BJ:3.4.4, SA-BJ:3.4.5, SA-BJ:3.5.1, SA-BJ:3.5.2, SA-BJ:3.5.3, SA-BJ:3.5.4,
--            SA-BJ:3.5.5, SA-BJ:3.5.6, SA-BJ:3.5.7, SA-BJ:3.6.1
-- why:       When the dealer draws and what a player may do leaves nobody a choice. A card or an
--            option against the rules changes this hand, and every hand after it.
-- benign:    The table noticed, called a supervisor and went on as told.

with
meaning (code, expected, found) as (
    values
        ('DEALER_OVERDREW', 'the dealer stands on 17 or more', 'another card was drawn'),
        ('DEALER_STOPPED_EARLY', 'the dealer draws on 16 or less', 'no card was drawn'),
        (
            'DEALER_SECOND_CARD_EARLY',
            'the dealer''s second card comes when every hand has ended',
            'it came before'
        ),
        ('SPLIT_UNEQUAL_VALUES', 'cards of the same value are split', 'others were'),
        ('SECOND_SPLIT', 'a seat splits once', 'it split again'),
        ('SPLIT_ACE_CARDS', 'a split Ace is given one card', 'it was not'),
        ('DOUBLE_AFTER_SPLIT', 'a split hand is hit or stood', 'it was doubled'),
        ('DOUBLE_CARDS', 'a double is given exactly one card', 'it was not'),
        ('CARD_AFTER_BUST', 'no card for a hand over 21', 'a card was given'),
        ('CARD_AFTER_BLACKJACK', 'no card for a blackjack', 'a card was given'),
        ('CARD_AFTER_STAND', 'no card for a hand that stood', 'a card was given'),
        ('CARD_AFTER_SURRENDER', 'no card for a hand that was given up', 'a card was given'),
        ('CARD_AFTER_CLOSE', 'no card once the round is closed', 'a card was dealt'),
        ('CARD_WITHOUT_HIT', 'a card for a hand that was hit', 'nobody had hit'),
        ('HIT_WITHOUT_CARD', 'a hit is given a card', 'none was given'),
        ('DECISION_ORDER', 'seats act in order, hand 1 before hand 2', 'another was first'),
        (
            'SURRENDER_REFUSED_UPCARD',
            'no surrender against an Ace or a ten-valued card',
            'it was granted'
        ),
        ('SURRENDER_AFTER_ACTION', 'surrender is the first decision', 'another came before'),
        ('INSURANCE_WITHOUT_ACE', 'insurance against an Ace', 'it was taken without'),
        ('AUTO_STOOD_EARLY', 'the system hits a hand of 11 or less', 'it stood'),
        ('AUTO_OVERDREW', 'the system stands on 12 or more', 'it drew'),
        ('ACTION_NOT_OPEN', 'an option that is open to the hand', 'another was taken')
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

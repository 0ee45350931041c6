-- check:     DEAL-02
-- title:     A hand with the wrong number of cards
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.8.1, NN:4.8.2, NN:7.4, NN:7.4.1, NN:7.5, SA-PD:6.3.2, TH:7.4, TH:7.6, SA-TP:9.2.2
-- why:       A card too many or too few changes every hand after it. The round is void, or only
--            that hand where cards were handled already.
-- benign:    The device counted wrongly; the picture of the spread hand shows five. Or the round
--            was called void before its deal was over.

with
meaning (code, expected, found) as (
    values
        (
            'HAND_CARD_COUNT',
            'five cards to every box with a wager',
            'a box was dealt another number'
        ),
        (
            'DEALER_CARD_COUNT',
            'five cards to the dealer',
            'the dealer was dealt another number'
        ),
        ('CARD_COUNT', 'every hand has the cards of the rules', 'another number was dealt'),
        (
            'CARD_COUNT_BOX',
            'two hole cards to every box with an Ante',
            'a box was dealt another number'
        ),
        (
            'CARD_COUNT_COMMON',
            'five community cards and two to the Dealer',
            'another number was dealt'
        )
)
select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    -- a round that was called void before its deal was over is short of cards for that
    not (
        flag.code = 'DEALER_CARD_COUNT'
        and coalesce(flag.recorded_status, '') = 'void'
        and flag.status = 'void'
        and not exists (
            from cards as card
            where card.table_id = flag.table_id
                and card.round_id = flag.round_id
                and card.slot > 5
        )
    )                                                           as certain,
    meaning.expected,
    noted(meaning.found, flag.note)                             as found,
    flag.clauses,
    flag.evidence
from raised as flag
join meaning using (code)
order by flag.table_id, flag.round_id, subject

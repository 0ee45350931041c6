-- check:     SHOE-01
-- title:     Extra, foreign or unshuffled cards, and the round was not void
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   NN:7.1.3, TB:7.1, TB:7.1.1, SA-BC:2.1.1, SA-DT:4.1.1, SA-PD:6.1.1, TH:7.1.3,
--            SA-AB:1.1.1, SA-TP:9.1, SA-BJ:3.1.1
-- why:       A card seen more often than the decks hold it was brought in. The round in which that
--            shows is void.
-- benign:    The shoe misread a card; the camera shows another one.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    case
        when flag.code in ('EXCESS_COPIES', 'DUPLICATE_CARD') then 'no card more often than the decks hold it'
        when flag.code = 'SHOE_CONTENTS' then 'one shoe, of the decks that the game has'
        when flag.code = 'FOREIGN_CARD' then 'void, or nobody reports that the cards are others than the decks have'
        else 'void: the cards are not those of the decks in use'
    end                                                         as expected,
    noted('recorded ' || flag.recorded_status, flag.note)       as found,
    flag.clauses,
    flag.evidence
from raised as flag
where (
        flag.code in ('SHOE_INTEGRITY', 'DECK_INTEGRITY', 'FOREIGN_CARD')
        and flag.recorded_status <> 'void'
    )
    or flag.code in ('EXCESS_COPIES', 'DUPLICATE_CARD', 'SHOE_CONTENTS')
order by flag.table_id, flag.round_id, subject

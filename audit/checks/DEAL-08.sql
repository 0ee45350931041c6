-- check:     DEAL-08
-- title:     Andar and Bahar not by turns, or not to the match
-- severity:  S1
-- live:      round
-- trigger:   any rows
-- clauses:   SA-AB:1.2.1, SA-AB:1.2.3, SA-AB:1.2.4
-- why:       The number of the matching card decides the round. A card on the wrong side, beyond
--            the match or short of it moves the result.
-- benign:    The dealer saw it, put the card right and paid by the count.

with
meaning (code, expected, found) as (
    values
        ('DEAL_ORDER', 'the Game Card, then Andar and Bahar by turns', 'another order'),
        ('DEALT_PAST_MATCH', 'the matching card ends the round', 'it was dealt on'),
        ('NO_MATCH', 'cards are dealt until one matches', 'the round ended before')
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
where deals_to_sides(flag.game)
order by flag.table_id, flag.round_id, subject

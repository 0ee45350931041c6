-- check:     IRR-16
-- title:     Colour chips used against the rules
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   RO:4.7.2, RO:4.7.3, RO:4.7.4, RO:4.7.5, RO:7.11
-- why:       A colour is one player's and worth what its marker says. Mixed colours are how chips change
--            owner and value without a trace.
-- benign:    Two members of a family play one colour and the dealer allowed it.

with
meaning (code, expected, found) as (
    values
        ('SECOND_COLOUR_SET', 'one colour a player, unless a pit manager allows more', 'a second'),
        ('COLOUR_VALUE_DIFFERS', 'two colours of a player have one value', 'they have two'),
        ('FOREIGN_COLOUR_CHIPS', 'colour chips of this table', 'chips of another'),
        (
            'VALUE_MARKER_MISSING',
            'a marker on colour chips worth more than the minimum',
            'there was none'
        ),
        ('COLOUR_SHARED', 'one colour, one holder', 'another player used it')
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

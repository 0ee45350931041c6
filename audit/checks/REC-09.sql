-- check:     REC-09
-- title:     Witnesses agree on a card that cannot be there
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:7.1.3, TB:7.1, TH:7.1.3, SA-AB:1.1.1, SA-BC:2.1.1, SA-BJ:3.1.1, SA-DT:4.1.1,
--            SA-PD:6.1.1, SA-TP:9.1
-- why:       All copies of the card are gone, and two witnesses saw one more. That each of them
--            misread it, or that one before was misread, is less likely than one in twenty.
-- benign:    The decks in play are more than the shoe and the terms say.

select
    doubt.hand || ' card ' || doubt.slot                        as subject,
    doubt.table_id,
    doubt.round_id,
    true                                                        as certain,
    'no card more often than the decks hold it'                 as expected,
    noted('one copy too many of ' || card.card, doubt.told)     as found,
    doubt.evidence
from doubts as doubt
join cards as card using (table_id, round_id, hand, slot)
where doubt.kind = 'impossible'
    and not may_be_misread(doubt.misread_ppm)
order by doubt.table_id, doubt.round_id, subject

-- check:     BET-15
-- title:     A seat, a bet behind one or a decision against the rules
-- severity:  S3
-- live:      round
-- trigger:   any rows
-- clauses:   SA-BJ:3.3.1, SA-BJ:3.3.2, SA-BJ:3.3.3, SA-BJ:3.4.3, SA-BJ:3.4.6, SA-BJ:3.6.1,
--            SA-BJ:3.6.2, TH:4.7.1
-- why:       One seat a player, five seconds to follow, no word in another's hand: whoever gets more
--            time or more hands than the others plays another game than they do.
-- benign:    The answer left the player in time and arrived late.

with
meaning (code, expected, found) as (
    values
        ('FOLLOW_LATE', 'an equal bet within five seconds', 'the answer was another'),
        ('SEATED_BET_BEHIND', 'a seated player does not bet behind', 'one did'),
        ('BEHIND_EMPTY_SEAT', 'a bet behind an occupied seat', 'nobody sat there'),
        ('SEAT_WITHOUT_MAIN', 'a seat that is dealt a hand has a main bet', 'it had none'),
        ('TWO_SEATS', 'one seat a player', 'a second one was held'),
        ('SEAT_TAKEN_IN_PLAY', 'a seat is taken between rounds', 'it was taken in play'),
        ('SEAT_TAKEN_TWICE', 'a seat has one player', 'another took it'),
        ('IDLE_SEAT_KEPT', 'a seat without action is vacated', 'it was kept'),
        ('INSURANCE_NOT_SEATED', 'insurance for seated players', 'a follower insured'),
        (
            'NOT_THE_SEATS_DECISION',
            'the seated player decides on the hand',
            'somebody else did'
        ),
        ('DECISION_NOT_OWN', 'the player of a box decides on it', 'somebody else did')
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

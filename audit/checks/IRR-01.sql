-- check:     IRR-01
-- title:     An irregularity without the ruling it needs
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   NN:4.5.3, NN:7.1, NN:7.2, TB:7.10.2, TB:7.11.2.1, TB:7.20, RO:7.5, RO:8.2, RO:8.4, RO:8.5,
--            TH:7.1, TH:7.2, TH:7.7, TH:7.13
-- why:       Where the rules ask a person to decide, examine or offer, nothing else may take the
--            place of it; without it the players were not treated alike.
-- benign:    It was decided aloud and entered later.

with
meaning (code, expected, found) as (
    values
        ('DECISION_MISSING', 'a decision of the rank the clause names', 'none is on record'),
        (
            'REFER_7.20',
            'the case is referred to an Assistant Director or above',
            'no decision is on record'
        ),
        (
            'BALL_NOT_EXAMINED',
            'the ball is examined by the inspector or a pit supervisor',
            'nobody examined it'
        ),
        (
            'OPTION_NOT_OFFERED',
            'players choose between the shoe and new cards after a hand without a burn',
            'no choice was offered'
        ),
        (
            'DECK_NOT_REPLACED',
            'a new set of cards comes after a round that was void for its cards',
            'no other deck came'
        ),
        (
            'COUNT_NOT_TAKEN',
            'the cards are counted where their number is in doubt',
            'nobody counted them'
        ),
        (
            'SHOE_NOT_REPLACED',
            'the shoe is replaced when all players withdraw',
            'it stayed in play'
        ),
        (
            'DISPUTE_NO_SURVEILLANCE',
            'Surveillance is told of a dispute before a pit manager decides it',
            'nobody told it'
        ),
        ('DISPUTE_NO_BASIS', 'a dispute is decided on a ground of the rules', 'none was given'),
        (
            'DISPUTE_RIGHTS_NOT_TOLD',
            'a player who disagrees is told of the right to complain',
            'nobody told the player'
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
where flag.code <> 'REFER_7.20'
    or not exists (
        from rulings as ruling
        where ruling.table_id = flag.table_id
            and ruling.round_id = flag.round_id
            and ruling.clause = 'TB:7.20'
    )
union all
-- decided, and nothing to decide on is on record
select
    flag.concerns,
    flag.table_id,
    flag.round_id,
    true,
    'a decision under 7.20 on an irregularity that somebody reported',
    string_agg(
        ruling.rank || ' ' || ruling.person_id || ' decided ' || ruling.decision,
        ', ' order by ruling.seq
    ) || ', and nothing was reported',
    flag.clauses,
    list(ruling.event_id order by ruling.seq)
from raised as flag
join rulings as ruling
    on ruling.table_id = flag.table_id
    and ruling.round_id = flag.round_id
    and ruling.clause = 'TB:7.20'
where flag.code = 'REFER_7.20'
    and not exists (
        from irregularities as report
        where report.table_id = flag.table_id
            and report.round_id = flag.round_id
    )
group by all
order by table_id, round_id, subject

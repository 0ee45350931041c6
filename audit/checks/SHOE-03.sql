-- check:     SHOE-03
-- title:     The shoe gives cards in the order of a new deck
-- severity:  S1
-- live:      no
-- clauses:   NN:7.1.3, TB:7.1, TB:7.1.1, SA-BC:2.1.1, SA-DT:4.1.1, SA-PD:6.1.1, TH:7.1.3,
--            SA-AB:1.1.1, SA-TP:9.1, SA-BJ:3.1.1
-- why:       A new deck runs from ace to king in each suit. Cards that come in that order, up or
--            down, were not shuffled, and whoever sees it knows the next card.
-- benign:    The manufacturer delivered cards as shuffled that were not; nobody at the table cheats,
--            and the shoe must stop all the same.
-- budget:    Five neighbours in a row come by chance about once a year on 140 tables of eight shoes
--            a day, six once in fifty years; five are told as possible, six as certain.

with
stepped as (
    select
        *,
        strpos('A23456789TJQK', card[1]) - strpos('A23456789TJQK', (lag(card) over leaving)[1]) as step,
        lag(card) over leaving as last_card
    from shoe_order
    window leaving as (partition by table_id, shoe_id, filling order by position)
    qualify lag(position) over leaving = position - 1
        and (lag(card) over leaving)[2] = card[2]
        and step in (1, -1)
),
run as (
    select
        *,
        position - row_number() over (partition by table_id, shoe_id, filling, step order by position) as run
    from stepped
),
counted_run as (
    select *, row_number() over (partition by table_id, shoe_id, filling, step, run order by position) as neighbour
    from run
)
select
    coalesce(nullif(shoe_id, ''), table_id) || ' place ' || (min(position) - 1) as subject,
    table_id,
    arg_min(round_id, position) filter (where neighbour >= 5) as round_id,
    count(*) >= 6 as certain,
    'cards in no order that a new deck has' as expected,
    counted(count(*) + 1, 'card') || ' one after another in the order of a new deck: '
        || arg_min(last_card, position) || ' ' || string_agg(card, ' ' order by position) as found,
    flatten(list(evidence order by position)) as evidence
from counted_run
group by table_id, shoe_id, filling, step, run
having count(*) >= 5
order by table_id, subject

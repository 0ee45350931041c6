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
        strpos('A23456789TJQK', card[1]) - strpos('A23456789TJQK', card_before[1]) as step
    from shoe_cards
    where position_before = position - 1
        and card_before[2] = card[2]
        and step in (1, -1)
),
run as (
    select *, n - row_number() over (partition by shoe, step order by n) as run
    from stepped
),
long_run as (
    select *, row_number() over (partition by shoe, step, run order by n) as neighbour
    from run
    qualify count(*) over (partition by shoe, step, run) >= 5
)
select
    coalesce(nullif(any_value(round.shoe_id), ''), round.table_id) || ' place ' || (min(card.position) - 1)
        as subject,
    round.table_id,
    arg_min(round.round_id, card.position) filter (where card.neighbour >= 5) as round_id,
    count(*) >= 6 as certain,
    'cards in no order that a new deck has' as expected,
    counted(count(*) + 1, 'card') || ' one after another in the order of a new deck: '
        || arg_min(card.card_before, card.position) || ' ' || string_agg(card.card, ' ' order by card.position) as found,
    flatten(list(place.evidence order by card.position)) as evidence
from long_run as card
join shoe_rounds as round using (turn)
join cards as place
    on place.table_id = round.table_id
    and place.round_id = round.round_id
    and place.position = card.position
    and place.shoe_card = card.card
    and place.hand is not distinct from card.hand
    and place.slot is not distinct from card.slot
group by round.table_id, card.shoe, card.step, card.run
order by round.table_id, subject

-- check:     SHOE-04
-- title:     A run of cards stands in two fillings of a table's shoes
-- severity:  S1
-- live:      no
-- clauses:   NN:7.1.3, TB:7.1, TB:7.1.1, SA-BC:2.1.1, SA-DT:4.1.1, SA-PD:6.1.1, TH:7.1.3,
--            SA-AB:1.1.1, SA-TP:9.1, SA-BJ:3.1.1
-- why:       A shuffle parts neighbours. The same run of cards in two fillings was carried over by
--            a false shuffle, and a player who noted it knows what comes.
-- benign:    A shuffler that is worn leaves packets together; no player need know of it.
-- budget:    Two shoes of eight decks share a run of six cards once in 114,000 pairs and one of
--            seven once in six million: on 140 tables of eight shoes a day about four runs of six
--            a year, told as possible, and one of seven in fourteen years, told as certain.

with
six as (
    select
        table_id,
        shoe_id,
        filling,
        gaming_day,
        seen_seq,
        position,
        hash(
            card,
            lead(card, 1) over following,
            lead(card, 2) over following,
            lead(card, 3) over following,
            lead(card, 4) over following,
            lead(card, 5) over following
        ) as cards
    from shoe_order
    window following as (partition by table_id, shoe_id, filling order by position)
    -- one card again and again is no carried run, and others tell of it
    qualify lead(position, 5) over following = position + 5
        and not (card = lead(card, 1) over following and card = lead(card, 2) over following)
),
alike as (
    select later.*, earlier.shoe_id as first_shoe_id, earlier.filling as first_filling, earlier.position as first_position
    from six as later
    join six as earlier
        on earlier.table_id = later.table_id
        and earlier.cards = later.cards
        and (earlier.gaming_day, earlier.seen_seq) < (later.gaming_day, later.seen_seq)
        and (earlier.shoe_id, earlier.filling) <> (later.shoe_id, later.filling)
),
run as (
    select
        *,
        position - row_number() over (
            partition by table_id, shoe_id, filling, first_shoe_id, first_filling, position - first_position
            order by position
        ) as run
    from alike
),
carried as (
    select
        table_id,
        shoe_id,
        filling,
        first_shoe_id,
        first_filling,
        min(position) as begin,
        min(first_position) as first_begin,
        count(*) + 5 as cards
    from run
    group by table_id, shoe_id, filling, first_shoe_id, first_filling, position - first_position, run
),
shown as (
    select
        carried.*,
        string_agg(card.card, ' ' order by card.position) as faces,
        arg_min(card.round_id, card.position) filter (where card.position >= carried.begin + 5) as round_id,
        flatten(list(card.evidence order by card.position)) as evidence
    from carried
    join shoe_order as card
        on card.table_id = carried.table_id
        and card.shoe_id = carried.shoe_id
        and card.filling = carried.filling
        and card.position between carried.begin and carried.begin + carried.cards - 1
    group by all
)
select
    coalesce(nullif(shown.shoe_id, ''), shown.table_id) || ' place ' || shown.begin || ' as place '
        || shown.first_begin || ' of ' || arg_min(card.round_id, card.position) as subject,
    shown.table_id,
    shown.round_id,
    shown.cards >= 7 as certain,
    'no run of cards from an earlier filling' as expected,
    counted(shown.cards, 'card') || ' came as in round ' || arg_min(card.round_id, card.position) || ': '
        || shown.faces as found,
    flatten(list(card.evidence order by card.position)) || shown.evidence as evidence
from shown
join shoe_order as card
    on card.table_id = shown.table_id
    and card.shoe_id = shown.first_shoe_id
    and card.filling = shown.first_filling
    and card.position between shown.first_begin and shown.first_begin + shown.cards - 1
group by
    shown.table_id, shown.shoe_id, shown.filling, shown.first_shoe_id, shown.first_filling, shown.begin,
    shown.first_begin, shown.cards, shown.faces, shown.round_id, shown.evidence
order by shown.table_id, subject

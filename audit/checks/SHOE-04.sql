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
        round_id,
        shoe_id,
        filling,
        gaming_day,
        seen_seq,
        position,
        evidence,
        list(card) over following as cards,
        max(position) over following - position as width,
        flatten(list(evidence) over following) as readings,
        last_value(round_id) over following as shown_in
    from shoe_order
    window following as (
        partition by table_id, shoe_id, filling
        order by position
        rows between current row and 5 following
    )
),
whole as (
    select
        *,
        dense_rank() over (partition by table_id order by gaming_day, shoe_id, filling) as shoe_number
    from six
    where len(cards) = 6
        and width = 5
),
pair as (
    select
        later.*,
        earlier.round_id as first_round_id,
        earlier.position as first_position,
        earlier.readings as first_readings,
        earlier.shoe_number as first_number
    from whole as later
    join whole as earlier
        on earlier.table_id = later.table_id
        and earlier.cards = later.cards
        and (earlier.gaming_day, earlier.seen_seq) < (later.gaming_day, later.seen_seq)
        and earlier.shoe_number <> later.shoe_number
),
run as (
    select
        *,
        position - row_number() over (
            partition by table_id, shoe_number, first_number, position - first_position
            order by position
        ) as run
    from pair
)
select
    coalesce(nullif(shoe_id, ''), table_id) || ' place ' || min(position)
        || ' as place ' || min(first_position) || ' of ' || arg_min(first_round_id, first_position) as subject,
    table_id,
    arg_min(shown_in, position) as round_id,
    count(*) >= 2 as certain,
    'no run of cards from an earlier filling' as expected,
    counted(count(*) + 5, 'card') || ' came as in round ' || arg_min(first_round_id, first_position) || ': '
        || array_to_string(arg_min(cards, position), ' ')
        || coalesce(' ' || string_agg(cards[6], ' ' order by position) filter (where position > run + 1), '') as found,
    list_sort(list_distinct(flatten(list(first_readings || readings order by position)))) as evidence
from run
group by table_id, shoe_id, shoe_number, first_number, run, position - first_position
order by table_id, subject

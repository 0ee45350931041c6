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
six as materialized (
    select
        table_number,
        shoe,
        turn,
        n,
        position,
        hash(
            card,
            lead(card, 1) over following,
            lead(card, 2) over following,
            lead(card, 3) over following,
            lead(card, 4) over following,
            lead(card, 5) over following
        ) as cards
    from shoe_cards
    window following as (partition by shoe order by n)
    -- one card again and again is no carried run, and others tell of it
    qualify lead(position, 5) over following = position + 5
        and not (card = lead(card, 1) over following and card = lead(card, 2) over following)
),
-- the few that came twice at a table, and where a filling begins in their shoes: what follows goes by these
alike as materialized (
    select
        later.* exclude (turn, cards),
        earlier.shoe as first_shoe,
        earlier.n as first_n,
        earlier.position as first_position,
        later.turn,
        earlier.turn as first_turn
    from six as later
    join six as earlier
        on earlier.table_number = later.table_number
        and earlier.cards = later.cards
        and (earlier.shoe, earlier.n) <> (later.shoe, later.n)
),
beginning as (
    select shoe, n
    from shoe_cards
    where begins
        and shoe in (select shoe from alike union select first_shoe from alike)
),
carried_six as (
    select twin.*
    from alike as twin
    join shoe_rounds as later on later.turn = twin.turn
    join shoe_rounds as earlier on earlier.turn = twin.first_turn
    where (earlier.gaming_day, earlier.seen_seq) < (later.gaming_day, later.seen_seq)
        -- all six of one filling, and these two of different ones
        and not exists (
            from beginning
            where beginning.shoe = twin.shoe
                and beginning.n between twin.n + 1 and twin.n + 5
        )
        and not exists (
            from beginning
            where beginning.shoe = twin.first_shoe
                and beginning.n between twin.first_n + 1 and twin.first_n + 5
        )
        and (
            twin.shoe <> twin.first_shoe
            or exists (
                from beginning
                where beginning.shoe = twin.shoe
                    and beginning.n between twin.first_n + 1 and twin.n
            )
        )
),
run as (
    select
        *,
        n - row_number() over (partition by shoe, first_shoe, n - first_n order by n) as run
    from carried_six
),
carried as materialized (
    select
        shoe,
        first_shoe,
        min(n) as n,
        min(first_n) as first_n,
        min(position) as place,
        min(first_position) as first_place,
        count(*) + 5 as cards
    from run
    group by shoe, first_shoe, n - first_n, run
),
read as materialized (
    select card.shoe, card.n, card.card, round.table_id, round.round_id, round.shoe_id, place.evidence
    from shoe_cards as card
    join shoe_rounds as round using (turn)
    join cards as place
        on place.table_id = round.table_id
        and place.round_id = round.round_id
        and place.position = card.position
        and place.shoe_card = card.card
        and place.hand is not distinct from card.hand
        and place.slot is not distinct from card.slot
    where (card.shoe, card.n) in (
        select (shoe, unnest(range(n, n + cards))) from carried
        union
        select (first_shoe, unnest(range(first_n, first_n + cards))) from carried
    )
),
shown as (
    select
        carried.*,
        card.table_id,
        card.shoe_id,
        string_agg(card.card, ' ' order by card.n) as faces,
        arg_min(card.round_id, card.n) filter (where card.n >= carried.n + 5) as round_id,
        flatten(list(card.evidence order by card.n)) as evidence
    from carried
    join read as card
        on card.shoe = carried.shoe
        and card.n between carried.n and carried.n + carried.cards - 1
    group by all
)
select
    coalesce(nullif(shown.shoe_id, ''), shown.table_id) || ' place ' || shown.place || ' as place '
        || shown.first_place || ' of ' || arg_min(card.round_id, card.n) as subject,
    shown.table_id,
    shown.round_id,
    shown.cards >= 7 as certain,
    'no run of cards from an earlier filling' as expected,
    counted(shown.cards, 'card') || ' came as in round ' || arg_min(card.round_id, card.n) || ': '
        || shown.faces as found,
    flatten(list(card.evidence order by card.n)) || shown.evidence as evidence
from shown
join read as card
    on card.shoe = shown.first_shoe
    and card.n between shown.first_n and shown.first_n + shown.cards - 1
group by
    shown.shoe, shown.first_shoe, shown.n, shown.first_n, shown.place, shown.first_place, shown.cards,
    shown.table_id, shown.shoe_id, shown.faces, shown.round_id, shown.evidence
order by shown.table_id, subject

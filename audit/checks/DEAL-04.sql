-- check:     DEAL-04
-- title:     Burn missing or of the wrong count
-- severity:  S2
-- live:      round
-- trigger:   first round of a shoe
-- clauses:   TB:2.2.2, TB:7.11, SA-BC:2.1.2, SA-DT:4.1.2, SA-DT:4.1.4, SA-PD:6.1.2, SA-PD:6.1.4,
--            TH:2.2.6, TH:7.8
-- why:       The burn moves the cut by a number nobody knows beforehand. Without it, or with another
--            number, a known slug of cards stays where it was.
-- benign:    The dealer forgot, nothing had been seen, and the hand was dealt anew after the burn.

with
first_rounds as (
    select
        shoe.*,
        round.round_id,
        round.first_play_seq,
        round.opened_seq
    from shoes as shoe
    join rounds as round
        on round.table_id = shoe.table_id
        and round.gaming_day is not distinct from shoe.gaming_day
        and round.shoe_id = shoe.shoe_id
        and round.opened_seq > shoe.loaded_seq
    where burns_by_card(round.game)
        and round.first_play_seq is not null
    qualify row_number() over (
        partition by shoe.table_id, shoe.gaming_day, shoe.loaded_seq order by round.opened_seq
    ) = 1
),
burns as (
    select
        *,
        burn_seq is null or burn_seq > first_play_seq as missing,
        case
            when burn_card is null then null
            when burn_card[1] in ('T', 'J', 'Q', 'K') then 10
            when burn_card[1] = 'A' then 1
            else burn_card[1]::integer
        end as owed
    from first_rounds
),
counted as (
    select
        burn.shoe_id as subject,
        burn.table_id,
        burn.round_id,
        case
            when burn.missing then 'a burn before the first card of shoe ' || burn.shoe_id
            else burn.owed || ' cards burned after ' || burn.burn_card
        end as expected,
        case
            when burn.burn_seq is null then 'none was seen'
            when burn.missing then 'the burn came after the first card'
            else burn.burn_count || ' were burned'
        end as found,
        list(event.event_id order by event.seq) as evidence,
        null::varchar[] as clauses
    from burns as burn
    join events as event
        on event.table_id = burn.table_id
        and event.gaming_day is not distinct from burn.gaming_day
        and event.seq in (burn.loaded_seq, burn.burn_seq, burn.first_play_seq)
    where burn.missing
        or burn.burn_count <> burn.owed
    group by all
),
meaning (code, expected) as (
    values
        ('SHOE_BURN_MISSING', 'a burn before the first card of a new shoe'),
        ('SHOE_BURN_COUNT', 'as many cards burned as the card turned over says'),
        ('SHOE_BURN_UNEXPECTED', 'no burn of a shoe but at its start'),
        ('ROUND_BURN_COUNT', 'one card burned before the first card of a round'),
        ('BURN_MISSED', 'a card burned before hole cards, flop, turn and river')
),
flagged as (
    select
        flag.concerns as subject,
        flag.table_id,
        flag.round_id,
        meaning.expected,
        flag.note as found,
        flag.evidence,
        flag.clauses
    from raised as flag
    join meaning using (code)
)
select
    burn.subject,
    burn.table_id,
    burn.round_id,
    true                                                        as certain,
    burn.expected,
    burn.found,
    burn.evidence,
    burn.clauses
from (from counted union all from flagged) as burn
order by burn.table_id, burn.round_id, burn.subject

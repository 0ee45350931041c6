-- check:     SHOE-02
-- title:     The cards of a shoe do not add up when it is taken out
-- severity:  S1
-- live:      no
-- clauses:   TB:7.1, SA-BC:2.1.1, SA-DT:4.1.1, SA-PD:6.1.1, SA-BJ:3.1.1, SA-AB:1.1.1, SA-TP:9.1, NN:7.1.3,
--            TH:7.1.3
-- why:       What left the shoe and what is left in it are all of its cards. One card more was brought in,
--            one card less was taken away.
-- benign:    A card that the shoe passed over without reading it was the last one out, or the cards left
--            were miscounted.
-- unseen:    Shoes whose remaining cards nobody counts; a card that was taken and another put in its place:
--            SHOE-01 and REC-01 may see that one. The discards are not counted by any device.

with
last_out as (
    select
        table_id,
        shoe_id,
        filling,
        any_value(gaming_day order by gaming_day) as gaming_day,
        max(seen_seq) as seen_seq,
        arg_max(round_id, position) as round_id,
        max(position) as position
    from shoe_order
    group by table_id, shoe_id, filling
),
emptied as (
    select
        shoe.*,
        last_out.round_id,
        last_out.position,
        last_out.position + shoe.cards_left - 52 * shoe.decks as gap
    from shoes as shoe
    join last_out
        on last_out.table_id = shoe.table_id
        and last_out.shoe_id = shoe.shoe_id
        and last_out.gaming_day is not distinct from shoe.gaming_day
        and last_out.seen_seq between shoe.loaded_seq and shoe.removed_seq
    where shoe.cards_left is not null
        and gap <> 0
)
select
    shoe.shoe_id                                                as subject,
    shoe.table_id,
    shoe.round_id,
    not exists (
        from open_gaps as gap
        where gap.table_id = shoe.table_id
            and gap.seq between shoe.loaded_seq and shoe.removed_seq
    )                                                           as certain,
    52 * shoe.decks || ' cards in ' || counted(shoe.decks, 'deck') as expected,
    shoe.position || ' had left the shoe and ' || shoe.cards_left || ' were in it, '
        || counted(abs(shoe.gap), 'card') || case when shoe.gap > 0 then ' too many' else ' missing' end
                                                                as found,
    list(event.event_id order by event.seq, event.event_id)     as evidence,
    shoe.gaming_day
from emptied as shoe
join events as event
    on event.table_id = shoe.table_id
    and event.gaming_day is not distinct from shoe.gaming_day
    and event.seq in (shoe.loaded_seq, shoe.removed_seq)
    and event.type in ('ShoeLoaded', 'ShoeRemoved')
group by all
order by shoe.table_id, subject, found

-- check:     REC-06
-- title:     A card left the shoe and was never seen on the table
-- severity:  S1
-- live:      round
-- trigger:   camera missed a card
-- clauses:   NN:7.1.3, TB:7.1, SA-BC:2.1.1, SA-DT:4.1.1, SA-PD:6.1.1, TH:7.1.3, SA-AB:1.1.1,
--            SA-TP:9.1, SA-BJ:3.4.2
-- why:       A card between shoe and table that the camera missed while it saw the others may have
--            gone up a sleeve.
-- benign:    A hand covered the card; the picture shows it, and the dealer's call counts it. Or the
--            camera filed it elsewhere: then it saw a card where the shoe gave none. Or the shoe missed
--            a card, and the places of both are out of step. Or the round was called void first.

with
missed as (
    from cards
    where position > 0
        and camera_card is null
        and exposed
),
elsewhere_seen as (
    select table_id, round_id
    from cards
    semi join missed using (table_id, round_id)
    where camera_card is not null
)
select
    card.hand || ' card ' || card.slot                          as subject,
    card.table_id,
    card.round_id,
    not exists (
        from (
            -- each type for itself: for a list of them the round of every event would be read
            from events where type = 'CameraDisturbed'
            union all
            from events where type = 'GapFound'
        ) as event
        where event.table_id = card.table_id
            and event.round_id = card.round_id
    )
        -- the shoe missed a card: then the camera filed those after it at other places
        and not exists (
            from cards as stray
            where stray.table_id = card.table_id
                and stray.round_id = card.round_id
                and stray.position = 0
                and stray.camera_card is not null
        )
        and not exists (
            from flags as flag
            where flag.table_id = card.table_id
                and flag.round_id = card.round_id
                and flag.code = 'CARD_NOT_READ'
        )
        -- a dealer who calls the hands as they are with this card has seen it
        and not exists (
            from results as result
            where result.table_id = card.table_id
                and result.round_id = card.round_id
                and result.shown_by = 'dealer'
                and case
                    when coalesce(result.box, '') = ''
                        then round.result <> '' and agrees(result.said, round.result)
                    else result.box = card.hand and not exists (
                        from flags as flag
                        where flag.table_id = card.table_id
                            and flag.round_id = card.round_id
                            and flag.subject = result.box
                            and flag.code in ('RESULT_MISMATCH', 'WRONG_CALL', 'HAND_RESET')
                    )
                end
        )
        -- where the cards are unknown nobody can say whether the call counts this one
        and round.status <> 'unknown'
        -- a round that is called off is cleared before every card was opened
        and coalesce(round.recorded_status, '') <> 'void'       as certain,
    'the camera sees every card the shoe gave'                  as expected,
    'the shoe gave ' || coalesce(card.shoe_card, 'a card') || ' as ' || card.hand || ' card '
        || card.slot || ', the camera saw others but not it'    as found,
    card.evidence
from missed as card
semi join elsewhere_seen as other using (table_id, round_id)
join rounds as round using (table_id, round_id)
where round.status <> 'free_hand'
order by card.table_id, card.round_id, subject

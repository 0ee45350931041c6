-- check:     REC-07
-- title:     Cards lie in another order than they were drawn
-- severity:  S2
-- live:      round
-- trigger:   witnesses differ
-- clauses:   TB:4.9.1, TB:7.9, TB:7.12, SA-BC:2.2.2, SA-DT:4.2.2, SA-PD:6.3.2, TH:7.3, SA-TP:9.2.2,
--            SA-BJ:3.4.2, SA-BJ:3.5.3
-- why:       First and third card are the player's, second and fourth the banker's. The order of
--            the shoe decides the hand, so a crossed deal may have paid the wrong side. It rests on
--            the hands that the shoe names; where the camera alone has cards crossed, it is possible.
-- benign:    The dealer reconstructed the hand at the table and paid by it. Or the camera filed two
--            cards at each other's place; the pictures show it.

with
witnesses as (
    select
        flag.table_id,
        flag.round_id,
        flag.concerns,
        flag.evidence,
        flatten(list(card.evidence order by card.position, card.hand, card.slot)) as seen
    from raised as flag
    join cards as card
        on card.table_id = flag.table_id
        and card.round_id = flag.round_id
        and list_has_any(card.evidence, flag.evidence)
    group by flag.table_id, flag.round_id, flag.concerns, flag.evidence
),
told as (
    select
        flag.concerns as subject,
        flag.table_id,
        flag.round_id,
        true as certain,
        noted('they were put down in another order', flag.note) as found,
        flag.clauses,
        list_concat(
            flag.evidence,
            list_filter(coalesce(other.seen, []), lambda id: not list_contains(flag.evidence, id))
        ) as evidence
    from raised as flag
    left join witnesses as other using (table_id, round_id, concerns, evidence)
    where flag.code in ('WRONG_ORDER', 'DEAL_ORDER', 'MISDEALT')
        and not deals_to_sides(flag.game) -- whose sides have a check of their own
),
seen_otherwise as (
    select
        'camera' as subject,
        card.table_id,
        card.round_id,
        false as certain,
        'the camera saw the same cards otherwise: ' || string_agg(
            card.camera_card || ' as ' || card.hand || ' card ' || card.slot,
            ', ' order by card.position
        ) as found,
        null::varchar[] as clauses,
        flatten(list(card.evidence order by card.position)) as evidence
    from cards as card
    join rounds as round using (table_id, round_id)
    where card.position > 0
        and list_contains(card.differing, 'camera')
        and not deals_to_sides(round.game)
    group by card.table_id, card.round_id
    having list_sort(list(card.camera_card)) = list_sort(list(card.shoe_card))
)
select
    deal.subject,
    deal.table_id,
    deal.round_id,
    deal.certain,
    'cards are put down in the order they leave the shoe'       as expected,
    deal.found,
    deal.clauses,
    deal.evidence
from (from told union all from seen_otherwise) as deal
order by deal.table_id, deal.round_id, deal.subject

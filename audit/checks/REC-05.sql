-- check:     REC-05
-- title:     A card lies on the table that never left the shoe
-- severity:  S1
-- live:      round
-- trigger:   witnesses differ
-- clauses:   NN:7.1.1, TB:7.1, SA-BC:2.1.1, SA-DT:4.1.1, SA-PD:6.1.1, TH:7.1.1, SA-AB:1.1.1,
--            SA-TP:9.1, SA-BJ:3.4.2
-- why:       A card the shoe did not give came from somewhere else: a foreign card voids the round.
-- benign:    The shoe missed a card; then its sequence has a gap or its count is one short. Or the
--            camera counted a card of the round twice.

select
    card.hand || ' card ' || card.slot                          as subject,
    card.table_id,
    card.round_id,
    not exists (
        from alarms as alarm
        where alarm.table_id = card.table_id
            and alarm.round_id = card.round_id
            and alarm.kind = 'GapFound'
    )
        and not may_be_misread(doubt.misread_ppm)               as certain,
    'every card on the table left the shoe'                     as expected,
    noted(
        'the camera saw ' || card.camera_card || ' as ' || card.hand || ' card ' || card.slot
            || ', which the shoe never gave',
        doubt.told
    )                                                           as found,
    card.evidence
from cards as card
join rounds as round using (table_id, round_id)
left join doubts as doubt using (table_id, round_id, hand, slot)
where list_contains(card.differing, 'shoe')
    and round.status <> 'free_hand'
order by card.table_id, card.round_id, subject

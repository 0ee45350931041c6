-- check:     REC-01
-- title:     The camera saw another card, die or token than the device
-- severity:  S1
-- live:      round
-- trigger:   witnesses differ
-- clauses:   NN:7.1.1, TB:7.1, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.2,
--            SA-DT:4.2.2, SA-PD:6.3.2, TH:7.1.1, SA-AB:1.2, SA-TP:9.2, SA-BJ:3.4.2
-- why:       Two sure witnesses that differ about one card are what a card switch looks like. The
--            round is unknown until somebody looks. It is certain where a misreading, by what each
--            witness takes for what, is less likely than one in twenty.
-- benign:    One of the two reads badly: look for the same pair of cards in other rounds.

select
    differing.place                                             as subject,
    differing.table_id,
    differing.round_id,
    not may_be_misread(doubt.misread_ppm)                       as certain,
    'camera and device agree on ' || differing.place            as expected,
    noted(
        'the device read ' || differing.device || ', the camera ' || differing.other, doubt.told
    )                                                           as found,
    differing.evidence
from disagreements as differing
left join doubts as doubt
    on doubt.table_id = differing.table_id
    and doubt.round_id = differing.round_id
    and doubt.hand || ' card ' || doubt.slot = differing.place
where differing.witness = 'camera'
order by differing.table_id, differing.round_id, subject

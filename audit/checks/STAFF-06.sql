-- check:     STAFF-06
-- title:     A finding was cleared by somebody who worked in its round
-- severity:  S2
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       Who dealt, inspected or ruled in a round has an interest in what is found there. Explaining,
--            calling false or closing such a finding is for somebody else.
-- benign:    The only person on duty at night cleared it, and surveillance agreed and wrote it nowhere.
-- unseen:    Findings of a whole table or day, which name no round; friends of those who were there.

select
    review.finding_id || ' ' || review.number                   as subject,
    review.table_id,
    review.round_id,
    true                                                        as certain,
    'somebody who was not on duty in the round'                 as expected,
    review.person_id || ', ' || case review.person_id
        when round.dealer_id then 'dealer of the round'
        when round.inspector_id then 'inspector of the round'
        else 'who ruled in the round'
    end || ', made it ' || review.state || ': ' || coalesce(nullif(review.reason, ''), 'no reason')
                                                                as found,
    [review.finding_id || '/' || review.number]                 as evidence
from finding_reviews as review
join rounds as round using (table_id, round_id)
where review.state in ('explained', 'false', 'closed')
    and (
        review.person_id = coalesce(round.dealer_id, '')
        or review.person_id = coalesce(round.inspector_id, '')
        or exists (
            from rulings as ruling
            where ruling.table_id = review.table_id
                and ruling.round_id = review.round_id
                and ruling.person_id = review.person_id
        )
    )
order by review.table_id, review.round_id, subject

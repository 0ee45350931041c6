-- title: Findings by dealer
-- about: Rounds dealt, findings in them, and findings a thousand rounds, by dealer.
select
    round.dealer_id,
    count(distinct round.round_id) as rounds,
    count(finding.finding_id) as findings,
    1000 * count(finding.finding_id) // count(distinct round.round_id) as a_thousand_rounds
from rounds as round
left join findings as finding
    on finding.table_id = round.table_id
    and finding.round_id = round.round_id
    and finding.state <> 'gone'
where round.dealer_id is not null
group by round.dealer_id
order by findings desc, round.dealer_id

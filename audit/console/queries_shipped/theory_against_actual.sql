-- title: Theory against actual by bet
-- about: What each bet should have returned on its stakes, what was due, and what was seen.
select
    game,
    kind,
    currency,
    count(*) as wagers,
    sum(stake) as staked,
    round(sum(expected_net)) as expected,
    sum(due_net) as due,
    sum(seen_net) as seen
from wager_results
where decided
    and return_numerator is not null
group by all
order by all

-- title: Rounds by game and status
-- about: How many rounds of each game were settled, void or unknown.
select
    game,
    status,
    count(*) as rounds
from rounds
group by all
order by all

-- title: Wagers settled otherwise than due
-- about: Every wager of a table whose payment differs from what the rules owe.
select
    round_id,
    wager_id,
    paid_gap,
    commission_gap,
    collected_gap,
    returned_gap
from settlements
where differs
    and table_id = $table
order by round_id, wager_id

-- report:      reaudit
-- title:       Re-audit result
-- description: History judged again under another edition, paytable or reading: which wagers are due another amount, to whom, and by which clause.
-- shows:       Nothing on record changes by a re-audit, and nobody is paid by it: whether a difference is paid is for management to approve. Below zero, a player was given more than is due. It is of the folder that roundproof reaudit --out wrote, and of its days and tables.
-- input:       reaudit

-- section:     What was asked
-- layout:      facts
-- column:      game | id | Game
-- column:      edition | id | Edition
-- column:      paytable | id | Paytable
-- column:      readings | id | Readings
-- column:      tables | id | Tables
select
    $input::json ->> '$.asked.game' as game,
    $input::json ->> '$.asked.edition' as edition,
    $input::json ->> '$.asked.paytable' as paytable,
    nullif($input::json ->> '$.asked.readings', '{}') as readings,
    nullif($input::json ->> '$.asked.tables', '[]') as tables

-- section:     Together
-- empty:       No wager is due another amount.
-- column:      currency | id | Currency
-- column:      wagers | count | Wagers
-- column:      rounds | count | Rounds
-- column:      players | count | Players
-- column:      owed | money | Owed to players
-- column:      owing | money | Players were given too much
-- column:      player_minor | money | Difference
with line as (
    select unnest(from_json($input::json -> 'lines', '[{"table_id": "varchar", "gaming_day": "varchar", "round_id": "varchar", "player_id": "varchar", "currency": "varchar", "player_minor": "bigint"}]'), recursive := true)
)
select
    currency,
    count(*) as wagers,
    count(distinct (table_id, round_id)) as rounds,
    count(distinct player_id) as players,
    coalesce(sum(player_minor) filter (where player_minor > 0), 0)::bigint as owed,
    coalesce(-sum(player_minor) filter (where player_minor < 0), 0)::bigint as owing,
    sum(player_minor)::bigint as player_minor
from line
where gaming_day::date between $from::date and $to::date
    and $table in ('', table_id)
group by currency
order by currency

-- section:     By clause
-- empty:       There is nothing to list.
-- column:      clauses | id | Clauses
-- column:      wagers | count | Wagers
-- column:      player_minor | money | More to players
-- column:      currency | id | Currency
with line as (
    select unnest(from_json($input::json -> 'lines', '[{"table_id": "varchar", "gaming_day": "varchar", "clauses": ["varchar"], "currency": "varchar", "player_minor": "bigint"}]'), recursive := true)
)
select
    array_to_string(clauses, ' ') as clauses,
    count(*) as wagers,
    sum(player_minor)::bigint as player_minor,
    currency
from line
where gaming_day::date between $from::date and $to::date
    and $table in ('', table_id)
group by all
order by abs(sum(player_minor)) desc, clauses, currency

-- section:     By player
-- empty:       There is nobody to list.
-- chart:       player_id player_minor
-- column:      player_id | id | Player
-- column:      wagers | count | Wagers
-- column:      rounds | count | Rounds
-- column:      player_minor | money | More to players
-- column:      currency | id | Currency
with line as (
    select unnest(from_json($input::json -> 'lines', '[{"table_id": "varchar", "gaming_day": "varchar", "round_id": "varchar", "player_id": "varchar", "currency": "varchar", "player_minor": "bigint"}]'), recursive := true)
)
select
    player_id,
    count(*) as wagers,
    count(distinct (table_id, round_id)) as rounds,
    sum(player_minor)::bigint as player_minor,
    currency
from line
where gaming_day::date between $from::date and $to::date
    and $table in ('', table_id)
group by player_id, currency
order by player_minor desc, player_id, currency

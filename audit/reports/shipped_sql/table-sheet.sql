-- report:      table-sheet
-- title:       Table sheet
-- description: What a table did on the gaming day: when it opened and closed, its tray, what was staked and won, who dealt, and what was settled otherwise than due.
-- shows:       Fills, credits and the drop are not in the record, so the win is that of the settled wagers and not that of a count. The win by the rules is what the table would have won had every wager been settled as due. One day is short: a hold far from the usual may be luck.

-- section:     Tables
-- empty:       No table was open.
-- chart:       table_id won
-- column:      table_id | id | Table
-- column:      gaming_day | day | Gaming day
-- column:      rounds | count | Rounds
-- column:      wagers | count | Wagers
-- column:      staked | money | Staked
-- column:      won | money | Table won
-- column:      due | money | By the rules
-- column:      hold | decimal | Hold, %
-- column:      currency | id | Currency
-- under:       opened_at | time | Opened
-- under:       closed_at | time | Closed
-- under:       games | list | Games
-- under:       dealers | list | Dealers
-- under:       inspectors | list | Inspectors
with played as (
    select
        table_id,
        gaming_day,
        currency,
        count(*) as wagers,
        sum(stake)::bigint as staked,
        -sum(seen_net)::bigint as won,
        -sum(due_net)::bigint as due
    from wager_results
    group by all
),
people as (
    select
        table_id,
        gaming_day,
        list(distinct game order by game) as games,
        list(distinct dealer_id order by dealer_id) filter (where dealer_id is not null) as dealers,
        list(distinct inspector_id order by inspector_id) filter (where inspector_id is not null) as inspectors
    from rounds
    group by all
)
select
    day.table_id,
    day.gaming_day,
    day.rounds,
    coalesce(played.wagers, 0) as wagers,
    played.staked,
    played.won,
    played.due,
    if(played.staked > 0, (10000 * played.won) // played.staked * 0.01::decimal(3, 2), null) as hold,
    played.currency,
    day.opened_at,
    day.closed_at,
    people.games,
    people.dealers,
    people.inspectors
from table_days as day
left join played using (table_id, gaming_day)
left join people using (table_id, gaming_day)
where day.gaming_day between $from::date and $to::date
    and $table in ('', day.table_id)
order by day.table_id, day.gaming_day, played.currency

-- section:     Wagers by bet
-- empty:       No wager was placed.
-- column:      table_id | id | Table
-- column:      kind | label:bet | Bet
-- column:      wagers | count | Wagers
-- column:      staked | money | Staked
-- column:      won | money | Table won
-- column:      due | money | By the rules
-- column:      currency | id | Currency
select
    table_id,
    game,
    kind,
    count(*) as wagers,
    sum(stake)::bigint as staked,
    -sum(seen_net)::bigint as won,
    -sum(due_net)::bigint as due,
    currency
from wager_results
where gaming_day between $from::date and $to::date
    and $table in ('', table_id)
group by table_id, game, kind, currency
order by table_id, staked desc, kind, game, currency

-- section:     Settled otherwise than due
-- empty:       Every settled wager that can be compared was settled as due.
-- column:      table_id | id | Table
-- column:      dealer_id | id | Dealer
-- column:      over | count | Too much to players
-- column:      over_minor | money | Amount
-- column:      short | count | Too little to players
-- column:      short_minor | money | Amount
-- column:      currency | id | Currency
select
    table_id,
    dealer_id,
    count(*) filter (where seen_net > due_net) as over,
    coalesce(sum(seen_net - due_net) filter (where seen_net > due_net), 0)::bigint as over_minor,
    count(*) filter (where seen_net < due_net) as short,
    coalesce(sum(due_net - seen_net) filter (where seen_net < due_net), 0)::bigint as short_minor,
    currency
from wager_results
where gaming_day between $from::date and $to::date
    and $table in ('', table_id)
    and seen_net <> due_net
group by table_id, dealer_id, currency
order by table_id, dealer_id nulls last, currency

-- section:     Counts of the tray
-- empty:       The tray was not counted.
-- column:      table_id | id | Table
-- column:      counted_at | time | Counted
-- column:      amount | money | In the tray
-- column:      moved | money | Since the count before
-- column:      gap | money | Unexplained
-- column:      currency | id | Currency
select
    counted.table_id,
    counted.counted_at,
    counted.amount,
    counted.amount - lag(counted.amount) over (
        partition by counted.table_id, counted.gaming_day order by counted.seq
    ) as moved,
    gap.gap,
    (
        select arg_max(terms.currency, terms.seq)
        from terms
        where terms.table_id = counted.table_id
            and terms.gaming_day = counted.gaming_day
    ) as currency
from tray_counts as counted
left join tray_gaps as gap using (event_id)
where counted.gaming_day between $from::date and $to::date
    and $table in ('', counted.table_id)
order by counted.table_id, counted.seq, counted.event_id

-- report:      dealers
-- title:       Dealer quality
-- description: What each dealer dealt and settled, how often otherwise than due, in whose favour, how fast, and what was reported meanwhile.
-- shows:       A round counts to the dealer who was on duty when it opened. Few wagers say little: one error in a hundred wagers is ten in a thousand. An error is a difference between what was seen and what is due; a sensor may have caused it. Coaching is not in the record.

-- section:     Dealers
-- empty:       No round was dealt.
-- chart:       dealer_id per_thousand
-- column:      dealer_id | id | Dealer
-- column:      rounds | count | Rounds
-- column:      wagers | count | Wagers settled
-- column:      errors | count | Otherwise than due
-- column:      per_thousand | count | In a thousand
-- column:      over_minor | money | Too much to players
-- column:      short_minor | money | Too little to players
-- column:      median_s | count | Seconds a round
-- column:      currency | id | Currency
-- under:       tables | list | At tables
-- under:       games | list | Games
-- under:       irregularities | count | Irregularities reported
-- under:       flags | count | Flags of the rules
-- under:       findings | count | Findings
with dealt as (
    select *
    from rounds
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
pace as (
    select
        dealer_id,
        currency,
        count(*) as rounds,
        list(distinct table_id order by table_id) as tables,
        list(distinct game order by game) as games,
        quantile_disc(date_diff('second', opened_at, ended_at), 0.5) as median_s
    from dealt
    group by dealer_id, currency
),
settled as (
    select
        dealer_id,
        currency,
        count(seen_net) as wagers,
        count(*) filter (where seen_net <> due_net) as errors,
        coalesce(sum(seen_net - due_net) filter (where seen_net > due_net), 0)::bigint as over_minor,
        coalesce(sum(due_net - seen_net) filter (where seen_net < due_net), 0)::bigint as short_minor
    from wager_results
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by dealer_id, currency
),
told as (
    select
        dealt.dealer_id,
        dealt.currency,
        count(*) filter (where each.what = 'irregularity') as irregularities,
        count(*) filter (where each.what = 'flag') as flags,
        count(*) filter (where each.what = 'finding') as findings
    from dealt
    join (
        select table_id, round_id, 'irregularity' as what from irregularities
        union all
        select table_id, round_id, 'flag' from flags
        union all
        select table_id, round_id, 'finding' from findings where state <> 'gone'
    ) as each using (table_id, round_id)
    group by dealt.dealer_id, dealt.currency
)
select
    pace.dealer_id,
    pace.rounds,
    coalesce(settled.wagers, 0) as wagers,
    coalesce(settled.errors, 0) as errors,
    if(settled.wagers > 0, 1000 * settled.errors // settled.wagers, null) as per_thousand,
    settled.over_minor,
    settled.short_minor,
    pace.median_s,
    pace.currency,
    pace.tables,
    pace.games,
    coalesce(told.irregularities, 0) as irregularities,
    coalesce(told.flags, 0) as flags,
    coalesce(told.findings, 0) as findings
from pace
left join settled
    on settled.dealer_id is not distinct from pace.dealer_id
    and settled.currency is not distinct from pace.currency
left join told
    on told.dealer_id is not distinct from pace.dealer_id
    and told.currency is not distinct from pace.currency
order by pace.dealer_id nulls last, pace.currency

-- section:     Settled otherwise than due
-- empty:       Every settled wager that can be compared was settled as due.
-- column:      dealer_id | id | Dealer
-- column:      round_id | id | Round
-- column:      bet | label:bet | Bet
-- column:      stake | money | Stake
-- column:      due_net | money | Due to the player
-- column:      seen_net | money | Seen
-- column:      difference | money | Difference
-- column:      currency | id | Currency
select
    dealer_id,
    table_id,
    round_id,
    wager_id,
    game,
    bet,
    stake,
    due_net,
    seen_net,
    seen_net - due_net as difference,
    currency
from wager_results
where gaming_day between $from::date and $to::date
    and $table in ('', table_id)
    and seen_net <> due_net
order by dealer_id nulls last, table_id, round_id, wager_id

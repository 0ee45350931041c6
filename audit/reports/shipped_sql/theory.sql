-- report:      theory
-- title:       Theory against actual
-- description: What each bet brought the house, beside what it brings on the long run by the posted paytable and what the certificate allows.
-- shows:       A day or a month is short, and a difference is luck until the checks of chance say otherwise. The expectation is that of a fresh deal or spin: it does not know which cards were left in the shoe. Left out are wagers that no result decided, stakes that went back, and bets whose return depends on how the player plays.

-- section:     By game
-- empty:       No wager with a known return was decided.
-- column:      game | id | Game
-- column:      wagers | count | Wagers
-- column:      staked | money | Staked
-- column:      expected | money | House expected
-- column:      due | money | By the rules
-- column:      seen | money | House won
-- column:      currency | id | Currency
-- under:       certified | id | Certified return, %
with certified as (
    select
        game,
        edition,
        string_agg(
            lowest * 0.01::decimal(3, 2) || ' – ' || highest * 0.01::decimal(3, 2), ', '
            order by lowest, highest
        ) as certified
    from certificates
    group by game, edition
)
select
    result.game,
    count(*) as wagers,
    sum(result.stake)::bigint as staked,
    round(-sum(result.expected_net::decimal(38, 6)))::bigint as expected,
    -sum(result.due_net)::bigint as due,
    -sum(result.seen_net)::bigint as seen,
    result.currency,
    certified.certified
from wager_results as result
left join certified using (game, edition)
where result.decided
    and result.return_numerator is not null
    and result.gaming_day between $from::date and $to::date
    and $table in ('', result.table_id)
group by result.game, result.currency, certified.certified
order by result.game, result.currency, certified.certified

-- section:     House by the rules less what is expected, by bet
-- empty:       There is no bet to list.
-- chart:       game+kind luck
-- column:      game | id | Game
-- column:      kind | label:bet | Bet
-- column:      wagers | count | Wagers
-- column:      staked | money | Staked
-- column:      return_pct | decimal | Return, %
-- column:      expected | money | House expected
-- column:      due | money | By the rules
-- column:      luck | money | Difference
-- column:      currency | id | Currency
select
    game,
    kind,
    count(*) as wagers,
    sum(stake)::bigint as staked,
    if(
        count(distinct (return_numerator, return_denominator)) = 1,
        (
            (20000::hugeint * any_value(return_numerator) + any_value(return_denominator))
            // (2 * any_value(return_denominator)::hugeint)
        )::bigint * 0.01::decimal(3, 2),
        null
    ) as return_pct,
    round(-sum(expected_net::decimal(38, 6)))::bigint as expected,
    -sum(due_net)::bigint as due,
    due - expected as luck,
    currency
from wager_results
where decided
    and return_numerator is not null
    and gaming_day between $from::date and $to::date
    and $table in ('', table_id)
group by game, kind, currency
order by game, currency, abs(luck) desc, kind

-- section:     Without an expectation
-- empty:       Every wager was decided and has a known return.
-- column:      game | id | Game
-- column:      kind | label:bet | Bet
-- column:      why | word | Why
-- column:      wagers | count | Wagers
-- column:      staked | money | Staked
-- column:      currency | id | Currency
select
    game,
    kind,
    if(decided, 'the return depends on the play, or is not known', 'no result decided it, or the stake went back') as why,
    count(*) as wagers,
    sum(stake)::bigint as staked,
    currency
from wager_results
where not (decided and return_numerator is not null)
    and gaming_day between $from::date and $to::date
    and $table in ('', table_id)
group by all
order by game, kind, why, currency

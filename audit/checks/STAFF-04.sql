-- check:     STAFF-04
-- title:     A dealer makes more small errors in thirty days than a dealer should
-- severity:  S3
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       Errors below the smallest stake on the sign are waved through one by one. Many of them by
--            one dealer are a habit, and a habit is worth stopping or asking about.
-- benign:    A new dealer, or a game that is new to the house.
-- budget:    A dealer who errs once in 1,000 rounds reaches the bound by chance once in a hundred million
--            windows of thirty days; told on two gaming days at least. One who errs in four rounds of
--            1,000 is told after about 7,000 rounds.
-- unseen:    Errors that the record does not show, and errors above the smallest stake: those are told
--            one by one (PAY-01 to PAY-10).

with
smallest as (
    select table_id, gaming_day, min(minimum) as minimum
    from limits
    where minimum > 0
    group by all
),
errors as (
    select round.dealer_id, round.gaming_day, round.table_id, error.round_id, error.wager_id,
        error.evidence, error.house_minor, error.player_minor
    from mispaid as error
    join rounds as round using (table_id, round_id)
    join smallest as sign on sign.table_id = round.table_id and sign.gaming_day = round.gaming_day
    where round.dealer_id is not null
        and error.house_minor + error.player_minor < sign.minimum
),
erring as (
    select dealer_id
    from errors
    group by dealer_id
    having count(*) > 2 and count(distinct gaming_day) > 1
),
days as (
    select round.dealer_id, round.gaming_day, count(*) as rounds
    from rounds as round
    semi join erring using (dealer_id)
    group by all
),
windows as (
    select
        last.dealer_id,
        last.gaming_day,
        (
            select sum(day.rounds)::bigint
            from days as day
            where day.dealer_id = last.dealer_id
                and day.gaming_day between last.gaming_day - 29 and last.gaming_day
        ) as rounds
    from days as last
),
first_beyond as (
    select
        last.dealer_id,
        last.gaming_day,
        last.rounds,
        count(*) as errors,
        arg_min(error.table_id, (error.gaming_day, error.table_id)) as table_id,
        flatten(list(error.evidence order by error.gaming_day, error.round_id, error.wager_id)) as evidence,
        sum(error.house_minor)::bigint as house_minor,
        sum(error.player_minor)::bigint as player_minor
    from windows as last
    join errors as error
        on error.dealer_id = last.dealer_id
        and error.gaming_day between last.gaming_day - 29 and last.gaming_day
    group by last.dealer_id, last.gaming_day, last.rounds
    having count(distinct error.gaming_day) > 1
        and count(*) >= beyond_chance(last.rounds * 1000)
    qualify row_number() over (partition by last.dealer_id order by last.gaming_day) = 1
)
select
    dealer_id as subject,
    table_id,
    null as round_id,
    false as certain,
    'fewer than ' || beyond_chance(rounds * 1000) || ' small errors in ' || counted(rounds, 'round') as expected,
    errors || ' in the thirty days to ' || gaming_day as found,
    evidence,
    house_minor,
    player_minor
from first_beyond
order by table_id, subject

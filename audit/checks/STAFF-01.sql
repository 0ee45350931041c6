-- check:     STAFF-01
-- title:     A dealer's errors favour one player
-- severity:  S1
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       Every dealer pays too much now and then, to whoever sits there. One whose overpayments
--            gather at one player, beyond that player's share of the wagers, is paying a friend.
-- benign:    A player whose bets are hard to pay, such as splits and commission, draws more errors.
-- budget:    One finding in a hundred of this check is chance, over all pairs together and however often
--            one looks (e-values, e-BH). Never told on one gaming day. A player with a fifth of the
--            dealer's wagers who gets every error is told after five of them where ten pairs are tried.
-- unseen:    A dealer with one player at the table: all errors fall on him by necessity. Errors that
--            nobody entered: they show in the tray (PAY-14).

with
overpaid as (
    select table_id, round_id, wager_id, evidence, house_minor
    from mispaid
    where house_minor > 0
),
errors as (
    select round.dealer_id, wager.player_id, round.table_id, round.gaming_day, round.round_id,
        wager.wager_id, error.evidence, error.house_minor
    from overpaid as error
    join rounds as round using (table_id, round_id)
    join wagers as wager using (table_id, round_id, wager_id)
    where round.dealer_id is not null
),
pairs as (
    select dealer_id, player_id
    from errors
    group by all
    having count(distinct gaming_day) > 1
),
handled as (
    select round.dealer_id, round.gaming_day, wager.player_id, error.house_minor is not null as wrong
    from (
        from rounds
        semi join (from errors semi join pairs using (dealer_id)) as error using (dealer_id, gaming_day)
    ) as round
    join wagers as wager using (table_id, round_id)
    left join errors as error using (table_id, round_id, wager_id)
),
days as (
    select
        pair.dealer_id,
        pair.player_id,
        wager.gaming_day,
        tallied(wager.player_id = pair.player_id, wager.wrong) as tally
    from pairs as pair
    join handled as wager using (dealer_id)
    group by all
),
gathered as (
    select
        dealer_id,
        player_id,
        list(tally order by gaming_day) as tallies,
        sum(tally.hits)::bigint as hits,
        sum(tally.marked)::bigint as marked,
        sum(tally.part)::bigint as part,
        sum(tally.whole)::bigint as whole
    from days
    group by all
),
weighed as (
    select
        *,
        leaning_evidence(tallies) as strength,
        row_number() over (order by leaning_evidence(tallies) desc, dealer_id, player_id) as place,
        count(*) over () as streams
    from gathered
),
told as (
    from weighed
    where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
)
select
    told.dealer_id || ' and ' || told.player_id as subject,
    arg_min(error.table_id, (error.gaming_day, error.table_id)) as table_id,
    null as round_id,
    false as certain,
    'overpayments that fall on players as their wagers do' as expected,
    told.hits || ' of ' || counted(told.marked, 'overpayment') || ' of ' || told.dealer_id || ' to '
        || told.player_id || ', who has ' || told.part || ' of ' || counted(told.whole, 'wager') || ', '
        || odds_against_chance(told.strength) as found,
    flatten(list(error.evidence order by error.gaming_day, error.round_id, error.wager_id)) as evidence,
    sum(error.house_minor)::bigint as house_minor
from told
join errors as error using (dealer_id, player_id)
group by told.dealer_id, told.player_id, told.hits, told.marked, told.part, told.whole, told.strength
order by table_id, subject

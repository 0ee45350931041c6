-- check:     IRR-13
-- title:     Rulings turn out well for one player again and again
-- severity:  S2
-- live:      no
-- clauses:   NN:7.1, TB:7.20, RO:8.4, TH:7.1, SA-SB:8.5, SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4, SA-BC:2.2.4,
--            SA-DT:4.2.3, SA-PD:6.3.3, SA-AB:1.2.4, SA-RO:7.3, SA-TP:9.2.3, SA-BJ:3.4.5
-- why:       A ruling that gives a lost stake back helps whoever lost, and that changes. Where it keeps
--            helping the same player more than those who sat beside him, somebody made it happen.
-- benign:    A player who bets against the others of the table loses when they win.
-- budget:    One finding in a hundred of this check is chance, over all players together and however
--            often one looks (e-values, e-BH). Never told on one gaming day. A player with a fifth of
--            the wagers in ruled rounds, who alone gains by them, is told after five where ten are tried.
-- unseen:    Rounds in which he is the only player; rulings that were made and not entered.

with
ruled as (
    select
        wager.player_id,
        wager.gaming_day,
        wager.table_id,
        wager.round_id,
        wager.event_id,
        (due.paid - due.collected - coalesce(due.reserve_taken, 0))
            - (without.paid - without.collected - coalesce(without.reserve_taken, 0)) as gain
    from unruled_dues as without
    join dues as due using (table_id, round_id, wager_id)
    join wagers as wager using (table_id, round_id, wager_id)
),
days as (
    select
        gained.player_id,
        wager.gaming_day,
        tallied(wager.player_id = gained.player_id, wager.gain > 0) as tally,
        sum(wager.gain) filter (wager.player_id = gained.player_id) as gain,
        min(wager.table_id) filter (wager.player_id = gained.player_id and wager.gain > 0) as table_id,
        list(wager.event_id order by wager.round_id, wager.event_id)
            filter (wager.player_id = gained.player_id and wager.gain > 0) as evidence
    from (select distinct player_id, table_id, gaming_day from ruled) as gained
    join ruled as wager
        on wager.table_id = gained.table_id
        and wager.gaming_day = gained.gaming_day
    group by gained.player_id, wager.gaming_day
),
gathered as (
    select
        player_id,
        list(tally order by gaming_day) as tallies,
        arg_min(table_id, gaming_day) filter (table_id is not null) as table_id,
        flatten(list(evidence order by gaming_day) filter (evidence is not null)) as evidence,
        sum(gain)::bigint as gain,
        sum(tally.hits)::bigint as hits,
        sum(tally.marked)::bigint as marked,
        sum(tally.part)::bigint as part,
        sum(tally.whole)::bigint as whole
    from days
    group by player_id
    having count(*) filter (tally.hits > 0) > 1
),
weighed as (
    select
        *,
        leaning_evidence(tallies) as strength,
        row_number() over (order by leaning_evidence(tallies) desc, player_id) as place,
        count(*) over () as streams
    from gathered
)
select
    player_id as subject,
    table_id,
    null as round_id,
    false as certain,
    'rulings that help this player as often as the others of the table' as expected,
    hits || ' of ' || counted(marked, 'wager') || ' that a ruling helped, with ' || part || ' of '
        || counted(whole, 'wager') || ' in ruled rounds, together ' || format('{:,}', gain) || ', '
        || odds_against_chance(strength) as found,
    evidence,
    greatest(gain, 0) as house_minor
from weighed
where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
order by table_id, subject

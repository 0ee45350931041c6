-- check:     BET-04
-- title:     A player takes chips off wagers that lose, and leaves those that win
-- severity:  S2
-- live:      no
-- clauses:   NN:4.7, TB:4.6, RO:4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.1,
--            SA-DT:4.2.1, SA-PD:6.3.1, TH:4.9, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1, SA-BJ:3.4.1
-- why:       Chips that shrink after the call only where the wager loses are taken away by somebody
--            who saw the result (the Savannah move). A single fall is BET-02; this is the habit.
-- benign:    A sensor that reads low while the dealer collects: then all losers of the table shrink,
--            whoever they belong to.
-- budget:    One finding in a hundred of this check is chance, over all players together and however
--            often one looks (e-values, e-BH). Never told on one gaming day. A player who does it on
--            losing wagers alone, half of all, is told after 8 times, after 12 where ten are tried.
-- unseen:    Tables without a chip sensor; chips taken off before the sensor reads them once; a player
--            who comes under another name.

with
fallen as (
    select table_id, round_id, wager_id, list(event_id order by seq, event_id) as evidence
    from late_readings
    where change < 0
    group by all
),
suspected as (
    select wager.player_id
    from (from wagers semi join fallen using (table_id, round_id, wager_id)) as wager
    group by wager.player_id
    having count(distinct wager.gaming_day) > 1
),
staked as (
    from wagers
    semi join suspected using (player_id)
),
decided as (
    select
        wager.player_id,
        wager.gaming_day,
        wager.table_id,
        due.outcome not in ('win', 'push') as lost,
        fall.evidence
    from staked as wager
    join (from dues semi join staked using (table_id, round_id, wager_id)) as due
        using (table_id, round_id, wager_id)
    left join fallen as fall using (table_id, round_id, wager_id)
    where due.outcome in ('win', 'push', 'lose', 'half_loss', 'lose_original')
),
days as (
    select
        player_id,
        gaming_day,
        tallied(lost, evidence is not null) as tally,
        min(table_id) filter (evidence is not null) as table_id,
        flatten(list(evidence order by evidence) filter (evidence is not null)) as evidence
    from decided
    group by all
),
gathered as (
    select
        player_id,
        list(tally order by gaming_day) as tallies,
        arg_min(table_id, gaming_day) filter (table_id is not null) as table_id,
        flatten(list(evidence order by gaming_day) filter (evidence is not null)) as evidence,
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
    'chips that fall after the call as often on wagers that win' as expected,
    hits || ' of ' || counted(marked, 'late fall') || ' on losing wagers, which were ' || part || ' of '
        || counted(whole, 'wager') || ', ' || odds_against_chance(strength) as found,
    evidence
from weighed
where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
order by table_id, subject

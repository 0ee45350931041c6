-- check:     BET-18
-- title:     Late bets come again and again from one player, or are let through by one dealer
-- severity:  S2
-- live:      no
-- clauses:   NN:4.7, TB:4.6, RO:4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.1,
--            SA-DT:4.2.1, SA-PD:6.3.1, TH:4.9, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1, SA-BJ:3.4.1
-- why:       A late bet happens to everybody. One who bets late more often than the others at the
--            same game on the same day does it on purpose, and a dealer who has more of them looks away.
-- benign:    A seat far from the layout; a dealer whose call cannot be heard there; a beginner.
-- budget:    One finding in a hundred of this check is chance, over all players and dealers together
--            and however often one looks (e-values, e-BH). Never told on one gaming day. A player with
--            a twentieth of the turns who makes all late bets is told after three where ten are tried.
-- unseen:    A player or a dealer who is alone at the game that day: there is nobody to compare with.

with
risen as (
    select table_id, round_id, wager_id, list(event_id order by seq, event_id) as evidence
    from late_readings
    where change > 0
    group by all
),
late as (
    select
        wager.table_id,
        wager.round_id,
        wager.player_id,
        flatten(list(coalesce(rise.evidence, [wager.event_id]) order by wager.wager_id)) as evidence
    from (
        from wagers
        where late
            or late_changes > 0
            or (table_id, round_id, wager_id) in (select (table_id, round_id, wager_id) from risen)
    ) as wager
    left join risen as rise using (table_id, round_id, wager_id)
    group by all
),
late_rounds as (
    select late.player_id, round.game, round.gaming_day, round.dealer_id
    from rounds as round
    join late using (table_id, round_id)
),
-- whoever has late bets on two days
suspected as (
    select player_id
    from late_rounds
    group by player_id
    having count(distinct gaming_day) > 1
    union all
    select dealer_id
    from late_rounds
    where dealer_id is not null
    group by dealer_id
    having count(distinct gaming_day) > 1
),
-- the days and games that have a late bet, if anybody is suspected; of the others nothing can be learnt
touched as (
    select distinct game, gaming_day
    from late_rounds
    where exists (from suspected)
),
seats as (
    select distinct 'player' as role, wager.player_id as who, wager.table_id, wager.round_id,
        round.game, round.gaming_day
    from wagers as wager
    join (from rounds semi join touched using (game, gaming_day)) as round using (table_id, round_id)
    union all
    select 'dealer', dealer_id, table_id, round_id, game, gaming_day
    from rounds
    semi join touched using (game, gaming_day)
    where dealer_id is not null
),
marked_seats as (
    select seat.*, coalesce(own.evidence, shift.evidence) as evidence
    from seats as seat
    left join late as own
        on seat.role = 'player'
        and own.table_id = seat.table_id
        and own.round_id = seat.round_id
        and own.player_id = seat.who
    left join (
        select table_id, round_id, flatten(list(evidence order by evidence)) as evidence
        from late
        group by all
    ) as shift
        on seat.role = 'dealer'
        and shift.table_id = seat.table_id
        and shift.round_id = seat.round_id
),
shares as (
    select
        role,
        who,
        game,
        gaming_day,
        count(*) as part,
        count(evidence) as hits,
        min(table_id) filter (evidence is not null) as table_id,
        flatten(list(evidence order by evidence) filter (evidence is not null)) as evidence
    from marked_seats
    group by all
),
days as (
    select
        role,
        who,
        gaming_day,
        table_id,
        evidence,
        {
            'whole': (sum(part) over same_day)::bigint,
            'part': part,
            'marked': (sum(hits) over same_day)::bigint,
            'hits': hits
        } as tally
    from shares
    window same_day as (partition by role, game, gaming_day)
),
gathered as (
    select
        role,
        who,
        list(tally order by gaming_day, tally) as tallies,
        arg_min(table_id, gaming_day) filter (table_id is not null) as table_id,
        flatten(list(evidence order by gaming_day, evidence) filter (evidence is not null)) as evidence,
        sum(tally.hits)::bigint as hits,
        sum(tally.marked)::bigint as marked,
        sum(tally.part)::bigint as part,
        sum(tally.whole)::bigint as whole
    from days
    group by role, who
    having count(distinct gaming_day) filter (tally.hits > 0) > 1
),
weighed as (
    select
        *,
        leaning_evidence(tallies) as strength,
        row_number() over (order by leaning_evidence(tallies) desc, role, who) as place,
        count(*) over () as streams
    from gathered
)
select
    role || ' ' || who as subject,
    table_id,
    null as round_id,
    false as certain,
    'late bets no more often than others at the same game have them' as expected,
    hits || ' of ' || counted(marked, 'late bet') || ' in ' || part || ' of ' || whole
        || case role when 'player' then ' turns' else ' rounds' end || ', '
        || odds_against_chance(strength) as found,
    list_sort(list_distinct(evidence)) as evidence
from weighed
where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
order by table_id, subject

-- check:     STAFF-05
-- title:     One manager's rulings move money more often than others'
-- severity:  S3
-- live:      no
-- clauses:   NN:7.1, TB:7.20, RO:8.4, TH:7.1, SA-SB:8.5, SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4, SA-BC:2.2.4,
--            SA-DT:4.2.3, SA-PD:6.3.3, SA-AB:1.2.4, SA-RO:7.3, SA-TP:9.2.3, SA-BJ:3.4.5
-- why:       Most rulings leave what the cards owe as it is. Whoever overrides it more often than the
--            others who rule at the same game has another view of the rules, or of a player.
-- benign:    The hard cases are kept for the most senior manager.
-- budget:    One finding in a hundred of this check is chance, over all who rule together and however
--            often one looks (e-values, e-BH). Never told on one gaming day. Who makes half of the
--            rulings and all overrides is told after 8 of them, after 12 where ten are tried.
-- unseen:    A manager who rules alone at a game that day; which player gains is IRR-13.

with
moved as (
    select distinct without.table_id, without.round_id
    from unruled_dues as without
    join dues as due using (table_id, round_id, wager_id)
    where due.paid - due.collected - coalesce(due.reserve_taken, 0)
        <> without.paid - without.collected - coalesce(without.reserve_taken, 0)
),
made as (
    select ruling.person_id, ruling.event_id, ruling.table_id, round.game, round.gaming_day,
        moved.round_id is not null as moves
    from rulings as ruling
    join rounds as round using (table_id, round_id)
    left join moved using (table_id, round_id)
    where ruling.person_id <> ''
),
shares as (
    select
        person_id,
        game,
        gaming_day,
        count(*) as part,
        count(*) filter (moves) as hits,
        min(table_id) as table_id,
        list(event_id order by event_id) filter (moves) as evidence
    from made
    group by all
),
days as (
    select
        person_id,
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
    window same_day as (partition by game, gaming_day)
),
gathered as (
    select
        person_id,
        list(tally order by gaming_day, tally) as tallies,
        arg_min(table_id, (gaming_day, table_id)) filter (tally.hits > 0) as table_id,
        flatten(list(evidence order by gaming_day, evidence) filter (evidence is not null)) as evidence,
        sum(tally.hits)::bigint as hits,
        sum(tally.marked)::bigint as marked,
        sum(tally.part)::bigint as part,
        sum(tally.whole)::bigint as whole
    from days
    group by person_id
    having count(distinct gaming_day) filter (tally.hits > 0) > 1
),
weighed as (
    select
        *,
        leaning_evidence(tallies) as strength,
        row_number() over (order by leaning_evidence(tallies) desc, person_id) as place,
        count(*) over () as streams
    from gathered
)
select
    person_id as subject,
    table_id,
    null as round_id,
    false as certain,
    'rulings that move money as often as those of others at the game' as expected,
    hits || ' of ' || counted(marked, 'ruling') || ' that moved money, of ' || part || ' of '
        || counted(whole, 'ruling') || ' made, ' || odds_against_chance(strength) as found,
    evidence
from weighed
where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
order by table_id, subject

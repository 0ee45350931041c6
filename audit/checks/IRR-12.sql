-- check:     IRR-12
-- title:     Irregularities gather at one dealer or one table
-- severity:  S3
-- live:      no
-- clauses:   NN:7.1, TB:7.20, RO:8.4, TH:7.1, SA-SB:8.5, SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4, SA-BC:2.2.4,
--            SA-DT:4.2.3, SA-PD:6.3.3, SA-AB:1.2.4, SA-RO:7.3, SA-TP:9.2.3, SA-BJ:3.4.5
-- why:       Exposed cards, wrong deals and no spins happen to everybody at about the same rate. More of
--            them at one place call for training, for another device, or for a look at who gains.
-- benign:    A new dealer; a shoe or wheel that is worn; an inspector who reports what others let pass.
-- budget:    One finding in a hundred of this check is chance, over all dealers and tables together and
--            however often one looks (e-values, e-BH). Never told on one gaming day. A dealer with a
--            tenth of the rounds and half of the irregularities is told after eight of his own where
--            ten are tried.
-- unseen:    What nobody reported; a game that one dealer deals alone at one table that day.

with
reported as (
    select table_id, round_id, list(event_id order by seq, event_id) as evidence
    from irregularities
    where round_id is not null
    group by all
),
touched as (
    select distinct round.game, round.gaming_day
    from rounds as round
    semi join reported using (table_id, round_id)
),
dealt as (
    select round.game, round.gaming_day, round.table_id, round.dealer_id, report.evidence
    from (from rounds semi join touched using (game, gaming_day)) as round
    left join reported as report using (table_id, round_id)
),
shares as (
    select
        case when grouping(dealer_id) = 0 then 'dealer' else 'table' end as role,
        case when grouping(dealer_id) = 0 then dealer_id else table_id end as who,
        game,
        gaming_day,
        count(*) as part,
        count(evidence) as hits,
        min(table_id) as table_id,
        flatten(list(evidence order by evidence) filter (evidence is not null)) as evidence
    from dealt
    group by grouping sets ((game, gaming_day, dealer_id), (game, gaming_day, table_id))
    having role = 'table' or dealer_id is not null
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
        arg_min(table_id, (gaming_day, table_id)) filter (tally.hits > 0) as table_id,
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
    'irregularities as often as at the other ' || role || 's of the game' as expected,
    hits || ' of ' || counted(marked, 'round') || ' with an irregularity, in ' || part || ' of '
        || counted(whole, 'round') || ', ' || odds_against_chance(strength) as found,
    evidence
from weighed
where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
order by table_id, subject

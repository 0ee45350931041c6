-- check:     STAFF-02
-- title:     Errors gather where no inspector is on duty
-- severity:  S3
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       An inspector stops errors before they are paid. Where a table errs more without one, the
--            cut in cover costs more than it saves, or somebody waits for it.
-- benign:    Tables go without an inspector at the hours when tired dealers work.
-- budget:    One finding in a hundred of this check is chance, over all tables together and however often
--            one looks (e-values, e-BH). Never told on one gaming day. A table that has its inspector
--            half of the time and errs only without one is told after 8 errors, 12 where ten are tried.
-- unseen:    An inspector who is signed on and away; a table that never has one, or always.

with
wrong as (
    select table_id, round_id, flatten(list(evidence order by wager_id)) as evidence,
        sum(house_minor)::bigint as house_minor, sum(player_minor)::bigint as player_minor
    from mispaid
    group by all
),
bare as (
    select table_id
    from rounds
    semi join wrong using (table_id, round_id)
    where inspector_id is null
    group by table_id
    having count(distinct gaming_day) > 1
),
days as (
    select
        round.table_id,
        round.gaming_day,
        tallied(round.inspector_id is null, error.round_id is not null) as tally,
        flatten(list(error.evidence order by round.opened_seq)
            filter (error.round_id is not null and round.inspector_id is null)) as evidence,
        sum(error.house_minor) filter (round.inspector_id is null) as house_minor,
        sum(error.player_minor) filter (round.inspector_id is null) as player_minor
    from (from rounds semi join bare using (table_id)) as round
    left join wrong as error using (table_id, round_id)
    group by all
),
gathered as (
    select
        table_id,
        list(tally order by gaming_day) as tallies,
        flatten(list(evidence order by gaming_day) filter (evidence is not null)) as evidence,
        sum(house_minor)::bigint as house_minor,
        sum(player_minor)::bigint as player_minor,
        sum(tally.hits)::bigint as hits,
        sum(tally.marked)::bigint as marked,
        sum(tally.part)::bigint as part,
        sum(tally.whole)::bigint as whole
    from days
    group by table_id
),
weighed as (
    select
        *,
        leaning_evidence(tallies) as strength,
        row_number() over (order by leaning_evidence(tallies) desc, table_id) as place,
        count(*) over () as streams
    from gathered
)
select
    'no inspector' as subject,
    table_id,
    null as round_id,
    false as certain,
    'errors as often with an inspector as without' as expected,
    hits || ' of ' || counted(marked, 'round') || ' with an error had no inspector, as ' || part || ' of '
        || counted(whole, 'round') || ' had, ' || odds_against_chance(strength) as found,
    evidence,
    house_minor,
    player_minor
from weighed
where place <= (select max(place) from weighed where strength >= discovery_bar(streams, place))
order by table_id, subject

-- check:     DEAL-13
-- title:     A dealer's pace leaves its own band
-- severity:  S4
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       A dealer keeps a pace of his own. One who is suddenly far slower or faster for days is ill,
--            is hurried by somebody, or does something besides dealing.
-- benign:    Full tables in a busy week; another device; another way of dealing that was ordered.
-- budget:    A day is outside where its median round lies further from the dealer's middle day than
--            five times his usual distance; three of eight days or more are told. Where days scatter
--            by a twentieth, like a bell curve, that is one dealer in 160 over thirty days.
-- unseen:    Dealers with fewer than eight days of a quarter of an hour or more at the game; a pace that
--            was never another one.

with
paced as (
    select
        dealer_id,
        game,
        gaming_day,
        min(table_id) as table_id,
        min(opened_seq) as opened_seq,
        quantile_disc(epoch_ms(ended_at) - epoch_ms(opened_at), 0.5) as pace_ms
    from rounds
    where dealer_id is not null
        and ended_at > opened_at
        and gaming_day is not null
    group by all
    having sum(epoch_ms(ended_at) - epoch_ms(opened_at)) >= 15 * 60 * 1000
),
middles as (
    select dealer_id, game, quantile_disc(pace_ms, 0.5) as middle_ms, count(*) as days
    from paced
    group by all
    having count(*) >= 8
),
bands as (
    select
        middle.dealer_id,
        middle.game,
        middle.middle_ms,
        middle.days,
        -- nobody is as even as a clock: a tenth of the pace is no distance
        greatest(5 * quantile_disc(abs(day.pace_ms - middle.middle_ms), 0.5), middle.middle_ms // 10) as reach_ms
    from middles as middle
    join paced as day using (dealer_id, game)
    group by middle.dealer_id, middle.game, middle.middle_ms, middle.days
),
outside as (
    select day.*, band.middle_ms, band.reach_ms, band.days
    from bands as band
    join paced as day using (dealer_id, game)
    where abs(day.pace_ms - band.middle_ms) > band.reach_ms
    qualify count(*) over (partition by dealer_id, game) > 2
)
select
    day.dealer_id || ' ' || day.game as subject,
    arg_min(day.table_id, (day.gaming_day, day.table_id)) as table_id,
    null as round_id,
    false as certain,
    'a round in ' || format('{:.1f}', any_value(day.middle_ms) / 1000) || ' s, give or take '
        || format('{:.1f}', any_value(day.reach_ms) / 1000) || ' s' as expected,
    'on ' || count(*) || ' of ' || any_value(day.days) || ' gaming days '
        || string_agg(format('{:.1f}', day.pace_ms / 1000) || ' s', ', ' order by day.gaming_day) as found,
    list(opening.event_id order by day.gaming_day, opening.event_id) as evidence
from outside as day
join events as opening
    on opening.table_id = day.table_id
    and opening.gaming_day = day.gaming_day
    and opening.seq = day.opened_seq
    and opening.round_id is not null
group by day.dealer_id, day.game
order by table_id, subject

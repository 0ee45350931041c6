-- check:     DEAL-05
-- title:     The outcome could show before "no more bets", or without it
-- severity:  S2
-- live:      round
-- trigger:   early play
-- clauses:   NN:4.7, NN:4.8, TB:4.2, TB:4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-BC:2.2.1,
--            SA-DT:4.2.1, SA-PD:6.3.1, TH:4.7, TH:4.9, SA-AB:1.2.2, SA-AB:1.2.3, SA-TP:9.2.2,
--            SA-BJ:3.4.2, SA-RO:7.2.2, SA-XD:11.2.3, RO:4.6
-- why:       Whoever can still bet once the first card is out, the dice roll or the ball runs may
--            know more than the house.
-- benign:    The call was late by a breath and nobody touched a chip in between.

select
    'first play'                                                as subject,
    round.table_id,
    round.round_id,
    coalesce(
        latest(round.early_play_at, round.early_play_err_ms)
            < earliest(round.closed_at, round.closed_err_ms),
        false
    )                                                           as certain,
    case
        when round.closed_seq is null then 'no more bets is called before the outcome can be seen'
        else 'no card, shake or spin before no more bets at ' || clock(round.closed_at)
    end                                                         as expected,
    case
        when round.closed_seq is null then 'it was never called, and play began at '
        else 'play began at '
    end || clock(round.early_play_at)                           as found,
    list(event.event_id order by event.seq)                     as evidence
from rounds as round
join events as event
    on event.table_id = round.table_id
    and event.round_id = round.round_id
    and event.seq in (round.early_play_seq, round.closed_seq)
where round.early_play_seq is not null
    and round.status <> 'free_hand'
    and round.recorded_status is distinct from 'free_hand'
group by all
order by round.table_id, round.round_id

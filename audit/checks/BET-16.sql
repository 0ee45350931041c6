-- check:     BET-16
-- title:     A bet was taken outside the countdown
-- severity:  S1
-- mode:      live
-- clauses:   SA-SB:8.2, SA-SB:8.5, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.1, SA-DT:4.2.1,
--            SA-PD:6.3.1, SA-AB:1.2.1, SA-AB:1.2.2, SA-RO:7.2.2, SA-TP:9.2.1, SA-BJ:3.4.1,
--            SA-BJ:3.4.3
-- why:       After the countdown the dice roll or the bowl comes off. A bet taken then is refused and its
--            stake goes back; taking it at all invites a bet on what was seen.
-- benign:    The bet left the player in time and arrived late.

with
looks as (
    -- the last look at ball, dice or tokens before each late bet
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        max_by(event.occurred_at, event.seq) as seen_at,
        max_by(event.err_ms, event.seq) as seen_err_ms
    from wagers as wager
    join events as event
        on event.table_id = wager.table_id
        and event.round_id = wager.round_id
        and event.seq < wager.placed_seq
        and event.type in (
            'BallLanded', 'DollyPlaced', 'ShakerStopped', 'ShakerOpened', 'DiceObserved',
            'BowlRemoved', 'TokensRevealed', 'TokensObserved', 'ResultCalled'
        )
    where wager.late
    group by all
),
betting_over as (
    -- the close; before it the first card, or what let anybody see ball, dice or tokens
    select
        wager.*,
        round.game,
        case
            when wager.placed_seq > round.closed_seq then 'betting closed'
            when look.wager_id is not null then 'the outcome could be seen'
            else 'the first card'
        end as ending,
        case ending
            when 'the outcome could be seen' then look.seen_at
            when 'the first card' then round.first_play_at
            else round.closed_at
        end as over_at,
        case ending
            when 'the outcome could be seen' then look.seen_err_ms
            when 'the first card' then round.first_play_err_ms
            else round.closed_err_ms
        end as over_err_ms
    from wagers as wager
    join rounds as round using (table_id, round_id)
    left join looks as look using (table_id, round_id, wager_id)
),
after_close as (
    select
        table_id,
        round_id,
        wager_id,
        coalesce(earliest(placed_at, placed_err_ms) > latest(over_at, over_err_ms), false)
            as certain,
        'no bet after ' || ending || ' at ' || clock(over_at) as expected
    from betting_over
    where late
        and has_countdown(game)
),
before_it_opened as (
    select
        wager.table_id,
        wager.round_id,
        wager.wager_id,
        true as certain,
        'no bet before the countdown begins' as expected
    from raised as flag
    join wagers as wager
        on wager.table_id = flag.table_id
        and wager.round_id = flag.round_id
        and wager.wager_id = flag.subject
    where flag.code = 'LATE_BET'
        and has_countdown(flag.game)
        and not wager.late
        and coalesce(wager.late_changes, 0) = 0
)
select
    bet.wager_id                                                as subject,
    bet.table_id,
    bet.round_id,
    bet.certain,
    bet.expected,
    wager.bet || ' ' || money(wager.stake, round.currency) || ' placed at '
        || clock(wager.placed_at)                               as found,
    [wager.event_id]                                            as evidence,
    case wager.bet when 'insurance' then ['SA-BJ:3.4.3'] end    as clauses,
    wager.stake                                                 as house_minor
from (from after_close union all from before_it_opened) as bet
join wagers as wager using (table_id, round_id, wager_id)
join rounds as round using (table_id, round_id)
order by bet.table_id, bet.round_id, subject

-- check:     BET-16
-- title:     A bet was taken after the countdown
-- severity:  S1
-- mode:      live
-- clauses:   SA-SB:8.2, SA-SB:8.5, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2.1, SA-DT:4.2.1,
--            SA-PD:6.3.1
-- why:       After the countdown the dice roll or the bowl comes off. A bet taken then is refused and its
--            stake goes back; taking it at all invites a bet on what was seen.
-- benign:    The bet left the player in time and arrived late.

select
    wager.wager_id                                              as subject,
    wager.table_id,
    wager.round_id,
    coalesce(
        earliest(wager.placed_at, wager.placed_err_ms)
            > latest(round.closed_at, round.closed_err_ms),
        false
    )                                                           as certain,
    'no bet after betting closed at ' || clock(round.closed_at) as expected,
    wager.bet || ' ' || money(wager.stake, round.currency) || ' placed at '
        || clock(wager.placed_at)                               as found,
    [wager.event_id]                                            as evidence,
    wager.stake                                                 as house_minor
from wagers as wager
join rounds as round using (table_id, round_id)
where wager.late
    and has_countdown(round.game)
order by wager.table_id, wager.round_id, subject

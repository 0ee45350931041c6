"""What every game does around its bets: post the limits, close the betting, read the stakes."""

from replay.simulate.script import Script
from schemas import events as e


def close(script: Script) -> None:
    """No more bets; then the sensor says what lies on each place."""
    placed = [payload for _, payload in script.each(e.WagerPlaced)]
    script.say("console", e.BettingClosed(), 4_000, 9_000)
    for wager in placed:
        script.say("chips", e.StakeRead(wager.wager_id, wager.stake))


def limits(*rows: tuple[str, int, int]) -> tuple[e.Limit, ...]:
    """A limit sign: bets that share a minimum and a maximum, in one row."""
    return tuple(e.Limit(bet, low, high) for bets, low, high in rows for bet in bets.split())

"""What players do to their chips against the rules: hooks that the games share."""

from dataclasses import replace
from itertools import count

from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.script import Act
from schemas import events as e

# What lets anybody see an outcome.
SIGHTS = (e.CardDrawn, e.BallLanded, e.ShakerOpened, e.TokensRevealed)
JUST_AFTER_MS = 60  # too soon after the call for the two clocks to tell which came first


def two_stakes(round: FaultyRound) -> bool:
    """The sensor read two wagers at least; chips that moved are read again and count once."""
    return len({read.wager_id for _, read in round.script.each(e.StakeRead)}) > 1


def grow(round: FaultyRound) -> None:
    """Chips are added to a stake after no more bets."""
    last, read = _last_read(round)
    round.script.insert(last, "chips", _changed(read, read.amount))
    round.costs(read.wager_id, read.amount)


def grow_at_the_call(round: FaultyRound) -> None:
    """Chips are added so near to the call that the clocks cannot tell."""
    closed, _ = round.script.first(e.BettingClosed)
    act, read = round.script.first(e.StakeRead)
    round.subject = read.wager_id
    act.payload = replace(read, amount=2 * read.amount)
    round.script.insert(closed, "chips", _changed(read, read.amount), JUST_AFTER_MS)
    round.costs(read.wager_id, read.amount)


def shrink(round: FaultyRound) -> None:
    """Chips are taken off a stake after no more bets."""
    last, read = _last_read(round)
    round.script.insert(last, "chips", _changed(read, -(read.amount // 2)))
    round.costs(read.wager_id, read.amount // 2)


def move(round: FaultyRound) -> None:
    """Chips go from one place to another after no more bets."""
    last, to = _last_read(round)
    _, source = round.script.first(e.StakeRead)
    amount = source.amount // 2
    off = round.script.insert(last, "chips", _changed(source, -amount))
    round.script.insert(off, "chips", _changed(to, amount))
    round.costs(to.wager_id, amount)


def change_late(round: FaultyRound) -> None:
    """The console records a change of a wager after no more bets."""
    last, read = _last_read(round)
    round.script.insert(last, "console", e.WagerChanged(read.wager_id, stake=read.amount * 2))


def take_back(round: FaultyRound) -> None:
    """A player wants a wager back after betting was closed."""
    _, placed = round.script.first(e.WagerPlaced)
    round.subject = placed.wager_id
    round.script.say("console", e.WagerWithdrawn(placed.wager_id), 800, 1_500)


def bet_late(bet: str) -> Hook:
    """A wager is placed after no more bets."""

    def place(round: FaultyRound) -> None:
        last, _ = _last_read(round)
        limit = next(limit for limit in round.table.terms.limits if limit.bet == bet)
        placed = one_more(round, bet, limit.minimum)
        round.script.insert(last, "console", placed)
        round.costs(placed.wager_id, placed.stake)

    return place


def bet_on_sight(bet: str) -> Hook:
    """A wager is placed on an outcome that lies there, and betting is never closed."""

    def place(round: FaultyRound) -> None:
        never_close(round)
        shown = [act for act in round.script.acts if isinstance(act.payload, SIGHTS)]
        limit = next(limit for limit in round.table.terms.limits if limit.bet == bet)
        placed = one_more(round, bet, limit.minimum)
        round.script.insert(shown[-1], "console", placed)
        round.costs(placed.wager_id, placed.stake)

    return place


def never_close(round: FaultyRound) -> None:
    """Betting is never closed."""
    closed, _ = round.script.first(e.BettingClosed)
    round.script.drop(closed)


def bet_below(bet: str) -> Hook:
    """Somebody bets less than the sign allows."""
    return lambda round: _off_limits(round, bet, low=True)


def bet_above(bet: str) -> Hook:
    """Somebody bets more than the sign allows."""
    return lambda round: _off_limits(round, bet, low=False)


def bet_on(position: str) -> Hook:
    """Somebody bets on a place of this name."""

    def place(round: FaultyRound) -> None:
        one_more(round, position, round.table.terms.limits[0].minimum)

    return place


def late(bet: str) -> tuple[SeededFault, ...]:
    """What can be done to chips once a countdown is over, with a bet to place late."""
    return (
        SeededFault("BET-01", "chips are added late", disturb=grow),
        SeededFault("BET-02", "chips are taken off late", disturb=shrink),
        SeededFault("BET-03", "chips are moved late", needs=two_stakes, disturb=move),
        SeededFault("BET-03/changed", "a wager is changed late", disturb=change_late),
        SeededFault("BET-16", "a wager is placed late", disturb=bet_late(bet)),
    )


def unclosed(bet: str) -> tuple[SeededFault, ...]:
    """What can go wrong where the close or what shows the outcome ends betting, by one of its bets.

    A stake below the minimum stands here too: it is told and settled in full.
    """
    return (
        SeededFault("BET-05", "a wager below the minimum", bets=bet_below(bet)),
        SeededFault(
            "BET-16/sight",
            "a wager on what lies there, and no close",
            ("DEAL-05",),
            disturb=bet_on_sight(bet),
        ),
        SeededFault("DEAL-05/never", "betting is never closed", disturb=never_close),
    )


def one_more(round: FaultyRound, bet: str, stake: int, player: str = "") -> e.WagerPlaced:
    """One more wager, by somebody new unless a player is named; the fault is about it."""
    taken = {wager.wager_id for wager in round.wagers}
    names = (f"{round.script.round_id}-{n}" for n in count(len(taken) + 1))
    name = next(name for name in names if name not in taken)
    placed = e.WagerPlaced(name, player or round.table.party.guest(), bet, stake, "0")
    round.wagers.append(placed)
    round.subject = name
    return placed


def _last_read(round: FaultyRound) -> tuple[Act, e.StakeRead]:
    """The sensor's last reading, and the last one of a wager that lay there at no more bets."""
    reads = list(round.script.each(e.StakeRead))
    closed, _ = round.script.first(e.BettingClosed)
    before = round.script.acts[: round.script.acts.index(closed)]
    early = {event.payload.wager_id for event in before if isinstance(event.payload, e.WagerPlaced)}
    read = [read for _, read in reads if read.wager_id in early][-1]
    round.subject = read.wager_id
    return reads[-1][0], read


def _off_limits(round: FaultyRound, bet: str, low: bool) -> None:
    limit = next(limit for limit in round.table.terms.limits if limit.bet == bet)
    stake = limit.minimum // 2 if low else limit.maximum + limit.minimum
    one_more(round, bet, stake)


def _changed(read: e.StakeRead, change: int) -> e.StakeRead:
    return e.StakeRead(read.wager_id, read.amount + change, change)

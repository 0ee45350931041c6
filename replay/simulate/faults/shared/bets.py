"""What players do to their chips against the rules: hooks that the games share."""

from dataclasses import replace
from itertools import count

from replay.simulate.faults.fault import Fault, Hook, Scene
from replay.simulate.script import Act
from schemas import events as e

# What lets anybody see an outcome.
SIGHTS = (e.CardDrawn, e.BallLanded, e.ShakerOpened, e.TokensRevealed)
JUST_AFTER_MS = 60  # too soon after the call for the two clocks to tell which came first


def two_stakes(scene: Scene) -> bool:
    """The sensor read two wagers at least; chips that moved are read again and count once."""
    return len({read.wager_id for _, read in scene.script.each(e.StakeRead)}) > 1


def grow(scene: Scene) -> None:
    """Chips are added to a stake after no more bets."""
    last, read = _last_read(scene)
    scene.script.insert(last, "chips", _changed(read, read.amount))
    scene.costs(read.wager_id, read.amount)


def grow_at_the_call(scene: Scene) -> None:
    """Chips are added so near to the call that the clocks cannot tell."""
    closed, _ = scene.script.first(e.BettingClosed)
    act, read = scene.script.first(e.StakeRead)
    scene.subject = read.wager_id
    act.payload = replace(read, amount=2 * read.amount)
    scene.script.insert(closed, "chips", _changed(read, read.amount), JUST_AFTER_MS)
    scene.costs(read.wager_id, read.amount)


def shrink(scene: Scene) -> None:
    """Chips are taken off a stake after no more bets."""
    last, read = _last_read(scene)
    scene.script.insert(last, "chips", _changed(read, -(read.amount // 2)))
    scene.costs(read.wager_id, read.amount // 2)


def move(scene: Scene) -> None:
    """Chips go from one place to another after no more bets."""
    last, to = _last_read(scene)
    _, source = scene.script.first(e.StakeRead)
    amount = source.amount // 2
    off = scene.script.insert(last, "chips", _changed(source, -amount))
    scene.script.insert(off, "chips", _changed(to, amount))
    scene.costs(to.wager_id, amount)


def change_late(scene: Scene) -> None:
    """The console records a change of a wager after no more bets."""
    last, read = _last_read(scene)
    scene.script.insert(last, "console", e.WagerChanged(read.wager_id, stake=read.amount * 2))


def take_back(scene: Scene) -> None:
    """A player wants a wager back after betting was closed."""
    _, placed = scene.script.first(e.WagerPlaced)
    scene.subject = placed.wager_id
    scene.script.say("console", e.WagerWithdrawn(placed.wager_id), 800, 1_500)


def bet_late(bet: str) -> Hook:
    """A wager is placed after no more bets."""

    def place(scene: Scene) -> None:
        last, _ = _last_read(scene)
        limit = next(limit for limit in scene.table.terms.limits if limit.bet == bet)
        placed = one_more(scene, bet, limit.minimum)
        scene.script.insert(last, "console", placed)
        scene.costs(placed.wager_id, placed.stake)

    return place


def bet_on_sight(bet: str) -> Hook:
    """A wager is placed on an outcome that lies there, and betting is never closed."""

    def place(scene: Scene) -> None:
        never_close(scene)
        shown = [act for act in scene.script.acts if isinstance(act.payload, SIGHTS)]
        limit = next(limit for limit in scene.table.terms.limits if limit.bet == bet)
        placed = one_more(scene, bet, limit.minimum)
        scene.script.insert(shown[-1], "console", placed)
        scene.costs(placed.wager_id, placed.stake)

    return place


def never_close(scene: Scene) -> None:
    """Betting is never closed."""
    closed, _ = scene.script.first(e.BettingClosed)
    scene.script.drop(closed)


def bet_below(bet: str) -> Hook:
    """Somebody bets less than the sign allows."""
    return lambda scene: _off_limits(scene, bet, low=True)


def bet_above(bet: str) -> Hook:
    """Somebody bets more than the sign allows."""
    return lambda scene: _off_limits(scene, bet, low=False)


def bet_on(position: str) -> Hook:
    """Somebody bets on a place of this name."""

    def place(scene: Scene) -> None:
        one_more(scene, position, scene.table.terms.limits[0].minimum)

    return place


def late(bet: str) -> tuple[Fault, ...]:
    """What can be done to chips once a countdown is over, with a bet to place late."""
    return (
        Fault("BET-01", "chips are added late", disturb=grow),
        Fault("BET-02", "chips are taken off late", disturb=shrink),
        Fault("BET-03", "chips are moved late", needs=two_stakes, disturb=move),
        Fault("BET-03/changed", "a wager is changed late", disturb=change_late),
        Fault("BET-16", "a wager is placed late", disturb=bet_late(bet)),
    )


def unclosed(bet: str) -> tuple[Fault, ...]:
    """What can go wrong where the close or what shows the outcome ends betting, by one of its bets.

    A stake below the minimum stands here too: it is told and settled in full.
    """
    return (
        Fault("BET-05", "a wager below the minimum", bets=bet_below(bet)),
        Fault(
            "BET-16/sight",
            "a wager on what lies there, and no close",
            ("DEAL-05",),
            disturb=bet_on_sight(bet),
        ),
        Fault("DEAL-05/never", "betting is never closed", disturb=never_close),
    )


def one_more(scene: Scene, bet: str, stake: int, player: str = "") -> e.WagerPlaced:
    """One more wager, by somebody new unless a player is named; the fault is about it."""
    taken = {wager.wager_id for wager in scene.wagers}
    names = (f"{scene.script.round_id}-{n}" for n in count(len(taken) + 1))
    name = next(name for name in names if name not in taken)
    placed = e.WagerPlaced(name, player or scene.table.party.guest(), bet, stake, "0")
    scene.wagers.append(placed)
    scene.subject = name
    return placed


def _last_read(scene: Scene) -> tuple[Act, e.StakeRead]:
    """The sensor's last reading, and the last one of a wager that lay there at no more bets."""
    reads = list(scene.script.each(e.StakeRead))
    closed, _ = scene.script.first(e.BettingClosed)
    before = scene.script.acts[: scene.script.acts.index(closed)]
    early = {at.payload.wager_id for at in before if isinstance(at.payload, e.WagerPlaced)}
    read = [read for _, read in reads if read.wager_id in early][-1]
    scene.subject = read.wager_id
    return reads[-1][0], read


def _off_limits(scene: Scene, bet: str, low: bool) -> None:
    limit = next(limit for limit in scene.table.terms.limits if limit.bet == bet)
    stake = limit.minimum // 2 if low else limit.maximum + limit.minimum
    one_more(scene, bet, stake)


def _changed(read: e.StakeRead, change: int) -> e.StakeRead:
    return e.StakeRead(read.wager_id, read.amount + change, change)

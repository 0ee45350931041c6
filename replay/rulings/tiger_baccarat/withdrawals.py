"""Wagers taken back after no more bets: good only under a clause and, mostly, with leave."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from replay.rulings.section_seven import Remark, within
from replay.rulings.tiger_baccarat.cards import misplaced
from replay.rulings.tiger_baccarat.scene import Scene
from replay.wagers import Wager
from schemas import events as e
from schemas.ranks import at_least

# The clauses that let a player withdraw, and whose leave they ask for.
LEAVE: Mapping[str, str] = {
    "TB:7.9": "shift_manager",
    "TB:7.10.1": "shift_manager",
    "TB:7.10.2": "shift_manager",
    "TB:7.12": "shift_manager",
    "TB:7.13": "",  # each player's own right
}


class Withdrawn(NamedTuple):
    """Wagers that were taken back lawfully, with the clause, and those that were not."""

    good: Mapping[str, str]  # wager to clause
    refused: tuple[tuple[Wager, str], ...] = ()  # and why


def withdrawn(scene: Scene) -> Withdrawn:
    """What becomes of every withdrawal after no more bets."""
    good, refused = dict[str, str](), []
    for wager in scene.wagers:
        if wager.withdrawal:
            clause = _clause(scene, wager.withdrawal.clause)
            against = _against(scene, wager, clause)
            if against:
                refused.append((wager, against))
            else:
                good[wager.wager_id] = clause
    return Withdrawn(good, tuple(refused))


def remarks(found: Withdrawn) -> Iterator[Remark]:
    """The withdrawals that do not count; the wagers are still live."""
    if not found.refused:
        return
    wager, against = found.refused[0]
    assert wager.withdrawal
    text = "; ".join(f"wager {at.wager_id} stays live: {why}" for at, why in found.refused)
    clause = against if against in LEAVE else wager.withdrawal.clause
    evidence = tuple(at.withdrawal.event_id for at, _ in found.refused if at.withdrawal)
    anchor = clause if clause in LEAVE else "TB:4.6"
    yield Remark("WITHDRAWAL_NOT_ALLOWED", anchor, text, evidence)


def carried(scene: Scene) -> frozenset[str]:
    """The clauses of this round that let a player withdraw."""
    found = {clause for clause in LEAVE if any(within(at, clause) for at in scene.reports)}
    return frozenset(found | ({"TB:7.9"} if misplaced(scene.read) else set()))


def _clause(scene: Scene, named: str) -> str:
    """The clause of our list that a withdrawal names; 7.10 means whichever part applies."""
    if named == "TB:7.10":
        return next((at for at in ("TB:7.10.1", "TB:7.10.2") if at in scene.reports), named)
    return next((clause for clause in LEAVE if within(named, clause)), named)


def _against(scene: Scene, wager: Wager, clause: str) -> str:
    """Why a withdrawal does not count; empty where it does."""
    assert wager.withdrawal
    if clause not in LEAVE:
        return "no clause lets it be withdrawn"
    if clause not in carried(scene):
        return f"nothing happened that {clause} speaks of"
    if clause != "TB:7.10.1" and _after_the_call(scene, wager.withdrawal.event_id):
        return "the result had been called"
    minimum = LEAVE[clause]
    if minimum and not any(at_least(rank, minimum) for rank in _leave(scene, wager, clause)):
        return f"{clause} asks for the leave of a {minimum.replace('_', ' ')} or above"
    return ""


def _leave(scene: Scene, wager: Wager, clause: str) -> Iterator[str]:
    """The ranks that gave leave, with the withdrawal itself or by a ruling."""
    assert wager.withdrawal
    yield wager.withdrawal.leave_rank
    for _, made in scene.rulings_under("TB:7"):
        concerns = made.subject in ("", wager.wager_id, wager.player_id)
        allowed = made.decision == "allow_withdrawal" and _clause(scene, made.clause) == clause
        if allowed and concerns:
            yield made.rank


def _after_the_call(scene: Scene, event_id: str) -> bool:
    for event in scene.round.events:
        if event.event_id == event_id:
            return False
        if isinstance(event.payload, e.ResultCalled) and event.payload.shown_by == "dealer":
            return True
    return False

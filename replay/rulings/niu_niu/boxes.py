"""Wagers as they lie on the boxes: whose box, which bet, what goes back (4.5 to 4.7, 7.12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from replay.games.niu_niu import BETS, RESERVE, number
from replay.rounds import Round
from replay.wagers import Wager, at_close

Box = Mapping[str, Wager]  # the bets of one box


class Back(NamedTuple):
    """A wager that takes no part, and why."""

    wager: Wager
    clause: str
    codes: tuple[str, ...]  # of the round; EVEN_MISSING is one of the line


class Boxes(NamedTuple):
    """The boxes with a valid wager, and the wagers that go back whatever the cards say."""

    wagers: tuple[Wager, ...]  # all of them, in the order placed
    live: Mapping[str, Box]
    back: Mapping[str, Back]  # by wager
    split: tuple[str, ...] = ()  # boxes whose one Reserve was divided (issue reserve_accounts)


def boxes(round: Round) -> Boxes:
    """The wagers of a round, box by box."""
    placed = at_close(round.events, round.betting_end)
    owners = _owners(placed)
    laid: dict[str, dict[str, Wager]] = {}
    back: dict[str, Back] = {}
    for wager in placed:
        refused = _refused(wager, owners, laid.get(wager.box, {}))
        if refused:
            back[wager.wager_id] = refused
        else:
            laid.setdefault(wager.box, {})[wager.bet] = wager
    for box in laid.values():
        if "even" not in box:
            back |= {at.wager_id: _without_even(at, box) for at in box.values()}
    live = {name: box for name, box in laid.items() if "even" in box}
    divided = {name: _divided(box) for name, box in live.items()}
    split = tuple(name for name, box in live.items() if divided[name] != box)
    reserves = {at.wager_id: at for box in divided.values() for at in box.values()}
    wagers = tuple(reserves.get(at.wager_id, at) for at in placed)
    return Boxes(wagers, divided, back, split)


def _owners(placed: Sequence[Wager]) -> Mapping[str, str]:
    """Whose box each is: the first Even takes part, whatever chips lay there before (4.5.1)."""
    evens = [at for at in placed if at.bet == "even" and not at.late]
    return {at.box: at.player_id for at in reversed(evens)}


def _without_even(wager: Wager, box: Box) -> Back:
    """A wager on a box that nobody holds."""
    players = {at.player_id for at in box.values()}
    shared = ("BOX_SHARED",) if len(players) > 1 else ()
    return Back(wager, "NN:4.5.1", ("EVEN_MISSING", *shared))


def _refused(wager: Wager, owners: Mapping[str, str], box: Box) -> Back | None:
    """Why a wager may not lie where it lies; None where it may."""
    beside = ("SIDE_BET",) if wager.bet not in BETS or not number(wager.box) else ()
    if wager.late:
        return Back(wager, "NN:4.7", ("LATE_BET", *beside))
    if beside:
        return Back(wager, "NN:7.12", beside)
    if owners.get(wager.box, wager.player_id) != wager.player_id:
        return Back(wager, "NN:7.12", ("BOX_SHARED", "SIDE_BET"))
    if wager.bet in box:
        return Back(wager, "NN:4.5.4", ("BOX_SHARED",))
    return None


def _divided(box: Box) -> Box:
    """One Reserve of the whole box, recorded with Even, as the two accounts it is (NN:4.5.3)."""
    rest = box["even"].placed.reserve
    optional = [bet for bet in RESERVE if bet in box]
    if not rest or not optional or any(box[bet].placed.reserve for bet in optional):
        return box
    found = dict(box, even=_with_reserve(box["even"], 0))
    for bet in optional:
        share = rest if bet == optional[-1] else min(rest, RESERVE[bet] * box[bet].stake)
        found[bet], rest = _with_reserve(box[bet], share), rest - share
    return found


def _with_reserve(wager: Wager, reserve: int) -> Wager:
    return replace(wager, placed=replace(wager.placed, reserve=reserve))

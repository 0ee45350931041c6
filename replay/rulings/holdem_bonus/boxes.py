"""The betting boxes: which wagers count, and what each player did (TH:4.7 to 4.12, 5.6, 7.11)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from replay.games.holdem_bonus import BETS, NO_BOX, clockwise
from replay.ruled import Stand
from replay.wagers import Wager
from schemas import events as e

LATER = ("flop", "turn", "river")
DECISIONS = frozenset({"fold", "check", "absent", "show", "not_shown", *LATER})


class HoldemBox(NamedTuple):
    """One betting box with a valid Ante, and how its hand was played."""

    name: str
    player_id: str
    wagers: Mapping[str, Wager]  # bet to the wager that counts
    folded: bool = False
    absent: bool = False  # at the Flop decision (TH:7.11)
    shown: bool = True
    flop_missing: bool = False
    fold: str = ""  # id of the decision to fold; a hand may also count as folded without one
    fold_too_late: str = ""  # id of a fold after the Flop bet, which is none

    @property
    def live(self) -> bool:
        """Whether its hole cards are compared with the Dealer's."""
        return not self.folded and not self.absent

    @property
    def later(self) -> frozenset[str]:
        """The wagers its player made after seeing cards."""
        return frozenset(at.wager_id for bet, at in self.wagers.items() if bet in LATER)


class Seated(NamedTuple):
    """All boxes from the Dealer's left on, and the wagers that do not count."""

    boxes: Mapping[str, HoldemBox]
    aside: Mapping[str, Stand]  # wager to what becomes of it


def box_of(wager: Wager) -> str:
    """The box a wager lies on; a table that names none has one."""
    return wager.box or "1"


def off_the_layout(wager: Wager) -> bool:
    """Whether a wager is on no bet or on no box: where other cards lie nobody plays."""
    return wager.bet not in BETS or box_of(wager) in NO_BOX


def seated(
    events: Sequence[e.Event], wagers: Iterable[Wager], readings: Mapping[str, str]
) -> Seated:
    """The boxes as their players left them."""
    aside: dict[str, Stand] = {}
    counted: dict[str, dict[str, Wager]] = {}
    for wager in sorted(wagers, key=lambda at: at.bet != "ante"):
        box = counted.get(box_of(wager), {})
        stand = _refused(wager, box)
        if stand:
            aside[wager.wager_id] = stand
        else:
            counted[box_of(wager)] = {**box, wager.bet: wager}
    boxes = {}
    for name in clockwise(counted):
        boxes[name], late = _played(name, counted[name], _acts(name, counted, events), readings)
        aside.update(late)
    return Seated(boxes, aside)


def _refused(wager: Wager, box: Mapping[str, Wager]) -> Stand | None:
    """Why a wager does not count from the start; None where it does."""
    if off_the_layout(wager):
        return _back(wager, "TH:4.7.2")
    if wager.late:
        return _back(wager, "TH:4.9")
    if not box:
        return None if wager.bet == "ante" else _back(wager, "TH:4.7", "ANTE_MISSING")
    if wager.player_id != box["ante"].player_id:
        return _back(wager, "TH:4.7.1")
    if wager.bet in box:
        return _back(wager, "TH:4.7.2")
    return None


def _acts(
    name: str, counted: Mapping[str, Mapping[str, Wager]], events: Iterable[e.Event]
) -> Iterator[tuple[str, str]]:
    """What was done at a box, in order: a decision and its event, or a later bet and its wager."""
    own = {wager.wager_id: bet for bet, wager in counted[name].items()}
    player = counted[name]["ante"].player_id
    played = [box for box, held in counted.items() if held["ante"].player_id == player]
    for event in events:
        match event.payload:
            case e.WagerPlaced(wager_id=wager_id) if own.get(wager_id) in LATER:
                yield own[wager_id], wager_id
            case e.DecisionMade(box=box, player_id=who, decision=decision):
                own_box = box == name and who in ("", player)
                if own_box or (not box and who == player and played == [name]):
                    yield decision.lower(), event.event_id


def _played(
    name: str,
    wagers: Mapping[str, Wager],
    acts: Iterable[tuple[str, str]],
    readings: Mapping[str, str],
) -> tuple[HoldemBox, dict[str, Stand]]:
    """A box after its player's decisions, and the bets that came too late for them."""
    done: set[str] = set()
    late: dict[str, Stand] = {}
    fold = too_late = ""
    for act, name_or_id in acts:
        wager = wagers.get(act)
        if act in LATER and wager is not None and wager.wager_id == name_or_id:
            stand = _after(wager, done)
            if stand:
                late[wager.wager_id] = stand
            else:
                done.add(act)
        elif act == "fold" and "flop" in done:
            too_late = name_or_id
        elif act == "absent":
            done.add("absent" if done & {"flop", "fold"} else "absent at the flop")
        elif act in ("fold", "not_shown"):
            fold = fold or (name_or_id if act == "fold" else "")
            done.add(act)
    missing = not done & {"flop", "fold", "absent at the flop"}
    folded = missing and readings["flop_missing"] == "fold"
    if folded:  # a bet of a hand that counts as folded comes after its fold
        late |= {wagers[bet].wager_id: _after_fold(wagers[bet]) for bet in LATER if bet in wagers}
    kept = {bet: wager for bet, wager in wagers.items() if wager.wager_id not in late}
    return (
        HoldemBox(
            name,
            wagers["ante"].player_id,
            kept,
            folded="fold" in done or folded,
            absent="absent at the flop" in done,
            shown="not_shown" not in done,
            flop_missing=missing,
            fold=fold,
            fold_too_late=too_late,
        ),
        late,
    )


def _after(wager: Wager, done: set[str]) -> Stand | None:
    """A bet that a fold or an absence had ruled out."""
    if "fold" in done:
        return _after_fold(wager)
    if "absent at the flop" in done:
        return _back(wager, "TH:7.11", "BET_WHILE_ABSENT")
    return _back(wager, "TH:7.11.1", "BET_WHILE_ABSENT") if "absent" in done else None


def _after_fold(wager: Wager) -> Stand:
    return _back(wager, "TH:2.2.13", "BET_AFTER_FOLD")


def _back(wager: Wager, clause: str, *flags: str) -> Stand:
    return Stand(wager, Fraction(0), "returned", (clause,), flags)

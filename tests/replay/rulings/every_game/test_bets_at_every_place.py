"""A bet, a raise, a move or a withdrawal at every place of an honest round, in every game.

Before betting ends it counts. After that it counts for nothing, and a finding names it: be betting
closed as it should be, or ended by what shows the outcome where nobody closed it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from audit.checks.run import CheckFinding
from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.support.days_of_games import JudgedDay, NamedDay, judged

pytestmark = pytest.mark.slow

# What shows the outcome of a game first where nobody called no more bets. It stands here once more,
# so that a game cannot change its mind in silence.
CARDS = (e.CardDrawn, e.CardPlaced)
SHAKEN = (e.ShakerStopped, e.ShakerOpened, e.DiceObserved)
SHOWN: Mapping[str, tuple[type[e.Payload], ...]] = {
    **dict.fromkeys(("NN", "TB", "TH", "SA-BC", "SA-BJ", "SA-DT", "SA-PD", "SA-TP"), CARDS),
    "SA-AB": CARDS,  # but for the Game Card, which opens the betting
    **dict.fromkeys(("SA-SB", "SA-FPC", "SA-HL"), SHAKEN),
    **dict.fromkeys(("RO", "SA-RO"), (e.BallLanded,)),
    "SA-XD": (e.BowlRemoved, e.TokensRevealed, e.TokensObserved),
}
GAME_CARD = "game"
BOXED = ("NN", "TH", "SA-BJ", "SA-PD")  # a bet of another box cannot be moved to
NEAR, FAR = 5, 6  # every place about the end of betting, and one in so many further off


class Touched(NamedTuple):
    """An honest day with one thing done to a bet of one round."""

    act: str
    place: int
    in_time: bool
    wager_id: str
    readings: tuple[e.Reading, ...]
    event_id: str  # of what was done, without its table

    @property
    def table_id(self) -> str:
        """Its table in the house."""
        return f"{self.act.upper()}{self.place:04d}"


@pytest.mark.parametrize("called", [True, False], ids=["called", "never called"])
@pytest.mark.parametrize("code", days.CODES)
def test_a_bet_counts_until_betting_ends_and_is_told_from_then_on(code: str, called: bool) -> None:
    day = with_bets(code) if called else _never_called(code)
    touched = list(_touched(code, day))
    days_of_game = judged(_touched_when_called if called else _touched_when_not)[code]
    honest = _dues(house.derive(attacker.numbered(day)))
    wrong = [
        f"{at.act} at {at.place}: {why}"
        for at in touched
        if (why := _wrong(at, days_of_game[at.table_id], honest))
    ]

    assert {at.in_time for at in touched} == {True, False}
    assert wrong == []


def _never_called(code: str) -> tuple[e.Reading, ...]:
    return tuple(at for at in with_bets(code) if not isinstance(at.payload, e.BettingClosed))


def _touched_when_called(code: str) -> Iterator[NamedDay]:
    return ((at.table_id, at.readings) for at in _touched(code, with_bets(code)))


def _touched_when_not(code: str) -> Iterator[NamedDay]:
    return ((at.table_id, at.readings) for at in _touched(code, _never_called(code)))


def _wrong(at: Touched, day: JudgedDay, honest: Mapping[str, Any]) -> str:
    """What speaks against the judgement of a day; empty where nothing does."""
    dues, name, found = _dues(day.rows), at.wager_id, day.found
    due, before = dues.get(name), honest.get(name)
    if at.in_time:
        return "" if COUNTS[at.act](due, before) else f"it does not count: {due}"
    if at.act == "placed":
        moved = due is not None and (due["paid"] or due["collected"])
    else:
        moved = _money(due) != _money(before)
    if moved:
        return f"it counts: {due}"
    if not any(_names(one, at) for one in found):
        return f"nobody names it: {sorted({(one.check_id, one.subject) for one in found})}"
    return ""


def _names(finding: CheckFinding, at: Touched) -> bool:
    """Whether a finding is about the wager, or shows what was done to it."""
    act = f"{days.TABLE}/{at.event_id}"
    about = at.wager_id in finding.subject
    return (finding.check_id.startswith(("BET", "IRR")) and about) or act in finding.evidence


def _money(due: Any) -> Any:
    return due and tuple(due[name] for name in ("bet", "stake", "paid", "collected", "returned"))


# Whether what was done in time shows in what is due, by what was due without it.
COUNTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "placed": lambda due, _: due is not None,
    "raised": lambda due, before: due["stake"] != before["stake"],
    "moved": lambda due, before: due["bet"] != before["bet"],
    "withdrawn": lambda due, _: due is None,
}


def _touched(code: str, day: Sequence[e.Reading]) -> Iterator[Touched]:
    """The day with each act at each place of its second round."""
    name = day_round(day)
    inside = [n for n, at in enumerate(day) if at.round_id == name]
    first = next(n for n in inside if isinstance(day[n].payload, e.WagerPlaced))
    bet = day[first].payload
    assert isinstance(bet, e.WagerPlaced)
    closed = [n for n in inside if isinstance(day[n].payload, e.BettingClosed)]
    shown = [n for n in range(inside[0], inside[-1] + 1) if _shows(code, day[n].payload)]
    end = (closed or shown)[0]
    acts: Mapping[str, e.Payload] = {
        "placed": replace(bet, wager_id=f"{name}-90"),
        "raised": e.WagerChanged(bet.wager_id, stake=3 * bet.stake),
        "withdrawn": e.WagerWithdrawn(bet.wager_id),
    }
    said = (day[n].payload for n in inside)
    others = (at.bet for at in said if isinstance(at, e.WagerPlaced) and at.bet != bet.bet)
    other = next(others, None)
    if other is not None and code not in BOXED:
        acts = {**acts, "moved": e.WagerChanged(bet.wager_id, bet=other)}
    for place in range(first + 1, inside[-1] + 2):
        if abs(place - end) > NEAR and place % FAR:
            continue
        for act, payload in acts.items():
            wager_id = f"{name}-90" if act == "placed" else bet.wager_id
            readings = _put(day, place, replace(day[first], payload=payload))
            own = f"{readings[place].device_id}/{readings[place].device_seq}"
            yield Touched(act, place, place <= end, wager_id, tuple(readings), own)


def _put(day: Sequence[e.Reading], place: int, reading: e.Reading) -> list[e.Reading]:
    """The day with one more reading, at a time between its neighbours'."""
    before = day[place - 1].received_at or 0
    after = (day[place].received_at or 0) if place < len(day) else before
    received = (before + after) // 2
    put = replace(reading, received_at=received, occurred_at=received - 20_000)
    return attacker.numbered([*day[:place], put, *day[place:]])


def _shows(code: str, payload: e.Payload) -> bool:
    opens = isinstance(payload, CARDS) and payload.hand == GAME_CARD
    return isinstance(payload, SHOWN[code]) and not opens


def with_bets(code: str) -> tuple[e.Reading, ...]:
    """An honest day whose second round is settled as it should be."""
    for n in range(20):
        day = days.honest(code, f"every place/{n}").readings
        name = day_round(day)
        said = [at.payload for at in day if at.round_id == name]
        bets = sum(isinstance(at, e.WagerPlaced) for at in said)
        closed = any(isinstance(at, e.BettingClosed) for at in said)
        if bets > 1 and closed and e.RoundClosed("settled") in said:
            return day
    raise AssertionError(f"no round of {code} to bet in")


def day_round(day: Sequence[e.Reading]) -> str:
    """The second round of a day."""
    return list(dict.fromkeys(at.round_id for at in day if at.round_id))[1]


def _dues(rows: Rows) -> dict[str, Mapping[str, Any]]:
    return {str(due["wager_id"]): due for due in attacker.named("dues", rows)}

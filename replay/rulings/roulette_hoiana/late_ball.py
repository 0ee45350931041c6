"""Hoiana Roulette: a ball spun after its round was closed, which decides nothing of it.

Rulebook RO, clause 2.2: a spin lasts until every winner is paid, and another spin is another
round's (rule issue no_spin_void).
"""

from collections.abc import Iterable, Iterator, Sequence

from replay.games import roulette_hoiana as game
from replay.ruled import Flag, Step
from replay.rulings.roulette_hoiana import marks as numbers
from replay.rulings.shared import after_close
from replay.sentence import say
from schemas import events as e

SPIN = (
    e.BallReleased, e.BallTracked, e.SpinDisturbed, e.BallLanded, e.DollyPlaced, e.ResultCalled,
)  # fmt: skip
TEXT = say("RO.ball_after_close")


def spun(events: Sequence[e.Event]) -> tuple[e.Event, ...]:
    """The words of a spin that began after the close; late words of the round's own are none."""
    late = after_close.ids(events)
    words = [event for event in events if isinstance(event.payload, SPIN)]
    begun = any(at.event_id not in late for at in words)
    found: list[e.Event] = []
    for event in words:
        again = isinstance(event.payload, e.BallReleased) or not begun
        if event.event_id in late and (found or again):
            found.append(event)
    return tuple(found)


def flags(late: Sequence[e.Event], pocket: int | None, told: Iterable[Flag]) -> Iterator[Flag]:
    """That a ball was spun, and a number that was entered for it and is not the round's."""
    if not late:
        return
    yield Flag("SPIN_AFTER_CLOSE", "RO:2.2", "2.2", TEXT)
    wrong = [mark for mark in numbers.read(game.read(late)) if mark.number != str(pocket)]
    if all(flag.code != "RESULT_MISMATCH" for flag in told):
        yield from numbers.mismatch(pocket, wrong)


def steps(late: Sequence[e.Event]) -> Iterator[Step]:
    """The same as a step, with the words of that spin."""
    if late:
        yield Step(TEXT, ("RO:2.2",), tuple(at.event_id for at in late))

"""Hoiana Roulette: whose ball a word is of, and when the spin is over.

Rulebook RO, clauses 2.2, 7.2 and 7.9.1. A ball is spun again only after a no spin; where one is all
the same, each ball has its own revolutions and the first that came to rest decides (RO:4.10).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.games.roulette_hoiana import Spin, SpinWord, Word
from replay.ruled import Flag, Step
from replay.rulings.roulette_hoiana import marks as numbers
from replay.rulings.roulette_hoiana.phase import Payments, paid
from replay.sentence import Sentence, say
from schemas import events as e

OF_A_BALL = ("released", "tracked", "disturbed", "landed", "marked", "called")


class Balls(NamedTuple):
    """The balls of one round in the order spun, and the one that decides."""

    all: tuple[Spin, ...]
    deciding: Spin

    @property
    def before(self) -> tuple[Spin, ...]:
        """Those spun before it, none of which came to rest."""
        return self.all[: self.all.index(self.deciding)]

    def with_deciding(self, ball: Spin) -> "Balls":
        """The same balls, with other readings of the one that decides."""
        known = tuple(ball if at == self.deciding else at for at in self.all)
        return Balls(known, ball)


def own(spin: Spin) -> Spin:
    """The round's own spin: a ball released after a call is spun for another round (RO:7.10)."""
    called = spin.no_spins[0].seq if spin.no_spins else None
    again = (at.seq for at in spin.released if called is not None and at.seq > called)
    end = next(again, None)
    if end is None or not any(at.seq < end for at in spin.released):
        return spin
    return _between(spin, 0, end)


def read(spin: Spin) -> Balls:
    """The balls of a spin; a release sent again before anything else was seen is one release."""
    starts = [at.seq for at in _releases(spin)][1:]
    bounds = [0, *starts]
    ends: list[int | None] = [*starts, None]
    found = tuple(_between(spin, start, end) for start, end in zip(bounds, ends, strict=True))
    return Balls(found, next((ball for ball in found if fell(ball)), found[-1]))


def fell(spin: Spin) -> bool:
    """Whether the ball came to rest: the sensor says so, or the dealer does and no floater was."""
    floated = any(at.word.kind == "floater" for at in spin.disturbed)
    return bool(spin.landed) or (bool(numbers.read(spin)) and not floated)


def flags(balls: Balls, late: Sequence[Step]) -> Iterator[Flag]:
    """RO:7.9.1. A ball is spun again after a no spin, and nobody called one."""
    if len(balls.all) > 1:
        note = say("RO.balls_spun", n=len(balls.all))
        yield Flag("SECOND_BALL", "RO:7.9.1", "7.9.1", note)
    elif late:
        yield Flag("SECOND_BALL", "RO:7.9.1", "7.9.1", late[0].text)


def steps(balls: Balls) -> Iterator[Step]:
    """The balls that nobody announced, and which of them decides."""
    if len(balls.all) > 1:
        which = balls.all.index(balls.deciding) + 1
        text = say("RO.ball_decides", n=len(balls.all), which=which)
        evidence = tuple(at.event_id for ball in balls.all for at in ball.released)
        yield Step(text, ("RO:7.9.1", "RO:4.10"), evidence)


def over(spin: Spin, payments: Payments, pocket: int | None) -> SpinWord[e.Payload] | None:
    """What ended the spin: the last winner was paid, or the round closed (RO:2.2).

    Where nobody won it is over once the dealer marked the number.
    """
    ends: list[SpinWord[e.Payload]] = [*spin.ended[:1]]
    marks: list[SpinWord[e.Payload]] = [*spin.marked]
    marks += [at for at in spin.called if numbers.by_dealer(at.word)]
    marks.sort(key=_place)
    winners = [] if pocket is None else paid(payments, pocket)
    if winners and all(at is not None for at in winners):
        ends.append(max((at for at in winners if at), key=_place))
    elif pocket is not None and not winners:
        ends += marks[:1]
    return min(ends, key=_place, default=None)


def first_rest(spin: Spin) -> Spin:
    """The spin by the first pocket that the wheel read, whatever it read later."""
    kept = tuple(at for at in spin.landed if at.word == spin.landed[0].word)
    return spin._replace(landed=kept)


def in_time(spin: Spin, end: SpinWord[e.Payload] | None) -> tuple[Spin, tuple[Step, ...]]:
    """The spin without what disturbed it after its end, and those disturbances as steps."""
    if end is None:
        return spin, ()
    late = tuple(at for at in spin.disturbed if at.after(end))
    kept = tuple(at for at in spin.disturbed if at not in late)
    return spin._replace(disturbed=kept), tuple(map(_too_late, late))


def of_another(spin: Spin, end: SpinWord[e.Payload] | None) -> tuple[Spin, tuple[Step, ...]]:
    """The spin without what the wheel read of another ball, and those readings as steps.

    Once the spin is over (RO:2.2) a pocket or a count that differs from the one on record is of a
    ball that nobody announced. The only one on record may come late and counts.
    """
    if end is None:
        return spin, ()
    landed = tuple(_differing(spin.landed, end))
    tracked = tuple(_differing(spin.tracked, end))
    own = spin._replace(
        landed=tuple(at for at in spin.landed if at not in landed),
        tracked=tuple(at for at in spin.tracked if at not in tracked),
    )
    steps = [_other_ball(at, say("RO.other_pocket", pocket=str(at.word.pocket))) for at in landed]
    steps += [_other_ball(at, say("RO.other_count", n=at.word.revolutions)) for at in tracked]
    return own, tuple(steps)


def _differing(
    words: Sequence[SpinWord[Word]], end: SpinWord[e.Payload]
) -> Iterator[SpinWord[Word]]:
    known = [at.word for at in words if not at.after(end)]
    yield from (at for at in words if known and at.after(end) and at.word not in known)


def _other_ball(at: SpinWord[e.Payload], text: Sentence) -> Step:
    return Step(text, ("RO:2.2", "RO:7.9.1"), (at.event_id,))


def _place(at: SpinWord[e.Payload]) -> int:
    return at.seq


def _too_late(at: SpinWord[e.SpinDisturbed]) -> Step:
    text = say("RO.disturbed_too_late", kind=at.word.kind)
    return Step(text, ("RO:2.2",), (at.event_id,))


def _releases(spin: Spin) -> Sequence[SpinWord[e.BallReleased]]:
    found: list[SpinWord[e.BallReleased]] = []
    words: list[SpinWord[e.Payload]] = [
        *spin.tracked, *spin.disturbed, *spin.landed, *spin.marked, *spin.called,
    ]  # fmt: skip
    for at in spin.released:
        last = found[-1] if found else None
        nothing_since = last and not any(last.seq < word.seq < at.seq for word in words)
        if not (last and nothing_since and last.word == at.word):
            found.append(at)
    return found


def _between(spin: Spin, start: int, end: int | None) -> Spin:
    kept = {
        name: tuple(
            at for at in getattr(spin, name) if start <= at.seq and (end is None or at.seq < end)
        )
        for name in OF_A_BALL
    }
    return spin._replace(**kept)

"""Roulette of SA Gaming: the attempts of a round as they were seen, and the bets there are.

Rulebook SA-RO, report SAB.SAES.1001.01, game 7; what becomes of a round is said in
replay/rulings/roulette_sa. The wheel (SA-RO:7.1) and the layout (SA-RO:7.4) are the common
ones; a racetrack bet (SA-RO:7.5) is the layout bets it consists of.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from replay.games.shared import ball_counts, called_number
from replay.games.shared.roulette_layout import COVERS, facts, shown, told
from replay.games.shared.roulette_racetrack import RACE, RacetrackPiece, chips
from replay.play_events import BALL_AND_WHEEL
from replay.sentence import Sentence, say
from schemas import events as e

PLAYED_WITH = BALL_AND_WHEEL

__all__ = [
    "SHOWING",
    "UNNAMED",
    "ZERO_BETS",
    "Attempt",
    "conditions",
    "facts",
    "legal",
    "pieces",
    "read",
    "said",
    "shown",
    "told",
    "whole_chips",
]

REVOLUTIONS = 5  # SA-RO:7.3.b
ZERO_BETS = frozenset({"split:0-2", "trio:0-1-2", "first_four:0-1-2-3"})  # rule issue zero_bets

# What is seen of a disturbance, and which of SA-RO:7.3 it is.
DISTURBANCES = {"ball_out": "a", "malfunction": "e", "wheel_stopped": "f"}
UNNAMED = {"foreign_object": "e", "interference": "e"}  # rule issue malfunction
KINDS = (*DISTURBANCES, "floater", *UNNAMED)  # every word for a disturbance
NOTHING_WON = frozenset({"void", "respin", "re-spin", "no spin", "no_spin"})

UNPRICED = ("race",)  # the one kind of bet that no paytable names


@dataclass(frozen=True, slots=True)
class Attempt:
    """One spin of the ball as wheel and dealer saw it."""

    index: int  # from 0
    seq: int  # place of its first word in the table's order; the ball's where anybody saw it
    released: e.BallReleased | None = None
    reports: tuple[int, ...] = ()  # what the wheel reported of its revolutions
    disturbed: tuple[str, ...] = ()  # what disturbed it before it was over
    too_late: tuple[str, ...] = ()  # what was seen after that
    landed: bool = False
    pockets: tuple[int, ...] = ()  # every pocket the wheel read, each once
    others: tuple[int, ...] = ()  # pockets of another ball, read when this spin was over
    confirmed: tuple[str, ...] = ()  # the numbers the dealer confirmed, in order
    called_off: str = ""  # the reason given for spinning again
    evidence: tuple[str, ...] = ()  # event ids

    @property
    def seen(self) -> bool:
        """Whether the wheel noticed the attempt at all."""
        return bool(self.released or self.disturbed or self.landed or self.reports)

    @property
    def spun(self) -> bool:
        """Whether the wheel saw a ball; a disturbance may come before it."""
        return bool(self.released or self.landed or self.reports)

    @property
    def counts(self) -> tuple[int, ...]:
        """Its revolutions: one count, or several that contradict each other."""
        return ball_counts.standing(self.reports)

    @property
    def doubtful(self) -> bool:
        """Whether its counts differ on what SA-RO:7.3.b asks."""
        return len(self.counts) > 1 and self.counts[0] < REVOLUTIONS <= self.counts[-1]


def read(events: Iterable[e.Event]) -> tuple[Attempt, ...]:
    """The attempts of a round; a number confirmed without any counts as one nobody saw.

    A release begins an attempt. Where none was seen, the count that follows a counted landing does.
    """
    attempts: list[Attempt] = []
    over: int | None = None  # since when the last attempt is over
    for event in events:
        word = event.payload
        if attempts and over is None and _ends(attempts[-1], word):
            over = event.occurred_at
        if not isinstance(word, WORDS):
            continue
        if isinstance(word, e.ResultCalled) and (
            word.shown_by != "dealer" or not said(word.result)
        ):
            continue
        if not attempts or _begins(attempts[-1], word):
            attempts.append(Attempt(len(attempts), event.seq))
            over = None
        known = attempts[-1]
        late = over is not None and event.occurred_at >= over
        now = replace(_with(known, word, late=late), evidence=(*known.evidence, event.event_id))
        attempts[-1] = replace(now, seq=event.seq) if now.spun and not known.spun else now
    return tuple(attempts)


def conditions(attempt: Attempt, *, over: bool, malfunction: str) -> Iterator[tuple[str, Sentence]]:
    """Each clause of SA-RO:7.3 that asks for a re-spin, and what was seen; in their order."""
    known = DISTURBANCES | (UNNAMED if malfunction == "any_disturbance" else {})
    seen = {known[kind]: kind for kind in attempt.disturbed if kind in known}
    found = {clause: say("SA-RO.disturbed", kind=kind) for clause, kind in seen.items()}
    rested = attempt.landed or over
    if rested and attempt.counts and attempt.counts[-1] < REVOLUTIONS:
        found["b"] = say("SA-RO.few_revolutions", n=attempt.counts[-1], needed=REVOLUTIONS)
    if over and attempt.seen and not attempt.landed:
        found["c"] = say("SA-RO.never_landed")
    way = attempt.released
    if way and way.ball_direction == way.wheel_direction:
        found["d"] = say("SA-RO.same_direction", direction=way.ball_direction)
    yield from sorted((f"SA-RO:7.3.{clause}", what) for clause, what in found.items())


def legal(position: str, zero_bets: str = "offered") -> bool:
    """Whether the layout or the racetrack has the position (SA-RO:7.4, SA-RO:7.5)."""
    if zero_bets == "not_offered" and position in ZERO_BETS:
        return False
    return position in COVERS or position in RACE


def whole_chips(position: str, stake: int) -> bool:
    """Whether a stake can be laid: each chip of a racetrack bet has the same whole value."""
    return position not in RACE or stake % chips(position) == 0


def pieces(position: str) -> tuple[RacetrackPiece, ...]:
    """The layout bets of a racetrack bet; none where it is a layout bet itself (SA-RO:7.5)."""
    return RACE.get(position, ())


def said(result: str) -> str:
    """A confirmed result as one word: `17` of `17 black`; empty where it says that none was."""
    return called_number.said(result, NOTHING_WON)


def _ends(attempt: Attempt, word: e.Payload) -> bool:
    """Whether a spin is over: its number confirmed, a wager settled on it, or the round closed."""
    match word:
        case e.DollyPlaced() | e.RoundClosed():
            return True
        case e.ResultCalled(result=result, shown_by="dealer"):
            return bool(said(result))
        case e.WagerSettled(paid=paid, collected=collected):
            return attempt.landed and bool(paid or collected)
    return False


def _begins(last: Attempt, word: e.Payload) -> bool:
    match word:
        case e.BallReleased():
            nothing_since = not (last.disturbed or last.landed or last.reports or last.confirmed)
            sent_again = last.released == word and nothing_since
            return bool(last.called_off) or (last.seen and not sent_again)
        case e.BallTracked(revolutions=count):
            return last.landed and bool(last.reports) and count not in last.reports
    return False


def _with(attempt: Attempt, word: e.Payload, *, late: bool) -> Attempt:
    match word:
        case e.BallReleased():
            return replace(attempt, released=word)
        case e.BallTracked(revolutions=count):
            return replace(attempt, reports=(*attempt.reports, count))
        case e.SpinDisturbed(kind=kind):
            return _disturbed(attempt, kind, late=late)
        case e.BallLanded(pocket=int() as pocket) if late and _of_another(attempt, pocket):
            return replace(attempt, others=(*attempt.others, pocket))
        case e.BallLanded(pocket=pocket):
            known = attempt.pockets if pocket is None else (*attempt.pockets, pocket)
            return replace(attempt, landed=True, pockets=tuple(dict.fromkeys(known)))
        case e.DollyPlaced(number=number):
            return replace(attempt, confirmed=(*attempt.confirmed, str(number)))
        case e.ResultCalled(result=result):
            return replace(attempt, confirmed=(*attempt.confirmed, said(result)))
        case e.NoSpinCalled(reason=reason):
            return replace(attempt, called_off=reason)
    raise AssertionError(f"{type(word).__name__} is no word of a spin")


def _of_another(attempt: Attempt, pocket: int) -> bool:
    """Whether a pocket read when the spin was over differs from the one on record."""
    return bool(attempt.pockets) and pocket not in attempt.pockets


def _disturbed(attempt: Attempt, kind: str, *, late: bool) -> Attempt:
    """A disturbance counts until the spin is over; a wheel may stop once the ball lies."""
    if late:
        return replace(attempt, too_late=(*attempt.too_late, kind))
    if kind == "wheel_stopped" and attempt.landed:
        return attempt
    return replace(attempt, disturbed=(*attempt.disturbed, kind))


SHOWING = (e.BallLanded, e.DollyPlaced, e.ResultCalled)  # what lets anybody see the pocket
WORDS = (
    e.BallReleased,
    e.BallTracked,
    e.SpinDisturbed,
    e.BallLanded,
    e.DollyPlaced,
    e.ResultCalled,
    e.NoSpinCalled,
)

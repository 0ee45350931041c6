"""Roulette of SA Gaming: the attempts of a round as they were seen, and the bets there are.

Rulebook SA-RO, report SAB.SAES.1001.01, game 7; what becomes of a round is said in
replay/rulings/roulette_sa.py. The wheel (SA-RO:7.1) and the layout (SA-RO:7.4) are the common
ones; a racetrack bet (SA-RO:7.5) is the layout bets it consists of.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from replay.games.roulette_layout import COVERS, facts, shown
from replay.games.roulette_racetrack import RACE, Piece, chips
from schemas import events as e

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
    "whole_chips",
]

REVOLUTIONS = 5  # SA-RO:7.3.b
ZERO_BETS = frozenset({"split:0-2", "trio:0-1-2", "first_four:0-1-2-3"})  # rule issue zero_bets

# What is seen of a disturbance, and which of SA-RO:7.3 it is.
DISTURBANCES = {"ball_out": "a", "malfunction": "e", "wheel_stopped": "f"}
UNNAMED = {"foreign_object": "e", "interference": "e"}  # rule issue malfunction
KINDS = (*DISTURBANCES, "floater", *UNNAMED)  # every word for a disturbance
CHANCES = {chance: COVERS[chance] for chance in ("red", "black", "odd", "even", "low", "high")}
CHANCES |= {"green": frozenset({0})}
NOTHING_WON = frozenset({"void", "respin", "re-spin", "no spin", "no_spin"})

UNPRICED = ("race",)  # the one kind of bet that no paytable names


@dataclass(frozen=True, slots=True)
class Attempt:
    """One spin of the ball as wheel and dealer saw it."""

    index: int  # from 0
    seq: int  # place of its first word in the table's order
    released: e.BallReleased | None = None
    revolutions: int | None = None
    disturbed: tuple[str, ...] = ()  # what disturbed it before its result was confirmed
    landed: bool = False
    pockets: tuple[int, ...] = ()  # every pocket the wheel read, each once
    confirmed: tuple[str, ...] = ()  # the numbers the dealer confirmed, in order
    called_off: str = ""  # the reason given for spinning again
    evidence: tuple[str, ...] = ()  # event ids

    @property
    def seen(self) -> bool:
        """Whether the wheel noticed the attempt at all."""
        return bool(self.released or self.disturbed or self.landed) or self.revolutions is not None


def read(events: Iterable[e.Event]) -> tuple[Attempt, ...]:
    """The attempts of a round; a number confirmed without any counts as one nobody saw.

    A release begins an attempt. Where none was seen, the count that follows a counted landing does.
    """
    attempts: list[Attempt] = []
    for event in events:
        word = event.payload
        if not isinstance(word, WORDS):
            continue
        if isinstance(word, e.ResultCalled) and (
            word.shown_by != "dealer" or not said(word.result)
        ):
            continue
        if not attempts or _begins(attempts[-1], word):
            attempts.append(Attempt(len(attempts), event.seq))
        known = attempts[-1]
        attempts[-1] = replace(_with(known, word), evidence=(*known.evidence, event.event_id))
    return tuple(attempts)


def conditions(attempt: Attempt, *, over: bool, malfunction: str) -> Iterator[tuple[str, str]]:
    """Each clause of SA-RO:7.3 that asks for a re-spin, and what was seen; in their order."""
    known = DISTURBANCES | (UNNAMED if malfunction == "any_disturbance" else {})
    noted = {known[kind]: kind.replace("_", " ") for kind in attempt.disturbed if kind in known}
    found = {clause: f"{what} seen" for clause, what in noted.items()}
    rested = attempt.landed or over
    if rested and attempt.revolutions is not None and attempt.revolutions < REVOLUTIONS:
        found["b"] = f"{attempt.revolutions} revolutions, {REVOLUTIONS} are needed"
    if over and attempt.seen and not attempt.landed:
        found["c"] = "the ball was not seen to land"
    way = attempt.released
    if way and way.ball_direction == way.wheel_direction:
        found["d"] = f"ball and wheel both went {way.ball_direction}"
    yield from sorted((f"SA-RO:7.3.{clause}", what) for clause, what in found.items())


def legal(position: str, zero_bets: str = "offered") -> bool:
    """Whether the layout or the racetrack has the position (SA-RO:7.4, SA-RO:7.5)."""
    if zero_bets == "not_offered" and position in ZERO_BETS:
        return False
    return position in COVERS or position in RACE


def whole_chips(position: str, stake: int) -> bool:
    """Whether a stake can be laid: each chip of a racetrack bet has the same whole value."""
    return position not in RACE or stake % chips(position) == 0


def pieces(position: str) -> tuple[Piece, ...]:
    """The layout bets of a racetrack bet; none where it is a layout bet itself (SA-RO:7.5)."""
    return RACE.get(position, ())


def said(result: str) -> str:
    """A confirmed result as one word: `17` of `17 black`; empty where it says that none was.

    A number beside what it is not, such as `17 red` or `17 16`, stays as it is and names no pocket.
    """
    text = result.strip().lower()
    if text in NOTHING_WON:
        return ""
    first, *others = text.split() or [""]
    number = {"zero": "0"}.get(first, first)
    if not (number.isascii() and number.isdigit()):
        return text
    wrong = any(int(number) not in CHANCES[word] for word in others if word in CHANCES)
    wrong = wrong or any(word.isdigit() for word in others)
    return text if wrong else str(int(number))


def _begins(last: Attempt, word: e.Payload) -> bool:
    match word:
        case e.BallReleased():
            return last.seen or bool(last.called_off)
        case e.BallTracked():
            return last.landed and last.revolutions is not None
    return False


def _with(attempt: Attempt, word: e.Payload) -> Attempt:
    match word:
        case e.BallReleased():
            return replace(attempt, released=word)
        case e.BallTracked(revolutions=count):
            # A sensor may report while it counts; a spin is as long as its last count.
            return replace(attempt, revolutions=max(count, attempt.revolutions or 0))
        case e.SpinDisturbed(kind=kind):
            return _disturbed(attempt, kind)
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


def _disturbed(attempt: Attempt, kind: str) -> Attempt:
    """A disturbance counts until the result is confirmed; a wheel may stop once the ball lies."""
    if attempt.confirmed or (kind == "wheel_stopped" and attempt.landed):
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

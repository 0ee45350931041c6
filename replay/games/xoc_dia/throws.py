"""Xoc Dia: the throws of a round, each from its shaking to what was seen on the plate.

A throw ends when the bowl came off, something fell while shaking or after it, or a re-shake was
announced; the next start begins another. Where no start was seen, its end or its bowl begins it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from replay.games.xoc_dia import Faces, reds, tokens
from replay.witnesses import CERTAIN
from schemas import events as e

Look = e.TokensRevealed | e.TokensObserved
Readings = tuple[tuple[str, Faces], ...]  # sure readings of all four tokens, with their witness

EQUIPMENT = ("bowl", "plate", "token", "tokens")  # SA-XD:11.4.2
FLIPPED = "token_flipped"  # how a report says that the stick turned a token over


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw as everybody saw it."""

    index: int  # from 0
    shaking: bool = False  # the bowl is being shaken right now
    started: bool = False  # the shaker told of its start
    shaken: bool = False  # a shake came to its end
    dropped: bool = False  # something fell while shaking (SA-XD:11.4.2)
    fell_later: bool = False  # something fell after that and before the result was out
    bowl: e.BowlRemoved | None = None
    unshaken: bool = False  # revealed after that drop, and nothing had been shaken again
    opened: int | None = None  # place in the table's order where the tokens could be seen first
    looks: tuple[Look, ...] = ()  # before the stick
    sticks: tuple[e.TokensRearranged, ...] = ()  # every step of moving them apart
    after: tuple[Look, ...] = ()  # after the stick
    flipped: bool = False  # somebody reported that the stick turned a token over
    entered: tuple[str, ...] = ()  # results the dealer entered, in order
    told: bool = False  # its result is out: entered, shown or paid
    ordered: str = ""  # the reason given for shaking again
    evidence: tuple[str, ...] = ()  # event ids

    @property
    def over(self) -> bool:
        """Whether another shake would be another throw."""
        fell = self.dropped or self.fell_later
        return self.opened is not None or fell or bool(self.ordered)

    @property
    def revealed(self) -> tuple[e.TokensRevealed, ...]:
        """What the plate's sensor said before the stick."""
        return tuple(look for look in self.looks if isinstance(look, e.TokensRevealed))

    @property
    def standing(self) -> bool:
        """Whether a token stood on its edge (SA-XD:11.4.3)."""
        return any(look.standing for look in self.revealed)

    @property
    def overlapping(self) -> bool:
        """Whether tokens lay on one another (SA-XD:11.4.1)."""
        return any(look.overlapping for look in self.revealed)

    @property
    def lay(self) -> Readings:
        """The tokens as they lay."""
        return _readings(self.looks)

    @property
    def moved(self) -> Readings:
        """The tokens after the stick."""
        steps = (tokens(stick.faces) for stick in self.sticks)
        return (*(("dealer", faces) for faces in steps if faces), *_readings(self.after))

    @property
    def turned(self) -> Readings:
        """Those after the stick that show another number of reds than lay there."""
        lay = {reds(faces) for _, faces in self.lay}
        return tuple(reading for reading in self.moved if lay and reds(reading[1]) not in lay)


def read(events: Iterable[e.Event]) -> tuple[Throw, ...]:
    """The throws of a round in order; an entry without any throw counts as one nobody saw."""
    throws: list[Throw] = []
    for event in events:
        word = event.payload
        if throws and isinstance(word, TELLING):
            throws[-1] = replace(throws[-1], told=True)
        if not isinstance(word, WORDS) or _elsewhere(word):
            continue
        if not throws or _begins(throws[-1], word):
            throws.append(Throw(len(throws)))
        known = _with(throws[-1], word)
        if known.opened is None and isinstance(word, OPENING):
            known = replace(known, opened=event.seq, unshaken=known.dropped)
        throws[-1] = replace(known, evidence=(*known.evidence, event.event_id))
    return tuple(throws)


def _elsewhere(word: e.Payload) -> bool:
    """A result that others show, or a report of something else."""
    match word:
        case e.ResultCalled(shown_by=shown_by):
            return shown_by != "dealer"
        case e.IrregularityReported(kind=kind):
            return kind != FLIPPED
        case e.EquipmentDropped(items=items) if items:
            return not set(items) & set(EQUIPMENT)
    return False


def _begins(last: Throw, word: e.Payload) -> bool:
    match word:
        case e.ShakerStarted():
            return last.over
        case e.ShakerStopped():
            # A stop without a start of its own, from a shaker that tells of starts, is a repeat.
            return not last.shaking and last.over and not (last.started and last.shaken)
        case e.BowlRemoved():
            told_again = word == last.bowl and not last.looks
            return (last.bowl is not None and not told_again) or bool(last.ordered)
        case e.TokensRevealed():
            return bool(last.ordered)
        case e.TokensObserved():
            # A camera may report after the re-shake was announced, but only once.
            seen = any(isinstance(look, e.TokensObserved) for look in last.looks)
            return bool(last.ordered) and seen
    return False


def _with(throw: Throw, word: e.Payload) -> Throw:
    match word:
        case e.ShakerStarted():
            return replace(throw, shaking=True, started=True)
        case e.ShakerStopped():
            return replace(throw, shaking=False, shaken=True)
        case e.EquipmentDropped():
            # Once a re-shake was announced these tokens count no more.
            later = throw.shaken and not (throw.shaking or throw.told or throw.ordered)
            return replace(
                throw,
                dropped=throw.dropped or throw.shaking,
                fell_later=throw.fell_later or later,
            )
        case e.BowlRemoved() as bowl:
            return replace(throw, bowl=bowl)
        case e.TokensRevealed() | e.TokensObserved() as look:
            if throw.sticks:  # it tells nothing of how the tokens lay
                return replace(throw, after=(*throw.after, look))
            return replace(throw, looks=(*throw.looks, look))
        case e.TokensRearranged() as stick:
            return replace(throw, sticks=(*throw.sticks, stick))
        case e.IrregularityReported():
            return replace(throw, flipped=True)
        case e.ResultCalled(result=result):
            return replace(throw, entered=(*throw.entered, result))
        case e.ReshakeOrdered(reason=reason):
            return replace(throw, ordered=reason)
    raise AssertionError(f"{type(word).__name__} is no word of a throw")


def _readings(looks: Iterable[Look]) -> Readings:
    read = ((WITNESS[type(look)], _faces(look)) for look in looks)
    return tuple((witness, faces) for witness, faces in read if faces)


def _faces(look: Look) -> Faces | None:
    if isinstance(look, e.TokensRevealed):
        return tokens(look.faces)
    best = look.guesses[0] if look.guesses else None
    return tokens(_sides(best.seen)) if best and best.probability >= CERTAIN else None


def _sides(seen: str) -> Sequence[str]:
    return seen.split("-") if "-" in seen else seen


WITNESS = {e.TokensRevealed: "sensor", e.TokensObserved: "camera"}
TELLING = (e.ResultCalled, e.WagerSettled)
OPENING = (e.BowlRemoved, e.TokensRevealed, e.TokensObserved)
SHOWING = (*OPENING, e.ResultCalled)  # what lets anybody see how the tokens lie
WORDS = (
    *OPENING,
    e.ShakerStarted,
    e.ShakerStopped,
    e.EquipmentDropped,
    e.TokensRearranged,
    e.IrregularityReported,
    e.ResultCalled,
    e.ReshakeOrdered,
)

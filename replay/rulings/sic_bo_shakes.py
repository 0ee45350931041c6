"""Sic Bo: which shake counts and which must be repeated (SA-SB:8.5)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from replay.games import shakes
from replay.games import sic_bo as game
from replay.games.shakes import Faces, Shake
from replay.ruling import Flag, Step
from schemas import events as e

CLOSED, ENTERED, SUM = "SA-SB:8.2.2", "SA-SB:8.2.3", "SA-SB:8.2.4"
RESHAKE, LYING, TUMBLES = "SA-SB:8.5", "SA-SB:8.5.1", "SA-SB:8.5.2"

SENTENCE = {
    "overlap": "dice lie on one another",
    "not_flat": "a die does not lie flat",
    "tumbles": f"fewer than {game.TUMBLES} tumbles",
}


class Look(NamedTuple):
    """One shake judged: `valid`, `again` (to be repeated), `unknown`, or `unfinished`."""

    shake: Shake
    verdict: str
    why: str
    clauses: tuple[str, ...]
    faces: Faces = ()
    verified: bool = True  # whether anybody but the dealer saw it

    @property
    def subject(self) -> str:
        """How a flag names the shake: its number, from 0."""
        return str(self.shake.index)


def looks(events: Iterable[e.Event]) -> tuple[Look, ...]:
    """Every shake of a round, judged."""
    return tuple(map(_look, shakes.read(events)))


def decisive(looked: Iterable[Look]) -> Look | None:
    """The first shake that counts, or may count; None where each must be repeated."""
    return next((look for look in looked if look.verdict in ("valid", "unknown")), None)


def said(result: str) -> str:
    """An entered result with its faces in ascending order: `4-1-2` is `1-2-4`."""
    faces = game.entered(result)
    return "-".join(sorted(faces)) if faces else result.strip().lower()


def flags(events: Sequence[e.Event], looked: Sequence[Look], result: str) -> Iterator[Flag]:
    """What the audit must know of the shakes; the result is empty where none was derived."""
    deciding = decisive(looked)
    yield from _before_close(events, looked)
    yield from _missed(looked, deciding)
    yield from _unfounded(looked)
    if deciding and deciding.verdict == "unknown":
        yield Flag("RESULT_UNKNOWN", ENTERED, deciding.subject, deciding.why)
        return
    if deciding and not deciding.verified:
        yield Flag("UNVERIFIABLE", ENTERED, note="nobody but the dealer read the dice")
    for source, entry in _recorded(events).items():
        if said(entry) != result:
            faces = game.entered(entry)
            subject = "-".join(faces) if faces else entry
            note = f"{source} says {subject}, {result or 'no valid shake'} was derived"
            yield Flag("RESULT_MISMATCH", ENTERED, subject, note)


def steps(looked: Sequence[Look]) -> Iterator[Step]:
    """Each shake, and the total of the one that decides."""
    deciding = decisive(looked)
    for look in looked:
        shake = look.shake
        faces = "-".join(look.faces) or "faces unknown"
        turned = "tumbles not counted" if shake.tumbles is None else f"{shake.tumbles} tumbles"
        text = f"shake {shake.index}: {faces}, {turned}: {VERDICT[look.verdict]}, {look.why}"
        yield Step(text, look.clauses, shake.evidence)
    if deciding and deciding.faces:
        score = sum(map(int, deciding.faces))
        text = f"shake {deciding.subject} is the first valid one and decides: total {score}"
        yield Step(text, (ENTERED, SUM), deciding.shake.evidence)


VERDICT = {
    "valid": "valid",
    "again": "to be repeated",
    "unknown": "unknown",
    "unfinished": "not finished",
}


def _look(shake: Shake) -> Look:
    faults = game.faults(shake)
    readings = _readings(shake)
    seen = next(iter(readings.values()), ())
    if faults:
        why = ", ".join(SENTENCE[fault.reason] for fault in faults)
        clauses = tuple(dict.fromkeys((*(fault.clause for fault in faults), RESHAKE)))
        return Look(shake, "again", why, clauses, seen)
    differ = _differ(shake, readings)
    if differ:
        return Look(shake, "unknown", differ, (ENTERED,))
    if readings:
        return Look(shake, "valid", f"read by {' and '.join(readings)}", (ENTERED,), seen)
    return _dealers_word(shake)


def _dealers_word(shake: Shake) -> Look:
    """Rule issue observation: where nobody else read the dice, the dealer's entry leads."""
    if shake.ordered:
        why = f"{SENTENCE.get(shake.ordered, shake.ordered)}, by the dealer's word"
        clause = TUMBLES if shake.ordered == "tumbles" else LYING
        return Look(shake, "again", why, (clause, RESHAKE), verified=False)
    faces = game.entered(shake.entered[-1]) if shake.entered else None
    if faces:
        return Look(shake, "valid", "read by the dealer alone", (ENTERED,), faces, verified=False)
    if shake.at_rest:
        return Look(shake, "unknown", "nobody could read the dice", (ENTERED,))
    return Look(shake, "unfinished", "the dice did not come to rest", (ENTERED,))


def _readings(shake: Shake) -> dict[str, Faces]:
    """The faces of each witness that read three dice."""
    return {name: faces for name, faces in shake.faces.items() if game.points(faces)}


def _differ(shake: Shake, readings: dict[str, Faces]) -> str:
    """The readings that differ, as a sentence; empty where they agree."""
    if len(game.sound(shake)) < len(shake.witnesses):
        return f"only {' and '.join(game.sound(shake))} saw every die lie flat and apart"
    if len({game.points(faces) for faces in readings.values()}) > 1:
        return ", ".join(f"{name} read {'-'.join(faces)}" for name, faces in readings.items())
    return ""


def _before_close(events: Iterable[e.Event], looked: Iterable[Look]) -> Iterator[Flag]:
    closed = next((at.seq for at in events if isinstance(at.payload, e.BettingClosed)), None)
    for look in looked:
        if closed is not None and look.shake.seen and look.shake.seq < closed:
            note = "the shaker was at work before betting was closed"
            yield Flag("SHAKE_BEFORE_CLOSE", CLOSED, look.subject, note)


def _missed(looked: Iterable[Look], deciding: Look | None) -> Iterator[Flag]:
    """A shake to be repeated whose result was taken, or after which no valid one came."""
    ahead = [look for look in looked if deciding is None or look.shake.index < deciding.shake.index]
    again = [look for look in ahead if look.verdict == "again"]
    for look in again:
        if look.shake.entered or (deciding is None and look is again[-1]):
            yield Flag("RESHAKE_MISSED", look.clauses[0], look.subject, look.why)


def _unfounded(looked: Sequence[Look]) -> Iterator[Flag]:
    for look in looked:
        if look.verdict == "valid" and (look is not looked[-1] or look.shake.ordered):
            note = "a valid shake was repeated, it decides all the same"
            yield Flag("RESHAKE_UNFOUNDED", RESHAKE, look.subject, note)


def _recorded(events: Iterable[e.Event]) -> dict[str, str]:
    """The last result of each source that called or showed one."""
    called = (at.payload for at in events if isinstance(at.payload, e.ResultCalled))
    return {word.shown_by: word.result for word in called}

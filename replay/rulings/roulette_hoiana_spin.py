"""Hoiana Roulette: which pocket won, or why none did.

Rulebook RO, clauses 7.1 to 7.10: what made the spin irregular, who called no spin, and when.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from replay.games import roulette_hoiana as game
from replay.games.roulette_hoiana import Seen, Spin
from replay.ruling import Flag, Step
from replay.rulings import roulette_hoiana_marks as numbers
from replay.rulings import roulette_hoiana_phase as phases
from replay.rulings.roulette_hoiana_phase import Payments
from schemas import events as e
from schemas.ranks import at_least

REVOLUTIONS = 3  # RO:7.2

# RO:7. What is seen of a disturbance, and the clause that names it.
DISTURBANCES = {
    "foreign_object": "7.3",
    "floater": "7.4",
    "ball_out": "7.5",
    "wheel_stopped": "7.6",
    "interference": "7.7",
}
# These two clauses speak only of the time before the ball rests.
BEFORE_REST = ("7.3", "7.6")

# The reason given with a call, and the clause it relies on; the clause's number will do as well.
REASONS = {
    "same_direction": "7.1",
    "few_revolutions": "7.2",
    "suspected": "7.8",
    **DISTURBANCES,
}


class Irregularity(NamedTuple):
    """Something section 7 tells the dealer to announce no spin for."""

    clause: str  # its number, such as 7.2
    text: str
    evidence: tuple[str, ...]


class Verdict(NamedTuple):
    """What became of the spin."""

    status: str  # settled, void, unsettled or unknown
    pocket: int | None
    clauses: tuple[str, ...]
    flags: tuple[Flag, ...]
    steps: tuple[Step, ...]
    readings: Mapping[str, str]


def decide(
    spin: Spin, payments: Payments, previous: int | None, readings: Mapping[str, str]
) -> Verdict:
    """The winning pocket, or the clause by which there is none."""
    marks, spin = numbers.read(spin), _own(spin)
    irregular = tuple(_irregularities(spin))
    steps = [Step(at.text, (f"RO:{at.clause}",), at.evidence) for at in irregular]
    entered, spin = spin.no_spins, _timed(spin, payments)
    steps += _not_in_time(entered, spin.no_spins)
    flags = [*_contradicted(entered, spin.no_spins), *_too_late(spin)]
    effective = [call for call in spin.no_spins if call.word.phase in phases.EFFECTIVE]
    if effective:
        flags += _of_calls(spin, effective, irregular, previous)
        steps.append(_announced(effective))
        return _void(spin, marks, ("RO:7.9", "RO:7.10"), flags, steps)
    if not (spin.begun or spin.closed or spin.ended or numbers.read(spin)):
        return _not_spun(spin, flags)
    flags += [Flag("NO_SPIN_NOT_CALLED", f"RO:{at.clause}", at.clause, at.text) for at in irregular]
    missed = {at.clause for at in irregular}
    if "7.5" in missed:
        return _void(spin, marks, ("RO:7.5",), flags, steps)
    if not _fell(spin):
        return _void(spin, marks, ("RO:7.4", "RO:7.4.1"), flags, steps)
    relied = {"missed_no_spin": readings["missed_no_spin"]} if missed else {}
    if relied.get("missed_no_spin") == "void":
        clauses = tuple(f"RO:{clause}" for clause in sorted(missed))
        return _void(spin, marks, clauses, flags, steps)._replace(readings=relied)
    return _landed(spin, marks, flags, steps, readings=readings, relied=relied)


def _own(spin: Spin) -> Spin:
    """The round's own spin: a ball released after a call is spun for another round (RO:7.10)."""
    called = spin.no_spins[0].seq if spin.no_spins else None
    again = (at.seq for at in spin.released if called is not None and at.seq > called)
    end = next(again, None)
    if end is None or not any(at.seq < end for at in spin.released):
        return spin
    own = ("released", "tracked", "disturbed", "landed", "marked", "called")
    kept = {name: tuple(at for at in getattr(spin, name) if at.seq < end) for name in own}
    return spin._replace(**kept)


def _timed(spin: Spin, payments: Payments) -> Spin:
    """The spin with its calls put where the order of events has them (RO:2.2)."""
    marks = numbers.read(spin)
    marked = marks[0].seq if marks else None
    rested = spin.pockets or numbers.pockets(marks)
    pocket = rested[0] if len(rested) == 1 and not spin.foreign_pockets else None
    calls = []
    for call in spin.no_spins:
        phase = phases.phase(call, spin, payments, marked, pocket)
        calls.append(call._replace(word=replace(call.word, phase=phase)))
    return spin._replace(no_spins=tuple(calls))


def _contradicted(
    entered: Sequence[Seen[e.NoSpinCalled]], found: Sequence[Seen[e.NoSpinCalled]]
) -> Iterator[Flag]:
    """RO:2.2. A call entered with a phase that the order of events rules out."""
    for said_so, seen in zip(entered, found, strict=True):
        if phases.contradicted(said_so.word.phase, seen.word.phase):
            note = f"entered as {said_so.word.phase}, by the order of events {seen.word.phase}"
            yield Flag("PHASE_CONTRADICTED", "RO:2.2", "2.2", note)


def _not_in_time(
    entered: Sequence[Seen[e.NoSpinCalled]], found: Sequence[Seen[e.NoSpinCalled]]
) -> Iterator[Step]:
    """When a call was made that came too late or was entered for another time."""
    for said_so, seen in zip(entered, found, strict=True):
        if seen.word.phase not in phases.EFFECTIVE or said_so != seen:
            text = f"{seen.word.rank} called no spin: {seen.word.phase.replace('_', ' ')}"
            yield Step(text, ("RO:2.2",), (seen.event_id,))


def _irregularities(spin: Spin) -> Iterator[Irregularity]:
    """Each clause of 7.1 to 7.7 that the spin gave cause for, once, in their order."""
    found = {at.clause: at for at in (*_of_the_ball(spin), *map(_disturbance, _in_time(spin)))}
    if "7.4" not in found and "7.5" not in found and not _fell(spin):
        evidence = tuple(at.event_id for at in spin.released)
        found["7.4"] = Irregularity("7.4", "the ball was not seen to fall into a pocket", evidence)
    yield from (found[clause] for clause in sorted(found))


def _of_the_ball(spin: Spin) -> Iterator[Irregularity]:
    for at in spin.released:
        if at.word.ball_direction == at.word.wheel_direction:
            text = f"ball and wheel both went {at.word.ball_direction}"
            yield Irregularity("7.1", text, (at.event_id,))
    if spin.tracked:
        # A sensor may report while it counts; the spin is as long as its last count.
        most = max(spin.tracked, key=lambda at: at.word.revolutions)
        if most.word.revolutions < REVOLUTIONS:
            text = f"the ball made {most.word.revolutions} revolutions, {REVOLUTIONS} are needed"
            yield Irregularity("7.2", text, (most.event_id,))


def _in_time(spin: Spin) -> Iterator[Seen[e.SpinDisturbed]]:
    rest = spin.landed[0].seq if spin.landed else None
    for at in spin.disturbed:
        clause = DISTURBANCES.get(at.word.kind)
        if clause and not (clause in BEFORE_REST and rest is not None and at.seq > rest):
            yield at


def _disturbance(at: Seen[e.SpinDisturbed]) -> Irregularity:
    kind = at.word.kind
    return Irregularity(DISTURBANCES[kind], f"{kind.replace('_', ' ')} seen", (at.event_id,))


def _fell(spin: Spin) -> bool:
    """Whether the ball came to rest: the sensor says so, or the dealer does and no floater was."""
    floated = any(at.word.kind == "floater" for at in spin.disturbed)
    return bool(spin.landed) or (bool(numbers.read(spin)) and not floated)


def _too_late(spin: Spin) -> Iterator[Flag]:
    """RO:2.2. A spin ends when all winning wagers are paid; nobody can call it off after that."""
    for call in spin.no_spins:
        if call.word.phase == "after_paid":
            yield Flag("NO_SPIN_TOO_LATE", "RO:2.2", "2.2", f"called by {call.word.rank}")


def _of_calls(
    spin: Spin,
    calls: Sequence[Seen[e.NoSpinCalled]],
    irregular: Sequence[Irregularity],
    previous: int | None,
) -> Iterator[Flag]:
    """What was wrong with an effective call, or with what had to follow it."""
    observed = {at.clause for at in irregular}
    stated = [_relies_on(call.word) for call in calls]
    # RO:7.8. Suspicion alone is for the inspector and those above; one such call is enough.
    if all(
        clause == "7.8" and not at_least(call.word.rank, "dealer_inspector")
        for clause, call in zip(stated, calls, strict=True)
    ):
        note = "suspicion alone is not for the dealer to call"
        yield Flag("NO_SPIN_AUTHORITY", "RO:7.8", "7.8", note)
    if not any(clause == "7.8" or clause in observed for clause in stated):
        clause = stated[0] or "7.9"
        note = f"nothing seen supports {calls[0].word.reason}"
        yield Flag("NO_SPIN_UNSUPPORTED", f"RO:{clause}", clause, note)
    if all(call.word.phase == "paying" for call in calls):
        yield Flag("NO_SPIN_AFTER_RESULT", "RO:2.2", "2.2", f"called by {calls[0].word.rank}")
    if "7.5" in observed.union(stated) and not any(
        at_least(at.word.rank, "dealer_inspector") for at in spin.examined
    ):
        yield Flag("BALL_NOT_EXAMINED", "RO:7.5", "7.5", "by the inspector or a pit supervisor")
    yield from _not_returned(spin, previous)


def _relies_on(call: e.NoSpinCalled) -> str:
    number = call.reason.removeprefix("RO:")
    return REASONS.get(call.reason) or (number if number in REASONS.values() else "")


def _not_returned(spin: Spin, previous: int | None) -> Iterator[Flag]:
    """RO:7.9.1. The ball goes back to where it last won; the release may say where it came from."""
    if previous is None and spin.released:
        previous = spin.released[0].word.from_pocket
    if not spin.returned:
        yield Flag("BALL_NOT_RETURNED", "RO:7.9.1", "7.9.1", "nobody saw the ball put back")
        return
    found = spin.returned[-1].word.pocket
    if None not in (previous, found) and found != previous:
        note = f"pocket {previous} expected, {found} found"
        yield Flag("BALL_NOT_RETURNED", "RO:7.9.1", "7.9.1", note)


def _announced(calls: Sequence[Seen[e.NoSpinCalled]]) -> Step:
    first = calls[0].word
    text = f"{first.rank} announced no spin ({first.reason}, {first.phase}): the spin is invalid"
    return Step(text, ("RO:7.9", "RO:7.10"), tuple(call.event_id for call in calls))


def _not_spun(spin: Spin, flags: Sequence[Flag]) -> Verdict:
    """A round in which no ball was released: still open, or called off before it began."""
    status, text = "unsettled", "the ball has not been spun yet"
    if spin.voided:
        status, text = "void", "the round was called off before the ball was spun"
    step = Step(text, ("RO:2.2",), tuple(at.event_id for at in spin.voided))
    return Verdict(status, None, ("RO:2.2",), tuple(flags), (step,), {})


def _void(
    spin: Spin,
    marks: Sequence[numbers.Mark],
    clauses: tuple[str, ...],
    flags: Sequence[Flag],
    steps: Sequence[Step],
) -> Verdict:
    """No outcome exists, so whatever number the dealer entered for it is wrong."""
    wrong = [mark for mark in marks if not _was_right(spin, mark)]
    step = Step("the spin is void, all stakes go back", clauses)
    flags = (*flags, *numbers.mismatch("no result", wrong))
    return Verdict("void", None, clauses, flags, (*steps, step), {})


def _was_right(spin: Spin, mark: numbers.Mark) -> bool:
    """A number entered before a call made while paying was right when it was entered."""
    return any(call.word.phase == "paying" and mark.seq < call.seq for call in spin.no_spins)


def _landed(
    spin: Spin,
    marks: Sequence[numbers.Mark],
    flags: Sequence[Flag],
    steps: Sequence[Step],
    *,
    readings: Mapping[str, str],
    relied: Mapping[str, str],
) -> Verdict:
    """The pocket in which the ball rests: the sensor leads, the dealer is a witness."""
    pockets, witness = spin.pockets, "the sensor"
    evidence = tuple(at.event_id for at in spin.landed)
    if not pockets and not spin.foreign_pockets:
        relied = {**relied, "dolly_alone": readings["dolly_alone"]}
        own = numbers.read(spin)
        pockets, witness = numbers.pockets(own), "the dealer"
        evidence += tuple(mark.event_id for mark in own)
    if len(pockets) != 1 or spin.foreign_pockets or relied.get("dolly_alone") == "unknown":
        text = f"the winning pocket is unknown: {_unread(spin, marks)}"
        steps = (*steps, Step(text, ("RO:4.10",), evidence))
        flags = (*flags, Flag("RESULT_UNKNOWN", "RO:4.10", "4.10", text))
        return Verdict("unknown", None, ("RO:4.10",), flags, steps, relied)
    pocket = pockets[0]
    wrong = [mark for mark in marks if mark.number != str(pocket)]
    flags = (*flags, *numbers.mismatch(str(pocket), wrong))
    text = f"{witness} saw the ball rest in {game.shown(pocket)}"
    steps = (*steps, Step(text, ("RO:4.10",), evidence))
    return Verdict("settled", pocket, ("RO:4.10",), flags, steps, relied)


def _unread(spin: Spin, marks: Sequence[numbers.Mark]) -> str:
    seen = [f"sensor {pocket}" for pocket in spin.pockets]
    seen += [f"sensor {pocket}, which this wheel does not have" for pocket in spin.foreign_pockets]
    seen = seen or ["the sensor read none"]
    return ", ".join((*seen, *map(str, marks)))

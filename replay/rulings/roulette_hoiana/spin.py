"""Hoiana Roulette: which pocket won, or why none did.

Rulebook RO, clauses 7.1 to 7.10: what made the spin irregular, who called no spin, and when.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from replay.games import roulette_hoiana as game
from replay.games.roulette_hoiana import Spin, SpinWord
from replay.games.shared import ball_counts
from replay.ruled import Flag, Step
from replay.rulings.roulette_hoiana import balls
from replay.rulings.roulette_hoiana import marks as numbers
from replay.rulings.roulette_hoiana import phase as phases
from replay.rulings.roulette_hoiana.phase import Payments
from replay.sentence import Sentence, say
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


# When a no spin was called.
PHASE = {
    phases.SPINNING: say("RO.while_spinning"),
    phases.LANDED: say("RO.once_landed"),
    phases.PAYING: say("RO.while_paying"),
    phases.AFTER_PAID: say("RO.after_paid"),
}


class Irregularity(NamedTuple):
    """Something section 7 tells the dealer to announce no spin for."""

    clause: str  # its number, such as 7.2
    text: Sentence
    evidence: tuple[str, ...]


class SpinVerdict(NamedTuple):
    """What became of the spin."""

    status: str  # settled, void, unsettled or unknown
    pocket: int | None
    clauses: tuple[str, ...]
    flags: tuple[Flag, ...]
    steps: tuple[Step, ...]
    readings: Mapping[str, str]


def decide(
    spin: Spin, payments: Payments, previous: int | None, readings: Mapping[str, str]
) -> SpinVerdict:
    """The winning pocket, or the clause by which there is none."""
    marks, early = numbers.read(spin), _early(spin)
    relied = {"no_spin_early": readings["no_spin_early"]} if early and spin.released else {}
    if relied.get("no_spin_early") == "no_effect":
        spin = spin._replace(no_spins=tuple(at for at in spin.no_spins if at not in early))
    found = balls.read(balls.own(spin))
    end = _end(balls.first_rest(found.deciding), payments)
    spin, others = balls.of_another(found.deciding, end)
    found = found.with_deciding(spin)
    spin, late = balls.in_time(spin, end)
    irregular = tuple(_irregularities(spin, found.before))
    steps = [*balls.steps(found), *others, *late]
    steps += [Step(at.text, (f"RO:{at.clause}",), at.evidence) for at in irregular]
    entered, spin = spin.no_spins, _timed(spin, payments)
    steps += _not_in_time(entered, spin.no_spins)
    flags = [*_too_early(early), *balls.flags(found, others)]
    flags += [*_contradicted(entered, spin.no_spins), *_too_late(spin)]
    doubts = _doubts(found)
    flags += [Flag("COUNT_CONTRADICTED", "RO:7.2", "7.2", at.text) for at in doubts]
    steps += [Step(at.text, ("RO:7.2",), at.evidence) for at in doubts]
    effective = [call for call in spin.no_spins if call.word.phase in phases.EFFECTIVE]
    if effective:
        if not {call.event_id for call in effective} <= {call.event_id for call in early}:
            flags += _of_calls(spin, effective, irregular, previous)
        steps.append(_announced(effective))
        void = _void(spin, marks, ("RO:7.9", "RO:7.10"), flags, steps)
        return void._replace(readings=relied)
    begun = spin.begun or bool(numbers.read(spin))
    if not begun and (spin.voided or not (spin.closed or spin.ended)):
        return _not_spun(spin, flags)
    flags += [Flag("NO_SPIN_NOT_CALLED", f"RO:{at.clause}", at.clause, at.text) for at in irregular]
    missed = {at.clause for at in irregular}
    if not balls.fell(spin):
        clauses: tuple[str, ...] = ("RO:7.5",) if "7.5" in missed else ("RO:7.4", "RO:7.4.1")
        return _void(spin, marks, clauses, flags, steps)._replace(readings=relied)
    if "7.5" in missed:
        relied = {**relied, "ball_out": readings["ball_out"]}
        if readings["ball_out"] == "void":
            return _void(spin, marks, ("RO:7.5",), flags, steps)._replace(readings=relied)
    if missed or any(at.clause for at in doubts):
        relied = {**relied, "missed_no_spin": readings["missed_no_spin"]}
    if relied.get("missed_no_spin") == "void":
        if not missed:
            return _unknown(doubts[0].text, "7.2", (), flags, steps)._replace(readings=relied)
        clauses = tuple(f"RO:{clause}" for clause in sorted(missed))
        return _void(spin, marks, clauses, flags, steps)._replace(readings=relied)
    return _landed(spin, marks, flags, steps, readings=readings, relied=relied)


def _early(spin: Spin) -> tuple[SpinWord[e.NoSpinCalled], ...]:
    """Calls before the ball was released, or in a round in which nobody saw one (RO:2.2)."""
    if spin.released:
        seen: list[SpinWord[e.Payload]] = [
            *spin.released,
            *spin.tracked,
            *spin.disturbed,
            *spin.landed,
        ]
        first = min(at.seq for at in seen)
        return tuple(call for call in spin.no_spins if call.seq < first)
    return () if spin.begun or numbers.read(spin) else spin.no_spins


def _too_early(early: Sequence[SpinWord[e.NoSpinCalled]]) -> Iterator[Flag]:
    """RO:2.2. A spin begins with the ball; nobody can call off what has not begun."""
    for call in early:
        note = say("RO.called_before_spin", rank=call.word.rank)
        yield Flag("NO_SPIN_TOO_EARLY", "RO:2.2", "2.2", note)


def _end(spin: Spin, payments: Payments) -> SpinWord[e.Payload] | None:
    return balls.over(spin, payments, _rested(spin))


def _rested(spin: Spin) -> int | None:
    """The one pocket in which the ball came to rest; None where nobody can say."""
    rested = spin.pockets or numbers.pockets(numbers.read(spin))
    return rested[0] if len(rested) == 1 and not spin.foreign_pockets else None


def _timed(spin: Spin, payments: Payments) -> Spin:
    """The spin with its calls put where the order of events has them (RO:2.2)."""
    marks = numbers.read(spin)
    marked, pocket = marks[0].seq if marks else None, _rested(spin)
    calls = []
    for call in spin.no_spins:
        phase = phases.phase(call, spin, payments, marked, pocket)
        calls.append(call._replace(word=replace(call.word, phase=phase)))
    return spin._replace(no_spins=tuple(calls))


def _contradicted(
    entered: Sequence[SpinWord[e.NoSpinCalled]], found: Sequence[SpinWord[e.NoSpinCalled]]
) -> Iterator[Flag]:
    """RO:2.2. A call entered with a phase that the order of events rules out."""
    for said_so, seen in zip(entered, found, strict=True):
        if phases.contradicted(said_so.word.phase, seen.word.phase):
            entered_as, was = PHASE[said_so.word.phase], PHASE[seen.word.phase]
            note = say("RO.phase_contradicted", entered=entered_as, found=was)
            yield Flag("PHASE_CONTRADICTED", "RO:2.2", "2.2", note)


def _not_in_time(
    entered: Sequence[SpinWord[e.NoSpinCalled]], found: Sequence[SpinWord[e.NoSpinCalled]]
) -> Iterator[Step]:
    """When a call was made that came too late or was entered for another time."""
    for said_so, seen in zip(entered, found, strict=True):
        if seen.word.phase not in phases.EFFECTIVE or said_so != seen:
            text = say("RO.no_spin_called", rank=seen.word.rank, phase=PHASE[seen.word.phase])
            yield Step(text, ("RO:2.2",), (seen.event_id,))


def _irregularities(spin: Spin, before: Sequence[Spin]) -> Iterator[Irregularity]:
    """Each clause of 7.1 to 7.7 that the spin gave cause for, once, in their order."""
    found: dict[str, Irregularity] = {}
    for ball in (*before, spin):
        for at in (*_of_the_ball(ball), *map(_disturbance, _in_time(ball))):
            found.setdefault(at.clause, at)
    for ball in (*before, spin):
        if "7.4" not in found and "7.5" not in found and not balls.fell(ball):
            evidence = tuple(at.event_id for at in ball.released)
            found["7.4"] = Irregularity("7.4", say("RO.never_fell"), evidence)
    yield from (found[clause] for clause in sorted(found))


def _of_the_ball(spin: Spin) -> Iterator[Irregularity]:
    for at in spin.released:
        if at.word.ball_direction == at.word.wheel_direction:
            text = say("RO.same_direction", direction=at.word.ball_direction)
            yield Irregularity("7.1", text, (at.event_id,))
    counts = _counts(spin)
    if counts and counts[-1] < REVOLUTIONS:
        text = say("RO.few_revolutions", n=counts[-1], needed=REVOLUTIONS)
        last = next(at for at in reversed(spin.tracked) if at.word.revolutions == counts[-1])
        yield Irregularity("7.2", text, (last.event_id,))


def _counts(spin: Spin) -> tuple[int, ...]:
    return ball_counts.standing(at.word.revolutions for at in spin.tracked)


def _doubts(found: balls.Balls) -> list[Irregularity]:
    """Counts of one ball that differ; without a clause where all of them say the same of 7.2."""
    doubts = []
    for ball in (*found.before, found.deciding):
        counts = _counts(ball)
        if len(counts) > 1:
            clause = "7.2" if counts[0] < REVOLUTIONS <= counts[-1] else ""
            text = say("RO.counts_differ", counts=counts)
            evidence = tuple(at.event_id for at in ball.tracked)
            doubts.append(Irregularity(clause, text, evidence))
    return doubts


def _in_time(spin: Spin) -> Iterator[SpinWord[e.SpinDisturbed]]:
    rest = spin.landed[0].seq if spin.landed else None
    for at in spin.disturbed:
        clause = DISTURBANCES.get(at.word.kind)
        if clause and not (clause in BEFORE_REST and rest is not None and at.seq > rest):
            yield at


def _disturbance(at: SpinWord[e.SpinDisturbed]) -> Irregularity:
    kind = at.word.kind
    return Irregularity(DISTURBANCES[kind], say("RO.disturbed", kind=kind), (at.event_id,))


def _too_late(spin: Spin) -> Iterator[Flag]:
    """RO:2.2. A spin ends when all winning wagers are paid; nobody can call it off after that."""
    for call in spin.no_spins:
        if call.word.phase == "after_paid":
            note = say("RO.called_by", rank=call.word.rank)
            yield Flag("NO_SPIN_TOO_LATE", "RO:2.2", "2.2", note)


def _of_calls(
    spin: Spin,
    calls: Sequence[SpinWord[e.NoSpinCalled]],
    irregular: Sequence[Irregularity],
    previous: int | None,
) -> Iterator[Flag]:
    """What was wrong with an effective call, or with what had to follow it."""
    observed = {at.clause for at in irregular}
    if any(count < REVOLUTIONS for count in _counts(spin)):
        observed.add("7.2")
    stated = [_relies_on(call.word) for call in calls]
    # RO:7.8. Suspicion alone is for the inspector and those above; one such call is enough.
    if all(
        clause == "7.8" and not at_least(call.word.rank, "dealer_inspector")
        for clause, call in zip(stated, calls, strict=True)
    ):
        yield Flag("NO_SPIN_AUTHORITY", "RO:7.8", "7.8", say("RO.suspicion_alone"))
    if not any(clause == "7.8" or clause in observed for clause in stated):
        clause = stated[0] or "7.9"
        note = say("RO.call_unsupported", reason=calls[0].word.reason)
        yield Flag("NO_SPIN_UNSUPPORTED", f"RO:{clause}", clause, note)
    if all(call.word.phase == "paying" for call in calls):
        note = say("RO.called_by", rank=calls[0].word.rank)
        yield Flag("NO_SPIN_AFTER_RESULT", "RO:2.2", "2.2", note)
    if "7.5" in observed.union(stated) and not any(
        at_least(at.word.rank, "dealer_inspector") for at in spin.examined
    ):
        yield Flag("BALL_NOT_EXAMINED", "RO:7.5", "7.5", say("RO.ball_not_examined"))
    yield from _not_returned(spin, previous)


def _relies_on(call: e.NoSpinCalled) -> str:
    number = call.reason.removeprefix("RO:")
    return REASONS.get(call.reason) or (number if number in REASONS.values() else "")


def _not_returned(spin: Spin, previous: int | None) -> Iterator[Flag]:
    """RO:7.9.1. The ball goes back to where it last won; the release may say where it came from."""
    if previous is None and spin.released:
        previous = spin.released[0].word.from_pocket
    if not spin.returned:
        yield Flag("BALL_NOT_RETURNED", "RO:7.9.1", "7.9.1", say("RO.ball_not_returned"))
        return
    found = spin.returned[-1].word.pocket
    if previous is not None and found is not None and found != previous:
        note = say("RO.ball_returned_elsewhere", previous=previous, found=found)
        yield Flag("BALL_NOT_RETURNED", "RO:7.9.1", "7.9.1", note)


def _announced(calls: Sequence[SpinWord[e.NoSpinCalled]]) -> Step:
    first = calls[0].word
    text = say(
        "RO.no_spin_announced", rank=first.rank, reason=first.reason, phase=PHASE[first.phase]
    )
    return Step(text, ("RO:7.9", "RO:7.10"), tuple(call.event_id for call in calls))


def _not_spun(spin: Spin, flags: Sequence[Flag]) -> SpinVerdict:
    """A round in which no ball was released: still open, or called off before it began."""
    status, text = "unsettled", say("RO.not_spun_yet")
    if spin.voided:
        status, text = "void", say("RO.called_off_before_spin")
    step = Step(text, ("RO:2.2",), tuple(at.event_id for at in spin.voided))
    return SpinVerdict(status, None, ("RO:2.2",), tuple(flags), (step,), {})


def _void(
    spin: Spin,
    marks: Sequence[numbers.EnteredNumber],
    clauses: tuple[str, ...],
    flags: Sequence[Flag],
    steps: Sequence[Step],
) -> SpinVerdict:
    """No outcome exists, so whatever number the dealer entered for it is wrong."""
    wrong = [mark for mark in marks if not _was_right(spin, mark)]
    step = Step(say("RO.spin_void"), clauses)
    flags = (*flags, *numbers.mismatch(None, wrong))
    return SpinVerdict("void", None, clauses, flags, (*steps, step), {})


def _was_right(spin: Spin, mark: numbers.EnteredNumber) -> bool:
    """A number entered before a call made while paying was right when it was entered."""
    return any(call.word.phase == "paying" and mark.seq < call.seq for call in spin.no_spins)


def _landed(
    spin: Spin,
    marks: Sequence[numbers.EnteredNumber],
    flags: Sequence[Flag],
    steps: Sequence[Step],
    *,
    readings: Mapping[str, str],
    relied: Mapping[str, str],
) -> SpinVerdict:
    """The pocket in which the ball rests: the sensor leads, the dealer is a witness."""
    pockets, witness = spin.pockets, "sensor"
    evidence = tuple(at.event_id for at in spin.landed)
    if not pockets and not spin.foreign_pockets:
        relied = {**relied, "dolly_alone": readings["dolly_alone"]}
        own = numbers.read(spin)
        pockets, witness = numbers.pockets(own), "dealer"
        evidence += tuple(mark.event_id for mark in own)
    if len(pockets) != 1 or spin.foreign_pockets or relied.get("dolly_alone") == "unknown":
        text = say("RO.pocket_unknown", seen=_unread(spin, marks))
        return _unknown(text, "4.10", evidence, flags, steps)._replace(readings=relied)
    pocket = pockets[0]
    wrong = [mark for mark in marks if mark.number != str(pocket)]
    flags = (*flags, *numbers.mismatch(pocket, wrong))
    text = say("RO.ball_rests", witness=witness, pocket=game.told(pocket))
    steps = (*steps, Step(text, ("RO:4.10",), evidence))
    return SpinVerdict("settled", pocket, ("RO:4.10",), flags, steps, relied)


def _unknown(
    why: Sentence,
    clause: str,
    evidence: tuple[str, ...],
    flags: Sequence[Flag],
    steps: Sequence[Step],
) -> SpinVerdict:
    anchor = f"RO:{clause}"
    steps = (*steps, Step(why, (anchor,), evidence))
    flags = (*flags, Flag("RESULT_UNKNOWN", anchor, clause, why))
    return SpinVerdict("unknown", None, (anchor,), flags, steps, {})


def _unread(spin: Spin, marks: Sequence[numbers.EnteredNumber]) -> tuple[Sentence, ...]:
    seen = [say("RO.sensor_read", pocket=pocket) for pocket in spin.pockets]
    seen += [say("RO.sensor_read_foreign", pocket=pocket) for pocket in spin.foreign_pockets]
    seen = seen or [say("RO.sensor_read_none")]
    return (*seen, *(mark.told for mark in marks))

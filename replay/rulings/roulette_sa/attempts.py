"""Roulette of SA Gaming: which attempt counts, which must be repeated, and what was made of them.

Rulebook SA-RO, clauses 7.2 and 7.3. The first attempt with a landed ball and none of 7.3.a to
7.3.f decides; all bets stay valid until there is one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.betting_end import BALL, End, find, one_of
from replay.games import roulette_sa as game
from replay.games.roulette_sa import Attempt
from replay.games.shared.roulette_layout import COLOUR
from replay.rounds import Round
from replay.ruled import Flag, Step
from replay.rulings.shared import after_close
from replay.rulings.shared.remark import not_closed
from replay.sentence import Sentence, say
from schemas import events as e

SPUN, CONFIRMED, RESPIN = "SA-RO:7.2.2", "SA-RO:7.2.3", "SA-RO:7.3"
SECOND_BALL = "second_ball"  # rule issue
COUNTED, NEVER_LANDED = "SA-RO:7.3.b", "SA-RO:7.3.c"

STATUS = {"valid": "settled", "unknown": "unknown"}


class JudgedAttempt(NamedTuple):
    """One attempt judged: `valid`, `again` (to be repeated), `unknown`, `unfinished`, `late`."""

    attempt: Attempt
    verdict: str
    why: Sentence
    clauses: tuple[str, ...]
    pocket: int | None = None
    readings: frozenset[str] = frozenset()  # rule issues that the verdict rests on
    verified: bool = True  # whether anybody but the dealer saw it
    unseen: bool = False  # whether the dealer named a number and no wheel saw the ball land

    @property
    def subject(self) -> str:
        """How a flag names the attempt: its number, from 0."""
        return str(self.attempt.index)


class JudgedAttempts(NamedTuple):
    """Every attempt of a round, judged, and the one that decides."""

    looked: tuple[JudgedAttempt, ...]
    deciding: JudgedAttempt | None

    @property
    def status(self) -> str:
        """How the round stands by its attempts alone."""
        return STATUS[self.deciding.verdict] if self.deciding else "unsettled"

    @property
    def pocket(self) -> int | None:
        """The pocket that decides; None where none does."""
        return self.deciding.pocket if self.deciding else None

    @property
    def result(self) -> str:
        """The winning number as one word; empty where there is none."""
        return "" if self.pocket is None else str(self.pocket)

    @property
    def unseen(self) -> bool:
        """Whether a spin is to be repeated only because no wheel saw its ball land."""
        return any(look.unseen for look in self.looked)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Why the round stands as it does."""
        own = [look for look in self.looked if look.verdict != "late"]
        last = self.deciding or next(iter([*reversed(own), *self.looked]), None)
        return last.clauses if last else (SPUN,)


def look(events: Sequence[e.Event], readings: Mapping[str, str]) -> JudgedAttempts:
    """The attempts of a round: the first that counts, or may count, decides."""
    known = game.read(events)
    ended = any(isinstance(event.payload, e.RoundClosed | e.WagerSettled) for event in events)
    late = after_close.ids(events)
    looked = tuple(
        _late(attempt)
        if attempt.evidence[0] in late
        else _look(
            attempt, readings, over=ended or bool(attempt.confirmed) or attempt is not known[-1]
        )
        for attempt in known
    )
    looked = tuple(_of_two_balls(looked, readings))
    deciding = next((look for look in looked if look.verdict in STATUS), None)
    return JudgedAttempts(looked, deciding)


def betting_end(events: Sequence[e.Event], readings: Mapping[str, str]) -> End | None:
    """Betting ends once the ball that decides has come to rest (issue betting_ends)."""
    seen = look(events, readings)
    decides = seen.deciding.attempt.evidence if seen.deciding else ()
    again = {at for look in seen.looked if look.verdict == "again" for at in look.attempt.evidence}
    return find(events, one_of(decides, game.SHOWING, BALL), again)


def relied(seen: JudgedAttempts) -> Iterator[str]:
    """The rule issues that the result rests on, of the attempts up to the one that decides."""
    for look in seen.looked:
        yield from look.readings
        if look is seen.deciding:
            return


def flags(round: Round, seen: JudgedAttempts) -> Iterator[Flag]:
    """What the audit must know of the attempts."""
    events = round.events
    yield from (at.flag for at in not_closed(SPUN, round))
    yield from _before_close(events, seen)
    yield from _too_early(seen)
    yield from _contradicted(seen)
    yield from _missed(events, seen)
    yield from _unfounded(seen)
    yield from _second_balls(seen)
    deciding = seen.deciding
    if deciding and deciding.verdict == "unknown":
        yield Flag("RESULT_UNKNOWN", CONFIRMED, deciding.subject, deciding.why)
        return
    if deciding and not deciding.verified:
        yield Flag("UNVERIFIABLE", CONFIRMED, note=say("SA-RO.dealer_alone_read"))
    for number, sources in _recorded(events).items():
        if number != seen.result:
            note = _mismatch(number, tuple(sources), seen.pocket)
            yield Flag("RESULT_MISMATCH", CONFIRMED, number, note)


def steps(seen: JudgedAttempts) -> Iterator[Step]:
    """Each attempt, and the result of the one that decides."""
    for look in seen.looked:
        yield Step(_told(look), look.clauses, look.attempt.evidence)
        for kind in look.attempt.too_late:
            text = say("SA-RO.disturbed_too_late", kind=kind)
            yield Step(text, (RESPIN,), look.attempt.evidence)
        if look.attempt.others:
            yield Step(_read_later(look.attempt), (RESPIN,), look.attempt.evidence)
    if seen.deciding and seen.pocket is not None:
        won = game.told(seen.pocket)
        text = say("SA-RO.spin_decides", spin=seen.deciding.subject, pocket=won)
        yield Step(text, (CONFIRMED, "SA-RO:7.1"), seen.deciding.attempt.evidence)
    elif seen.looked and not seen.deciding:
        yield Step(say("SA-RO.no_spin_counts"), (RESPIN,))


def _told(look: JudgedAttempt) -> Sentence:
    spin, why = look.subject, look.why
    match look.verdict:
        case "valid":
            return say("SA-RO.spin_valid", spin=spin, why=why)
        case "again":
            return say("SA-RO.spin_again", spin=spin, why=why)
        case "unknown":
            return say("SA-RO.spin_unknown", spin=spin, why=why)
        case "unfinished":
            return say("SA-RO.spin_unfinished", spin=spin, why=why)
    return say("SA-RO.spin_of_no_round", spin=spin, why=why)


def _mismatch(number: str, sources: tuple[str, ...], pocket: int | None) -> Sentence:
    """What was entered, beside what was derived."""
    entered = say("SA-RO.entered_none", sources=sources)
    if number:
        entered = say("SA-RO.entered", sources=sources, number=number)
    if pocket is None:
        return say("SA-RO.no_valid_spin_derived", entered=entered)
    return say("SA-RO.other_number", entered=entered, pocket=pocket)


def _look(attempt: Attempt, readings: Mapping[str, str], *, over: bool) -> JudgedAttempt:
    issues = {"malfunction"} if game.UNNAMED.keys() & set(attempt.disturbed) else set()
    found = dict(game.conditions(attempt, over=over, malfunction=readings["malfunction"]))
    unseen = set(found) == {NEVER_LANDED} and attempt.confirmed and not _floated(attempt)
    if unseen:
        issues.add("never_landed")
    if unseen and readings["never_landed"] == "as_confirmed":
        found = {}
    if found:
        clauses, why = (*found, RESPIN), say("SA-RO.seen", seen=tuple(found.values()))
        relied = frozenset(issues)
        return JudgedAttempt(attempt, "again", why, clauses, None, relied, unseen=bool(unseen))
    if attempt.doubtful and (attempt.landed or attempt.confirmed):
        return JudgedAttempt(
            attempt, "unknown", _counted(attempt), (COUNTED,), None, frozenset(issues)
        )
    foreign = [pocket for pocket in attempt.pockets if pocket not in COLOUR]
    if foreign or len(attempt.pockets) > 1:
        why = say("SA-RO.pockets_read", pockets=attempt.pockets)
        if foreign:
            why = say("SA-RO.foreign_pocket", pockets=attempt.pockets, foreign=foreign[0])
        return JudgedAttempt(attempt, "unknown", why, (CONFIRMED,), None, frozenset(issues))
    if attempt.pockets:
        pocket = attempt.pockets[0]
        why = say("SA-RO.ball_rests", pocket=game.told(pocket))
        return JudgedAttempt(attempt, "valid", why, (CONFIRMED,), pocket, frozenset(issues))
    return _dealers_word(attempt, readings, issues)


def _of_two_balls(
    looked: Sequence[JudgedAttempt], readings: Mapping[str, str]
) -> Iterator[JudgedAttempt]:
    """Rule issue second_ball: another ball was spun, and nothing seen of this one called for it."""
    for look in looked:
        after = next((at for at in looked[look.attempt.index + 1 :] if at.verdict != "late"), None)
        if not (after and after.attempt.spun and _unexplained(look)):
            yield look
            continue
        known = look._replace(readings=look.readings | {SECOND_BALL})
        if readings[SECOND_BALL] == "unknown":
            known = known._replace(verdict="unknown", why=say("SA-RO.rest_unseen"))
        yield known


def _unexplained(look: JudgedAttempt) -> bool:
    """Whether only a missing landing says that a spin is to be repeated (SA-RO:7.3.c)."""
    attempt = look.attempt
    nothing_said = not (attempt.disturbed or attempt.called_off or attempt.confirmed)
    return look.verdict == "again" and look.clauses == (NEVER_LANDED, RESPIN) and nothing_said


def _late(attempt: Attempt) -> JudgedAttempt:
    return JudgedAttempt(attempt, "late", say("SA-RO.begun_after_close"), (RESPIN,))


def _dealers_word(attempt: Attempt, readings: Mapping[str, str], issues: set[str]) -> JudgedAttempt:
    """Rule issue dealer_alone: where the wheel read no pocket, the dealer's number counts."""
    if not (attempt.landed or attempt.confirmed):
        why, relied = say("SA-RO.never_rested"), frozenset(issues)
        return JudgedAttempt(attempt, "unfinished", why, (SPUN,), None, relied)
    numbers = tuple(dict.fromkeys(attempt.confirmed))
    relied = frozenset(issues | ({"dealer_alone"} if numbers else set()))
    pocket = _as_pocket(numbers[0]) if len(numbers) == 1 else None
    if pocket is None or readings["dealer_alone"] == "unknown":
        why = say("SA-RO.no_pocket_read")
        if numbers:
            why = say("SA-RO.dealer_said", numbers=numbers)
        return JudgedAttempt(attempt, "unknown", why, (CONFIRMED,), None, relied, verified=False)
    why = say("SA-RO.dealer_alone_said", pocket=game.told(pocket))
    return JudgedAttempt(attempt, "valid", why, (CONFIRMED,), pocket, relied, verified=False)


def _floated(attempt: Attempt) -> bool:
    return "floater" in attempt.disturbed


def _as_pocket(number: str) -> int | None:
    return int(number) if number.isdigit() and int(number) in COLOUR else None


def _before_close(events: Iterable[e.Event], seen: JudgedAttempts) -> Iterator[Flag]:
    closed = next(
        (event.seq for event in events if isinstance(event.payload, e.BettingClosed)), None
    )
    for look in seen.looked:
        if closed is not None and look.attempt.spun and look.attempt.seq < closed:
            yield Flag("SPIN_BEFORE_CLOSE", SPUN, look.subject, say("SA-RO.spun_early"))


def _too_early(seen: JudgedAttempts) -> Iterator[Flag]:
    """A re-spin announced where no ball had been spun."""
    for look in seen.looked:
        attempt = look.attempt
        if attempt.called_off and not (attempt.seen or attempt.confirmed):
            note = say("SA-RO.called_before_spin", reason=attempt.called_off)
            yield Flag("NO_SPIN_TOO_EARLY", RESPIN, look.subject, note)


def _contradicted(seen: JudgedAttempts) -> Iterator[Flag]:
    """Counts of one ball that differ."""
    for look in seen.looked:
        if len(look.attempt.counts) > 1:
            yield Flag("COUNT_CONTRADICTED", COUNTED, look.subject, _counted(look.attempt))


def _counted(attempt: Attempt) -> Sentence:
    return say("SA-RO.counts_differ", counts=attempt.counts)


def _missed(events: Sequence[e.Event], seen: JudgedAttempts) -> Iterator[Flag]:
    """An attempt to be repeated whose number was confirmed, or after which no valid one came."""
    end = seen.deciding.attempt.index if seen.deciding else len(seen.looked)
    again = [look for look in seen.looked[:end] if look.verdict == "again"]
    for look in again:
        if look.attempt.confirmed or (seen.deciding is None and look is again[-1]):
            yield Flag("RESPIN_MISSED", look.clauses[0], look.subject, look.why)
    ended = any(isinstance(event.payload, e.RoundClosed) for event in events)
    if ended and not (again or seen.deciding):
        yield Flag("RESPIN_MISSED", RESPIN, note=say("SA-RO.ended_without_spin"))


def _unfounded(seen: JudgedAttempts) -> Iterator[Flag]:
    for look in seen.looked:
        another = look is not seen.looked[-1] or look.attempt.called_off
        if look.verdict == "valid" and another:
            yield Flag("RESPIN_UNFOUNDED", RESPIN, look.subject, say("SA-RO.valid_repeated"))


def _second_balls(seen: JudgedAttempts) -> Iterator[Flag]:
    """Balls that nobody announced and nothing seen called for (SA-RO:7.3)."""
    for look in seen.looked:
        if SECOND_BALL in look.readings:
            yield Flag("SECOND_BALL", NEVER_LANDED, look.subject, say("SA-RO.ball_uncalled_for"))
        if look.attempt.others:
            yield Flag("SECOND_BALL", RESPIN, look.subject, _read_later(look.attempt))


def _read_later(attempt: Attempt) -> Sentence:
    return say("SA-RO.other_ball", pockets=attempt.others)


def _recorded(events: Iterable[e.Event]) -> dict[str, list[str]]:
    """The last number of each source that marked, confirmed or showed one, with its sources."""
    last: dict[str, str] = {}
    for event in events:
        match event.payload:
            case e.DollyPlaced() as dolly:
                last["dolly"] = str(dolly.number)
            case e.ResultCalled(result=result, shown_by=source):
                last[source] = game.said(result)
    found: dict[str, list[str]] = {}
    for source, number in last.items():
        found.setdefault(number, []).append(source)
    return found

"""Three dice in a shaker: which shake counts, which must be repeated, how each wager stands.

Sic Bo, Fish Prawn Crab and Thai HiLo rule this in the same words, each in clauses of its own: a
game brings its Book and nothing here knows which game it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from replay.betting_end import DICE, End, decided_by, find, one_of
from replay.games.shared import shakes
from replay.games.shared.shakes import Faces, Shake
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Flag, Ruled, Stand, Step, Waits
from replay.rulings.shared import (
    after_close,
    declared_void,
    posted_limits,
    reshake_bets,
    strange_words,
)
from replay.rulings.shared.remark import not_closed
from replay.settle import Due, Gaps, told_gaps
from replay.wagers import Wager, at_close
from schemas import events as e

PIECES = 3
Dice = tuple[Any, ...]  # three faces as the game reads and orders them


class ShakenDiceClauses(NamedTuple):
    """The clauses of one rulebook, and how its game reads dice."""

    closed: str  # betting ends, then the dice are shaken
    entered: str  # the dealer enters the dice
    decides: tuple[str, ...]  # how the dice become a result
    layout: str
    paid: str
    reshake: str  # no bet can be withdrawn before a re-shake
    lying: str  # dice that overlap or do not lie flat
    tumbles: str  # too few tumbles
    least: int  # tumbles that a shake needs
    dice: Callable[[Faces], Dice | None]  # None where the faces are not three dice of the game
    entry: Callable[[str], Faces | None]  # the faces of a dealer's entry, in the order entered
    legal: Callable[[str], bool]  # whether the layout has a position

    @property
    def words(self) -> strange_words.Lexicon:
        """The words that the game knows."""
        return strange_words.Lexicon(
            clause=self.closed,
            reshakes=("overlap", "not_flat", "tumbles"),
            face=lambda face: self.dice((face,) * PIECES) is not None,
            pieces=PIECES,
        )


class JudgedShake(NamedTuple):
    """One shake judged: `valid`, `again` (to be repeated), `unknown`, `unfinished`, or `late`."""

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


class JudgedShakes(NamedTuple):
    """Every shake of a round, judged; the one that decides, and its dice where they are known."""

    looked: tuple[JudgedShake, ...]
    deciding: JudgedShake | None
    dice: Dice | None

    @property
    def last(self) -> JudgedShake | None:
        """The last shake of the round; one after its close where there was no other."""
        own = [look for look in self.looked if look.verdict != "late"]
        return next(iter([*reversed(own), *self.looked]), None)

    @property
    def faces(self) -> str:
        """The dice that decide as they lay: `4-1-2`; empty where none do."""
        return "-".join(self.deciding.faces) if self.deciding and self.dice else ""

    @property
    def result(self) -> str:
        """The dice that decide in the game's order: `1-2-4`; empty where none do."""
        return "-".join(map(str, self.dice or ()))


# The dice are shaken when betting has ended (5.2.2, 8.2.2, 10.2.2).
WAITS: Waits = (e.ShakerStarted, e.ShakerStopped, e.ShakerOpened, e.DiceObserved)
ENDING = (*shakes.SHOWING, e.ReshakeOrdered)  # from then on a shake is known to need another
STATUS = {"valid": "settled", "unknown": "unknown"}
VERDICT = {
    "valid": "valid",
    "again": "to be repeated",
    "unknown": "unknown",
    "unfinished": "not finished",
    "late": "of no round",
}


def look(book: ShakenDiceClauses, events: Sequence[e.Event]) -> JudgedShakes:
    """The shakes of a round: the first that counts, or may count, decides."""
    late = after_close.ids(events)
    looked = tuple(
        _late(book, shake) if shake.evidence[0] in late else _look(book, shake)
        for shake in shakes.read(events)
    )
    deciding = next((look for look in looked if look.verdict in ("valid", "unknown")), None)
    if deciding is None:
        return JudgedShakes(looked, None, None)
    return JudgedShakes(looked, deciding, book.dice(deciding.faces))


def betting_end(book: ShakenDiceClauses, events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends once the dice that decide can be seen at rest (issue betting_ends)."""
    del terms
    seen = look(book, events)
    decides = seen.deciding.shake.evidence if seen.deciding else ()
    again = {at for look in seen.looked if look.verdict == "again" for at in look.shake.evidence}
    return find(events, one_of(decides, shakes.SHOWING, DICE), again)


def wagers_at_close(book: ShakenDiceClauses, round: Round, seen: JudgedShakes) -> tuple[Wager, ...]:
    """The wagers as they lay when betting ended: at the close, or with the dice in sight."""
    in_vain = set(reshake_bets.taken_back(round.events, _repeated(round.events, seen)))
    return at_close(round.events, round.betting_end, book.legal, refused=in_vain)


def _repeated(events: Sequence[e.Event], seen: JudgedShakes) -> list[e.Event | None]:
    """Where it showed that a shake was to be repeated (5.5, 8.5, 10.5)."""
    again = (look.shake.evidence for look in seen.looked if look.verdict == "again")
    return [reshake_bets.first_of(events, shake, ENDING) for shake in again]


def ruled(
    book: ShakenDiceClauses,
    round: Round,
    terms: Terms,
    seen: JudgedShakes,
    wagers: Sequence[Wager],
    *,
    outcome: str,
    facts: frozenset[str],
    **issues: bool,
) -> Ruled:
    """The round: settled by the shake that decides, else open, else unknown.

    `issues` are the rule issues of the game alone, and whether this round rests on them.
    """
    last = seen.deciding or seen.last
    clauses = last.clauses if last else (book.closed,)
    void = seen.deciding is None and bool(declared_void.ids(round.events))
    status = STATUS[seen.deciding.verdict] if seen.deciding else "unsettled"
    if void and terms.readings["unsettled"] == "void_as_declared":
        status = "void"
    fate = "" if seen.dice else {"void": "void"}.get(status, "open")
    strange = tuple(strange_words.remarks(book.words, round.events))
    limits = [
        remark.flag for remark in posted_limits.remarks(book.closed, wagers, terms, book.legal)
    ]
    relied = issues | {
        "observation": seen.deciding is not None and not seen.deciding.verified,
        "withdrawals": any(wager.withdrawal for wager in wagers),
        "betting_ends": decided_by(round.events, round.betting_end),
        "limits": bool(limits),
        "unsettled": void,
    }
    return Ruled(
        status=status,
        outcome=outcome,
        facts=facts,
        stands=tuple(_stand(book, wager, fate, clauses, limits) for wager in wagers),
        flags=(
            *_flags(book, round, seen),
            *_wager_flags(book, wagers),
            *limits,
            *(remark.flag for remark in strange),
        ),
        steps=(*_steps(book, seen, outcome), *(remark.step for remark in strange)),
        clauses=clauses,
        result=seen.result,
        readings={name: terms.readings[name] for name in sorted(relied) if relied[name]},
    )


def said(book: ShakenDiceClauses, result: str) -> str:
    """An entered result with its faces in the game's order: `4-1-2` is `1-2-4`."""
    dice = book.dice(book.entry(result) or ())
    return "-".join(map(str, dice)) if dice else result.strip().lower()


def mispaid(book: ShakenDiceClauses, gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due."""
    for due, found in gaps:
        yield Flag("MISPAY", book.paid, due.wager_id, told_gaps(found))


def _look(book: ShakenDiceClauses, shake: Shake) -> JudgedShake:
    faults = shakes.faults(shake, book.least)
    readings = {name: faces for name, faces in shake.faces.items() if book.dice(faces)}
    seen = next(iter(readings.values()), ())
    if faults:
        why = ", ".join(_sentence(book, fault) for fault in faults)
        clauses = dict.fromkeys((*(_clause(book, fault) for fault in faults), book.reshake))
        return JudgedShake(shake, "again", why, tuple(clauses), seen)
    if _doubtful(book, shake):
        return JudgedShake(shake, "unknown", _counted(shake), (book.tumbles,), seen)
    differ = _differ(book, shake, readings)
    if differ:
        return JudgedShake(shake, "unknown", differ, (book.entered,))
    if readings:
        return JudgedShake(
            shake, "valid", f"read by {' and '.join(readings)}", (book.entered,), seen
        )
    return _dealers_word(book, shake)


def _late(book: ShakenDiceClauses, shake: Shake) -> JudgedShake:
    why = "the round was closed before it began"
    return JudgedShake(shake, "late", why, (book.reshake,), next(iter(shake.faces.values()), ()))


def _dealers_word(book: ShakenDiceClauses, shake: Shake) -> JudgedShake:
    """Rule issue observation: where nobody else read the dice, the dealer's entry leads."""
    if shake.ordered:
        why = f"{_sentence(book, shake.ordered)}, by the dealer's word"
        clauses = (_clause(book, shake.ordered), book.reshake)
        return JudgedShake(shake, "again", why, clauses, verified=False)
    read_out = (book.entered,)
    faces = book.entry(shake.entered[-1]) if shake.entered else None
    if faces:
        return JudgedShake(
            shake, "valid", "read by the dealer alone", read_out, faces, verified=False
        )
    if shake.at_rest:
        return JudgedShake(shake, "unknown", "nobody could read the dice", read_out)
    return JudgedShake(shake, "unfinished", "the dice did not come to rest", read_out)


def _sentence(book: ShakenDiceClauses, fault: str) -> str:
    known = {
        "overlap": "dice lie on one another",
        "not_flat": "a die does not lie flat",
        "tumbles": f"fewer than {book.least} tumbles",
    }
    return known.get(fault, fault)


def _clause(book: ShakenDiceClauses, fault: str) -> str:
    return book.tumbles if fault == "tumbles" else book.lying


def _differ(book: ShakenDiceClauses, shake: Shake, readings: Mapping[str, Faces]) -> str:
    """The readings that differ, as a sentence; empty where they agree."""
    sound = shakes.sound(shake)
    if len(sound) < len(shake.witnesses):
        return f"only {' and '.join(sound)} saw every die lie flat and apart"
    looks = dict.fromkeys(faces for faces in shake.seen_by_camera if book.dice(faces))
    if len({book.dice(faces) for faces in looks}) > 1:
        return f"camera read {' and '.join('-'.join(faces) for faces in looks)}"
    if len({book.dice(faces) for faces in readings.values()}) > 1:
        return ", ".join(f"{name} read {'-'.join(faces)}" for name, faces in readings.items())
    return ""


def _doubtful(book: ShakenDiceClauses, shake: Shake) -> bool:
    """Whether the stops of one shake differ on how often it must tumble."""
    return bool(shake.tumbles) and shake.tumbles[0] < book.least <= shake.tumbles[-1]


def _counted(shake: Shake) -> str:
    return f"the shaker counted {' and '.join(map(str, shake.tumbles))} tumbles of one shake"


def _stand(
    book: ShakenDiceClauses,
    wager: Wager,
    fate: str,
    clauses: tuple[str, ...],
    limits: Iterable[Flag],
) -> Stand:
    """A wager for the paytable; refused, or open or void by some clauses without a result."""
    broken = (flag for flag in limits if flag.subject == wager.wager_id)
    codes = tuple(flag.code for flag in (*_wager_flags(book, [wager]), *broken))
    action = Fraction(wager.stake)
    if wager.late:
        return Stand(wager, action, "refused", (book.closed,), codes)
    if not book.legal(wager.bet):
        return Stand(wager, action, "refused", (book.layout,), codes)
    if fate:
        return Stand(wager, action, fate, clauses, codes)
    return Stand(wager, action, "", (book.reshake,) if wager.withdrawal else (), codes)


def _wager_flags(book: ShakenDiceClauses, wagers: Iterable[Wager]) -> Iterator[Flag]:
    for wager in wagers:
        name = wager.wager_id
        if wager.late:
            yield Flag("LATE_BET", book.closed, name, "placed after betting had ended")
        if not book.legal(wager.bet):
            yield Flag("ILLEGAL_POSITION", book.layout, name, f"{wager.bet} is not on the layout")
        if wager.late or not book.legal(wager.bet):
            continue
        if wager.illegal_moves:
            yield Flag("ILLEGAL_POSITION", book.layout, name, "moved to a place the layout has not")
        if wager.late_changes:
            yield Flag("LATE_BET", book.closed, name, "changed after betting had ended")
        if wager.withdrawal:
            when = "in a re-shake case" if wager.withdrawal.early else "after betting had ended"
            yield Flag("WITHDRAWAL_REFUSED", book.reshake, name, f"taken back {when}")


def _flags(book: ShakenDiceClauses, round: Round, seen: JudgedShakes) -> Iterator[Flag]:
    """What the audit must know of the shakes."""
    deciding, events = seen.deciding, round.events
    yield from (at.flag for at in not_closed(book.closed, round))
    yield from _before_close(book, events, seen)
    yield from _missed(book, events, seen)
    yield from _unfounded(book, seen)
    for look in seen.looked:
        if len(look.shake.tumbles) > 1:
            yield Flag("COUNT_CONTRADICTED", book.tumbles, look.subject, _counted(look.shake))
    if deciding and deciding.verdict == "unknown":
        yield Flag("RESULT_UNKNOWN", book.entered, deciding.subject, deciding.why)
        return
    if deciding and not deciding.verified:
        yield Flag("UNVERIFIABLE", book.entered, note="nobody but the dealer read the dice")
    for source, entry in _recorded(events).items():
        if said(book, entry) != seen.result:
            faces = book.entry(entry)
            subject = "-".join(faces) if faces else entry
            note = f"{source} says {subject}, {seen.result or 'no valid shake'} was derived"
            yield Flag("RESULT_MISMATCH", book.entered, subject, note)


def _before_close(
    book: ShakenDiceClauses, events: Iterable[e.Event], seen: JudgedShakes
) -> Iterator[Flag]:
    closed = next(
        (event.seq for event in events if isinstance(event.payload, e.BettingClosed)), None
    )
    for look in seen.looked:
        if closed is not None and look.shake.seen and look.shake.seq < closed:
            note = "the shaker was at work before betting was closed"
            yield Flag("SHAKE_BEFORE_CLOSE", book.closed, look.subject, note)


def _missed(
    book: ShakenDiceClauses, events: Iterable[e.Event], seen: JudgedShakes
) -> Iterator[Flag]:
    """A shake to be repeated whose result was taken, or a round that ends without a valid one."""
    end = seen.deciding.shake.index if seen.deciding else len(seen.looked)
    again = [look for look in seen.looked[:end] if look.verdict == "again"]
    for look in again:
        if look.shake.entered or (seen.deciding is None and look is again[-1]):
            yield Flag("RESHAKE_MISSED", look.clauses[0], look.subject, look.why)
    if (
        again
        or seen.deciding
        or not any(isinstance(event.payload, e.RoundClosed) for event in events)
    ):
        return
    last = seen.last
    if last:
        yield Flag("RESHAKE_MISSED", last.clauses[0], last.subject, last.why)
    else:
        yield Flag("RESHAKE_MISSED", book.closed, note="the round was closed without a shake")


def _unfounded(book: ShakenDiceClauses, seen: JudgedShakes) -> Iterator[Flag]:
    for look in seen.looked:
        if look.verdict == "valid" and (look is not seen.looked[-1] or look.shake.ordered):
            note = "a valid shake was repeated, it decides all the same"
            yield Flag("RESHAKE_UNFOUNDED", book.reshake, look.subject, note)
        shake = look.shake
        later = any(other.shake.started for other in seen.looked[shake.index + 1 :])
        if shake.ordered and later and not (shake.seen or shake.entered):
            note = "a re-shake was announced before anything was shaken"
            yield Flag("RESHAKE_UNFOUNDED", book.reshake, look.subject, note)


def _recorded(events: Iterable[e.Event]) -> dict[str, str]:
    """The last result of each source that called or showed one."""
    called = (event.payload for event in events if isinstance(event.payload, e.ResultCalled))
    return {word.shown_by: word.result for word in called}


def _steps(book: ShakenDiceClauses, seen: JudgedShakes, outcome: str) -> Iterator[Step]:
    """Each shake, and the result of the one that decides."""
    for look in seen.looked:
        shake = look.shake
        faces = "-".join(look.faces) or "faces unknown"
        counts = " or ".join(map(str, shake.tumbles))
        turned = f"{counts} tumbles" if counts else "tumbles not counted"
        text = f"shake {shake.index}: {faces}, {turned}: {VERDICT[look.verdict]}, {look.why}"
        yield Step(text, look.clauses, shake.evidence)
    if seen.deciding and seen.dice:
        text = f"shake {seen.deciding.subject} is the first valid one and decides: {outcome}"
        yield Step(text, book.decides, seen.deciding.shake.evidence)

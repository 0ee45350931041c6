"""Xoc Dia: which throw decides, which is repeated, which makes the round void (SA-XD:11.4)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games import xoc_dia as game
from replay.games.xoc_dia import Faces, throws
from replay.games.xoc_dia.throws import Readings, Throw
from replay.ruled import Flag, Step
from replay.rulings.shared import after_close, shake_words
from replay.sentence import Sentence, say
from schemas import events as e

REVEALED = "SA-XD:11.2.3"
OVERLAP, DROPPED, STANDING = "SA-XD:11.4.1", "SA-XD:11.4.2", "SA-XD:11.4.3"
FORGOTTEN, TOUCHED = "SA-XD:11.4.4", "SA-XD:11.4.5"


class ThrowCase(NamedTuple):
    """One case of special handling: its word, what it does to the throw, and when it holds."""

    reason: str
    verdict: str  # again or void
    clause: str
    why: Sentence
    holds: Callable[[Throw, int | None], bool]  # given where betting was closed


class JudgedThrow(NamedTuple):
    """One throw judged: `valid`, `again`, `void`, `unknown`, `unfinished`, or `late`."""

    throw: Throw
    verdict: str
    why: Sentence
    clauses: tuple[str, ...] = (REVEALED,)
    faces: Faces = ()
    reason: str = ""  # the case it is
    verified: bool = True  # whether anybody but the dealer saw it
    unseen: bool = False  # whether it is void only by what no reading tells

    @property
    def subject(self) -> str:
        """How a flag names the throw: its number, from 0."""
        return str(self.throw.index)


NOT_SHAKEN = ThrowCase(
    "not_shaken",
    "void",
    FORGOTTEN,
    say("SA-XD.revealed_unshaken"),
    lambda throw, _: throw.opened is not None and not throw.shaken,
)
EARLY = ThrowCase(
    "early_reveal",
    "void",
    FORGOTTEN,
    say("SA-XD.revealed_early"),
    lambda throw, closed: throw.opened is not None and _before(throw.opened, closed),
)
UNSHAKEN = ThrowCase(
    "not_shaken",
    "void",
    FORGOTTEN,
    say("SA-XD.fell_and_not_shaken_again"),
    lambda throw, _: throw.unshaken,
)
DROP = ThrowCase(
    "dropped", "again", DROPPED, say("SA-XD.fell_while_shaking"), lambda throw, _: throw.dropped
)
LATER_DROP = ThrowCase(
    "dropped",
    "again",
    DROPPED,
    say("SA-XD.fell_after_shaking"),
    lambda throw, _: throw.fell_later,
)
LATER_DROP_VOID = LATER_DROP._replace(reason="bowl_touched", verdict="void", clause=TOUCHED)
TOUCH = ThrowCase(
    "bowl_touched",
    "void",
    TOUCHED,
    say("SA-XD.bowl_touched_token"),
    lambda throw, _: throw.bowl is not None and throw.bowl.touched_token,
)
STAND = ThrowCase(
    "standing", "again", STANDING, say("SA-XD.token_stands"), lambda throw, _: throw.standing
)

VERDICT = {
    **shake_words.VERDICT,
    "again": say("SA-XD.throw_again"),
    "void": say("SA-XD.round_void"),
}
BY_WORD = {"standing": STANDING}  # the clause of a re-shake that only the dealer speaks of


def cases(readings: Mapping[str, str]) -> tuple[ThrowCase, ...]:
    """The cases in the order they are judged, by the posted readings."""
    later = LATER_DROP_VOID if readings["dropped_later"] == "void" else LATER_DROP
    last = [TOUCH, later, STAND]
    if readings["precedence"] == "reshake_first":
        last = [STAND, TOUCH, later]
    return (UNSHAKEN, DROP, NOT_SHAKEN, EARLY, *last)


def looks(events: Sequence[e.Event], readings: Mapping[str, str]) -> tuple[JudgedThrow, ...]:
    """Every throw of a round, judged."""
    closed = next(
        (event.seq for event in events if isinstance(event.payload, e.BettingClosed)), None
    )
    order, late = cases(readings), after_close.ids(events)
    return tuple(
        _late(throw) if throw.evidence[0] in late else _look(throw, closed, order)
        for throw in throws.read(events)
    )


def decisive(looked: Iterable[JudgedThrow]) -> JudgedThrow | None:
    """The first throw that is not to be repeated; None where each is, or nothing was revealed."""
    return next((look for look in looked if look.verdict in ("valid", "void", "unknown")), None)


def steps(looked: Iterable[JudgedThrow]) -> Iterator[Step]:
    """Each throw, and why it counts or does not."""
    for look in looked:
        text = say(
            "SA-XD.throw",
            number=look.throw.index,
            faces=shake_words.faces(look.faces) if look.faces else say("shared.faces_unknown"),
            verdict=VERDICT[look.verdict],
            why=look.why,
        )
        yield Step(text, look.clauses, look.throw.evidence)


def flags(looked: Sequence[JudgedThrow], *, closed: bool) -> Iterator[Flag]:
    """What the audit must know of the throws, of a round that is `closed` or still open."""
    deciding = decisive(looked)
    yield from _missed(looked, deciding, closed=closed)
    if deciding is None:
        return
    if deciding.verdict == "void":
        yield Flag("ROUND_VOID", deciding.clauses[0], deciding.reason, deciding.why)
        if deciding is not looked[-1]:
            note = say("SA-XD.shaken_in_void_round")
            yield Flag("PLAY_AFTER_VOID", deciding.clauses[0], deciding.subject, note)
        return
    yield from _unfounded(looked)
    yield from _stick(deciding)
    if deciding.verdict == "unknown":
        yield Flag("RESULT_UNKNOWN", REVEALED, deciding.subject, deciding.why)
    elif not deciding.verified:
        yield Flag("UNVERIFIABLE", REVEALED, note=say("SA-XD.read_by_dealer_only"))


def _before(place: int, closed: int | None) -> bool:
    """Whether something happened in the betting period, which lasts where nobody closed it."""
    return closed is None or place < closed


def _look(throw: Throw, closed: int | None, order: Iterable[ThrowCase]) -> JudgedThrow:
    case = next((case for case in order if case.holds(throw, closed)), None)
    if case:
        faces = throw.lay[0][1] if throw.lay else ()
        unseen = _unseen(case, throw, closed)
        return JudgedThrow(
            throw, case.verdict, case.why, (case.clause,), faces, case.reason, unseen=unseen
        )
    if throw.lay:
        return _agreed(throw, throw.lay, moved=False)
    if throw.moved and not throw.flipped:
        return _agreed(throw, throw.moved, moved=True)
    if throw.flipped:  # rule issue rearranged
        return JudgedThrow(throw, "unknown", say("SA-XD.flipped_unread"), (OVERLAP,))
    return _dealers_word(throw)


def _unseen(case: ThrowCase, throw: Throw, closed: int | None) -> bool:
    """Whether the end of a shake that began is missing, or the shaker, or the countdown's end."""
    silent = throw.bowl is None and not throw.revealed  # only a camera or the dealer saw tokens
    not_told = case is NOT_SHAKEN and (throw.started or silent)
    return not_told or (case is EARLY and closed is None)


def _late(throw: Throw) -> JudgedThrow:
    why = say("shared.shaken_after_closing")
    return JudgedThrow(throw, "late", why, reason="after_close")


def _agreed(throw: Throw, readings: Readings, *, moved: bool) -> JudgedThrow:
    """The tokens all sure readings agree on; only the number of reds matters."""
    if len({game.reds(faces) for _, faces in readings}) > 1:
        return JudgedThrow(throw, "unknown", _difference(readings, moved=moved))
    who = tuple(dict.fromkeys(witness for witness, _ in readings))
    why = say("SA-XD.read_after_stick", who=who) if moved else say("shared.read_by", who=who)
    clauses = (REVEALED, OVERLAP) if throw.overlapping else (REVEALED,)
    return JudgedThrow(throw, "valid", why, clauses, readings[0][1])


def _difference(readings: Readings, *, moved: bool) -> Sentence:
    each = tuple(shake_words.reading(witness, tuple(faces)) for witness, faces in readings)
    if moved:
        return say("SA-XD.readings_differ_after_stick", readings=each)
    return say("shared.readings_differ", readings=each)


def _dealers_word(throw: Throw) -> JudgedThrow:
    """Rule issue observation: where nobody else read the tokens, the dealer's entry leads."""
    if throw.ordered:
        clause = BY_WORD.get(throw.ordered, DROPPED)
        why = say("shared.by_dealers_word", why=say("shared.reason_given", why=throw.ordered))
        return JudgedThrow(throw, "again", why, (clause,), reason=throw.ordered, verified=False)
    faces = game.entered(throw.entered[-1]) if throw.entered else None
    if faces:
        why = say("shared.read_by_dealer_alone")
        return JudgedThrow(throw, "valid", why, faces=faces, verified=False)
    if throw.opened is not None or throw.entered:
        return JudgedThrow(throw, "unknown", say("SA-XD.tokens_unread"))
    return JudgedThrow(throw, "unfinished", say("SA-XD.tokens_not_revealed"))


def _missed(
    looked: Sequence[JudgedThrow], deciding: JudgedThrow | None, *, closed: bool
) -> Iterator[Flag]:
    """A throw to be repeated whose result was taken, or after which no other decided."""
    again = [look for look in looked if look.verdict == "again"]
    if deciding:
        again = [look for look in again if look.throw.index < deciding.throw.index]
    for look in again:
        if look.throw.entered or (deciding is None and look is again[-1]):
            yield Flag("RESHAKE_MISSED", look.clauses[0], look.reason, look.why)
    if again or deciding:
        return
    late = next((look for look in looked if look.verdict == "late"), None)
    if late:
        yield Flag("RESHAKE_MISSED", late.clauses[0], late.reason, late.why)
    elif looked and closed:
        yield Flag("RESHAKE_MISSED", looked[-1].clauses[0], looked[-1].verdict, looked[-1].why)
    elif closed:
        yield Flag("RESHAKE_MISSED", REVEALED, note=say("SA-XD.closed_without_throw"))


def _unfounded(looked: Sequence[JudgedThrow]) -> Iterator[Flag]:
    for look in looked:
        if look.verdict == "valid" and (look is not looked[-1] or look.throw.ordered):
            note = say("SA-XD.valid_throw_repeated")
            yield Flag("RESHAKE_UNFOUNDED", REVEALED, look.subject, note)
        throw = look.throw
        later = any(other.throw.started for other in looked[throw.index + 1 :])
        nothing = not (throw.started or throw.shaken or throw.opened or throw.entered)
        if throw.ordered and later and nothing:
            note = say("SA-XD.announced_before_shaking")
            yield Flag("RESHAKE_UNFOUNDED", REVEALED, look.subject, note)


def _stick(look: JudgedThrow) -> Iterator[Flag]:
    """How the dealer dealt with tokens on one another."""
    throw = look.throw
    if throw.overlapping and not throw.sticks:
        yield Flag("NOT_REARRANGED", OVERLAP, look.subject, say("SA-XD.overlap_left"))
    if throw.sticks and throw.revealed and not throw.overlapping:
        yield Flag("REARRANGE_UNFOUNDED", OVERLAP, look.subject, say("SA-XD.no_overlap"))
    if throw.turned and look.faces:
        after = tuple(throw.turned[0][1])
        note = say("SA-XD.stick_changed", before=tuple(look.faces), after=after)
        yield Flag("REARRANGE_CHANGED_OUTCOME", OVERLAP, look.subject, note)

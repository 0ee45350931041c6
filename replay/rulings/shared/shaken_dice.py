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
    shake_words,
    strange_words,
)
from replay.rulings.shared.remark import not_closed
from replay.sentence import Sentence, say
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
    total: Callable[[Dice], int] | None = None  # the score of the dice, where the game has one

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
    why: Sentence
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
    def result(self) -> str:
        """The dice that decide in the game's order: `1-2-4`; empty where none do."""
        return word(self.dice or ())


# The dice are shaken when betting has ended (5.2.2, 8.2.2, 10.2.2).
WAITS: Waits = (e.ShakerStarted, e.ShakerStopped, e.ShakerOpened, e.DiceObserved)
ENDING = (*shakes.SHOWING, e.ReshakeOrdered)  # from then on a shake is known to need another
STATUS = {"valid": "settled", "unknown": "unknown"}


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
        outcome=_outcome(book, seen),
        facts=facts,
        stands=tuple(_stand(book, wager, fate, clauses, limits) for wager in wagers),
        flags=(
            *flags(book, round, seen),
            *_wager_flags(book, wagers),
            *limits,
            *(remark.flag for remark in strange),
        ),
        steps=(*_steps(book, seen), *(remark.step for remark in strange)),
        clauses=clauses,
        result=seen.result,
        readings={name: terms.readings[name] for name in sorted(relied) if relied[name]},
    )


def _outcome(book: ShakenDiceClauses, seen: JudgedShakes) -> str:
    if seen.deciding is None or seen.dice is None:
        return ""
    return shown(book, seen.deciding.faces, seen.dice)


def shown(book: ShakenDiceClauses, faces: Faces, dice: Dice) -> str:
    """The result for people: `4-1-2 (7)`, without the total in a game that has none."""
    lay = "-".join(faces)
    return lay if book.total is None else f"{lay} ({book.total(dice)})"


def word(dice: Dice) -> str:
    """The dice in the game's order, as calls are compared with them: `1-2-4`."""
    return "-".join(map(str, dice))


def said(book: ShakenDiceClauses, result: str) -> str:
    """An entered result with its faces in the game's order: `4-1-2` is `1-2-4`."""
    dice = book.dice(book.entry(result) or ())
    return word(dice) if dice else result.strip().lower()


def mispaid(book: ShakenDiceClauses, gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due."""
    for due, found in gaps:
        yield Flag("MISPAY", book.paid, due.wager_id, told_gaps(found))


def _look(book: ShakenDiceClauses, shake: Shake) -> JudgedShake:
    faults = shakes.faults(shake, book.least)
    readings = {name: faces for name, faces in shake.faces.items() if book.dice(faces)}
    seen = next(iter(readings.values()), ())
    if faults:
        why = say(
            "shared.shake_faults",
            faults=tuple(shake_words.fault(fault, book.least) for fault in faults),
        )
        clauses = dict.fromkeys((*(_clause(book, fault) for fault in faults), book.reshake))
        return JudgedShake(shake, "again", why, tuple(clauses), seen)
    if _doubtful(book, shake):
        return JudgedShake(shake, "unknown", shake_words.counted(shake), (book.tumbles,), seen)
    differ = _difference(book, shake, readings)
    if differ:
        return JudgedShake(shake, "unknown", differ, (book.entered,))
    if readings:
        why = say("shared.read_by", who=tuple(readings))
        return JudgedShake(shake, "valid", why, (book.entered,), seen)
    return _dealers_word(book, shake)


def _late(book: ShakenDiceClauses, shake: Shake) -> JudgedShake:
    why = say("shared.shaken_after_closing")
    return JudgedShake(shake, "late", why, (book.reshake,), next(iter(shake.faces.values()), ()))


def _dealers_word(book: ShakenDiceClauses, shake: Shake) -> JudgedShake:
    """Rule issue observation: where nobody else read the dice, the dealer's entry leads."""
    if shake.ordered:
        why = say("shared.by_dealers_word", why=shake_words.fault(shake.ordered, book.least))
        clauses = (_clause(book, shake.ordered), book.reshake)
        return JudgedShake(shake, "again", why, clauses, verified=False)
    read_out = (book.entered,)
    faces = book.entry(shake.entered[-1]) if shake.entered else None
    if faces:
        why = say("shared.read_by_dealer_alone")
        return JudgedShake(shake, "valid", why, read_out, faces, verified=False)
    if shake.at_rest:
        return JudgedShake(shake, "unknown", say("shared.dice_unread"), read_out)
    return JudgedShake(shake, "unfinished", say("shared.dice_not_at_rest"), read_out)


def _clause(book: ShakenDiceClauses, fault: str) -> str:
    return book.tumbles if fault == "tumbles" else book.lying


def _difference(
    book: ShakenDiceClauses, shake: Shake, readings: Mapping[str, Faces]
) -> Sentence | None:
    """How the readings differ; None where they agree."""
    sound = shakes.sound(shake)
    if len(sound) < len(shake.witnesses):
        return say("shared.only_some_saw_dice_flat", who=tuple(sound))
    looks = dict.fromkeys(faces for faces in shake.seen_by_camera if book.dice(faces))
    if len({book.dice(faces) for faces in looks}) > 1:
        return say("shared.camera_read", looks=tuple(map(shake_words.faces, looks)))
    if len({book.dice(faces) for faces in readings.values()}) > 1:
        return say(
            "shared.readings_differ",
            readings=tuple(shake_words.reading(*at) for at in readings.items()),
        )
    return None


def _doubtful(book: ShakenDiceClauses, shake: Shake) -> bool:
    """Whether the stops of one shake differ on how often it must tumble."""
    return bool(shake.tumbles) and shake.tumbles[0] < book.least <= shake.tumbles[-1]


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
        name, legal = wager.wager_id, book.legal(wager.bet)
        if wager.late:
            yield Flag("LATE_BET", book.closed, name, say("shared.bet_late", bet=wager.bet))
        if not legal:
            note = say("shared.bet_not_on_layout", bet=wager.bet)
            yield Flag("ILLEGAL_POSITION", book.layout, name, note)
        if wager.late or not legal:
            continue
        if wager.illegal_moves:
            yield Flag("ILLEGAL_POSITION", book.layout, name, say("shared.bet_moved_off_layout"))
        if wager.late_changes:
            yield Flag("LATE_BET", book.closed, name, say("shared.changed_late"))
        if wager.withdrawal:
            note = reshake_bets.withdrawal(wager.withdrawal)
            yield Flag("WITHDRAWAL_REFUSED", book.reshake, name, note)


def flags(book: ShakenDiceClauses, round: Round, seen: JudgedShakes) -> Iterator[Flag]:
    """What the audit must know of the shakes."""
    deciding, events = seen.deciding, round.events
    yield from (at.flag for at in not_closed(book.closed, round))
    yield from _before_close(book, events, seen)
    yield from _missed(book, events, seen)
    yield from _unfounded(book, seen)
    for look in seen.looked:
        if len(look.shake.tumbles) > 1:
            yield Flag(
                "COUNT_CONTRADICTED", book.tumbles, look.subject, shake_words.counted(look.shake)
            )
    if deciding and deciding.verdict == "unknown":
        yield Flag("RESULT_UNKNOWN", book.entered, deciding.subject, deciding.why)
        return
    if deciding and not deciding.verified:
        yield Flag("UNVERIFIABLE", book.entered, note=say("shared.dice_read_by_dealer_only"))
    for source, entry in _recorded(events).items():
        if said(book, entry) != seen.result:
            faces = book.entry(entry)
            subject = "-".join(faces) if faces else entry
            called = shake_words.faces(faces) if faces else entry
            note = say("shared.call_without_shake", source=source, called=called)
            if seen.dice:
                derived = shake_words.faces(seen.dice)
                note = say("shared.call_differs", source=source, called=called, derived=derived)
            yield Flag("RESULT_MISMATCH", book.entered, subject, note)


def _before_close(
    book: ShakenDiceClauses, events: Iterable[e.Event], seen: JudgedShakes
) -> Iterator[Flag]:
    closed = next(
        (event.seq for event in events if isinstance(event.payload, e.BettingClosed)), None
    )
    for look in seen.looked:
        if closed is not None and look.shake.seen and look.shake.seq < closed:
            note = say("shared.shaken_before_close")
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
        yield Flag("RESHAKE_MISSED", book.closed, note=say("shared.closed_without_shake"))


def _unfounded(book: ShakenDiceClauses, seen: JudgedShakes) -> Iterator[Flag]:
    for look in seen.looked:
        if look.verdict == "valid" and (look is not seen.looked[-1] or look.shake.ordered):
            note = say("shared.valid_shake_repeated")
            yield Flag("RESHAKE_UNFOUNDED", book.reshake, look.subject, note)
        shake = look.shake
        later = any(other.shake.started for other in seen.looked[shake.index + 1 :])
        if shake.ordered and later and not (shake.seen or shake.entered):
            note = say("shared.reshake_before_shaking")
            yield Flag("RESHAKE_UNFOUNDED", book.reshake, look.subject, note)


def _recorded(events: Iterable[e.Event]) -> dict[str, str]:
    """The last result of each source that called or showed one."""
    called = (event.payload for event in events if isinstance(event.payload, e.ResultCalled))
    return {word.shown_by: word.result for word in called}


def _steps(book: ShakenDiceClauses, seen: JudgedShakes) -> Iterator[Step]:
    """Each shake, and the result of the one that decides."""
    for look in seen.looked:
        text = shake_words.judged(look.shake, look.verdict, look.faces, look.why)
        yield Step(text, look.clauses, look.shake.evidence)
    if seen.deciding and seen.dice:
        total = book.total(seen.dice) if book.total else None
        text = shake_words.decides(seen.deciding.shake, seen.deciding.faces, total)
        yield Step(text, book.decides, seen.deciding.shake.evidence)

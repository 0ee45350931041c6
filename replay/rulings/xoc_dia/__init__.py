"""Xoc Dia of SA Gaming: what becomes of a round and its wagers.

Rulebook SA-XD, report SAB.SAES.1001.01, game 11. `throws` judges each throw of the tokens in turn
by 11.4: after a drop or a standing token the dealer shakes again, a forgotten shake and a bowl that
came off early or touched a token void the round, and the first valid throw decides. `rule` refuses
what was never good, gives back or leaves open what no throw decides, and leaves the rest to the
paytable (11.2).

Nothing is carried to the next round.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from replay.betting_end import TOKENS, End, decided_by, find, one_of
from replay.games import xoc_dia as game
from replay.games.xoc_dia.throws import EQUIPMENT, FLIPPED, SHOWING
from replay.play_events import SHAKEN_TOKENS
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Waits
from replay.rulings.shared import (
    declared_void,
    posted_limits,
    reshake_bets,
    shake_words,
    strange_words,
)
from replay.rulings.shared.remark import not_closed
from replay.rulings.xoc_dia import throws
from replay.rulings.xoc_dia.throws import REVEALED, JudgedThrow
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps, told_gaps
from replay.wagers import Wager, at_close
from schemas import events as e

LAYOUT = "SA-XD:11.3"
AGAIN = (*SHOWING, e.EquipmentDropped, e.ReshakeOrdered)  # what shows that a throw is repeated
STATUS = {"valid": "settled", "void": "void", "unknown": "unknown"}
COUNTDOWN = True
WAITS: Waits = ()  # the bowl is shaken while bets are taken
NO_RESULT = ("void", "no result")
WORDS = strange_words.Lexicon(
    clause="SA-XD:11.2.3",
    reports=(FLIPPED,),
    reshakes=("dropped", "standing"),
    dropped=EQUIPMENT,
    face=lambda side: side.lower() in game.LETTER,
    pieces=game.TOKENS,
)
KNOWN_EVENTS: Kinds = SHAKEN_TOKENS
PLAY_CLAUSE = "SA-XD:11.2"
CARRIED: Carried = {}


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends once the tokens that decide can be seen (issue betting_ends)."""
    looked = throws.looks(events, terms.readings)
    deciding = throws.decisive(looked)
    decides = deciding.throw.evidence if deciding else ()
    again = {at for look in looked if look.verdict == "again" for at in look.throw.evidence}
    return find(events, one_of(decides, SHOWING, TOKENS), again)


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 11.4: the throw that decides, and every wager as it stands."""
    del memory
    looked = throws.looks(round.events, terms.readings)
    deciding = throws.decisive(looked)
    status = STATUS[deciding.verdict] if deciding else "unsettled"
    void = deciding is None and bool(declared_void.ids(round.events))
    if void and terms.readings["unsettled"] == "void_as_declared":
        status = "void"
    faces = deciding.faces if deciding and status == "settled" else ()
    result = game.RESULT[game.reds(faces)] if faces else ""
    in_vain = _in_vain(round.events, looked, terms.readings["withdrawals"])
    wagers = at_close(round.events, round.betting_end, game.legal, in_vain)
    limits = [remark.flag for remark in posted_limits.remarks(REVEALED, wagers, terms, game.legal)]
    relied = _relied(round, looked, deciding, wagers)
    relied |= {"limits": bool(limits), "unsettled": void}
    strange = tuple(strange_words.remarks(WORDS, round.events))
    closed = any(isinstance(event.payload, e.RoundClosed) for event in round.events)
    clauses = _clauses(looked, deciding)
    fate = {"void": "void", "unsettled": "open", "unknown": "open"}.get(status, "")
    return Ruled(
        status=status,
        outcome="".join(faces),
        facts=game.facts(game.reds(faces)) if faces else frozenset(),
        stands=tuple(_stand(wager, fate, clauses, limits) for wager in wagers),
        flags=(
            *throws.flags(looked, closed=closed),
            *(at.flag for at in not_closed(REVEALED, round)),
            *_mismatched(round.events, status, result),
            *_wager_flags(wagers),
            *limits,
            *(remark.flag for remark in strange),
        ),
        steps=(*throws.steps(looked), *(remark.step for remark in strange)),
        clauses=clauses,
        result=result,
        unseen=deciding is not None and deciding.unseen,
        readings={name: terms.readings[name] for name in sorted(relied) if relied[name]},
    )


def said(result: str) -> str:
    """An entered result by its number of reds: `RWRR` is `3R1W`."""
    faces = game.entered(result)
    return game.RESULT[game.reds(faces)] if faces else result.strip().lower()


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-XD:11.2.3)."""
    for due, found in gaps:
        yield Flag("MISPAY", REVEALED, due.wager_id, told_gaps(found))


def _repeated(events: Sequence[e.Event], looked: Iterable[JudgedThrow]) -> list[e.Event | None]:
    """Where it showed that a throw was to be repeated (SA-XD:11.4.2, 11.4.3)."""
    again = (look.throw.evidence for look in looked if look.verdict == "again")
    return [reshake_bets.first_of(events, throw, AGAIN) for throw in again]


def _in_vain(events: Sequence[e.Event], looked: Iterable[JudgedThrow], reading: str) -> set[str]:
    """The ids of what was taken back in vain while betting was open (rule issue withdrawals)."""
    if reading == "also_before_a_reshake":
        return set()
    held = events if reading == "never" else _repeated(events, looked)
    return set(reshake_bets.taken_back(events, held))


def _clauses(looked: Sequence[JudgedThrow], deciding: JudgedThrow | None) -> tuple[str, ...]:
    """Why the round stands as it does: the throw that decides, or else the last one."""
    own = [look for look in looked if look.verdict != "late"]
    last = deciding or next(iter([*reversed(own), *looked]), None)
    return last.clauses if last else (REVEALED,)


def _stand(wager: Wager, fate: str, clauses: tuple[str, ...], limits: Iterable[Flag]) -> Stand:
    """A wager for the paytable; refused, void or open by some clauses."""
    broken = (flag for flag in limits if flag.subject == wager.wager_id)
    codes = tuple(flag.code for flag in (*_wager_flags([wager]), *broken))
    action = Fraction(wager.stake)
    if wager.late:
        return Stand(wager, action, "refused", (REVEALED,), codes)
    if not game.legal(wager.bet):
        return Stand(wager, action, "refused", (LAYOUT,), codes)
    return Stand(wager, action, fate, clauses if fate else (), codes)


def _mismatched(events: Iterable[e.Event], status: str, result: str) -> Iterator[Flag]:
    """The last entry of each source, where it is not what lay on the plate."""
    if status == "unknown":
        return
    called = (event.payload for event in events if isinstance(event.payload, e.ResultCalled))
    for source, entry in {word.shown_by: word.result for word in called}.items():
        if said(entry) != result and not (status == "void" and said(entry) in NO_RESULT):
            faces = game.entered(entry)
            note = _mismatch(source, shake_words.faces(faces) if faces else entry, status, result)
            yield Flag("RESULT_MISMATCH", REVEALED, "".join(faces or entry), note)


def _mismatch(source: str, called: Sentence | str, status: str, result: str) -> Sentence:
    if result:
        derived = say("SA-XD.result", result=result)
        return say("shared.call_differs", source=source, called=called, derived=derived)
    if status == "void":
        return say("SA-XD.call_in_void_round", source=source, called=called)
    return say("SA-XD.call_without_throw", source=source, called=called)


def _wager_flags(wagers: Iterable[Wager]) -> Iterator[Flag]:
    for wager in wagers:
        name, legal = wager.wager_id, game.legal(wager.bet)
        if wager.late:
            yield Flag("LATE_BET", REVEALED, name, say("shared.bet_late", bet=wager.bet))
        if not legal:
            note = say("shared.bet_not_on_layout", bet=wager.bet)
            yield Flag("ILLEGAL_POSITION", LAYOUT, name, note)
        if wager.late or not legal:
            continue
        if wager.illegal_moves:
            yield Flag("ILLEGAL_POSITION", LAYOUT, name, say("shared.bet_moved_off_layout"))
        if wager.late_changes:
            yield Flag("LATE_BET", REVEALED, name, say("shared.changed_late"))
        if wager.withdrawal:
            note = reshake_bets.withdrawal(wager.withdrawal)
            yield Flag("WITHDRAWAL_REFUSED", REVEALED, name, note)


def _relied(
    round: Round,
    looked: Sequence[JudgedThrow],
    deciding: JudgedThrow | None,
    wagers: Iterable[Wager],
) -> dict[str, bool]:
    """Which rule issues this round rests on."""
    seen = [look.throw for look in looked]
    return {
        "precedence": any(
            throw.standing and throw.bowl and throw.bowl.touched_token for throw in seen
        ),
        "dropped_later": any(throw.fell_later for throw in seen),
        "rearranged": any(throw.turned or throw.flipped for throw in seen),
        "observation": deciding is not None and not deciding.verified,
        "withdrawals": any(wager.withdrawal for wager in wagers),
        "betting_ends": decided_by(round.events, round.betting_end),
    }

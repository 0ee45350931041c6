"""Xoc Dia: what becomes of a round and its wagers.

Rulebook SA-XD, report SAB.SAES.1001.01, clauses 11.2 and 11.4; `_throws` finds the throw that
decides. Nothing is carried to the next round.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from replay.games import xoc_dia as game
from replay.games.xoc_dia_throws import SHOWING
from replay.rounds import Round
from replay.ruling import Carried, Flag, Memory, Ruled, Stand
from replay.rulings import betting_end, posted_limits, reshake_bets
from replay.rulings import xoc_dia_throws as throws
from replay.rulings.xoc_dia_throws import REVEALED, Look
from replay.settle import Due
from replay.terms import Terms
from replay.wagers import Wager, at_close
from schemas import events as e

LAYOUT = "SA-XD:11.3"
AGAIN = (*SHOWING, e.EquipmentDropped, e.ReshakeOrdered)  # what shows that a throw is repeated
STATUS = {"valid": "settled", "void": "void", "unknown": "unknown"}
CARRIED: Carried = {}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 11.4: the throw that decides, and every wager as it stands."""
    del memory
    looked = throws.looks(round.events, terms.readings)
    deciding = throws.decisive(looked)
    status = STATUS[deciding.verdict] if deciding else "unsettled"
    faces = deciding.faces if deciding and status == "settled" else ()
    result = game.RESULT[game.reds(faces)] if faces else ""
    shown = _shown(round.events, deciding)
    in_vain = set(reshake_bets.taken_back(round.events, _repeated(round.events, looked)))
    wagers = at_close(betting_end.ended_by(round.events, shown), game.legal, in_vain)
    limits = [at.flag for at in posted_limits.remarks(REVEALED, wagers, terms, game.legal)]
    relied = _relied(round.events, looked, deciding, wagers) | {"limits": bool(limits)}
    clauses = _clauses(looked, deciding)
    fate = {"void": "void", "unsettled": "open", "unknown": "open"}.get(status, "")
    return Ruled(
        status=status,
        outcome="".join(faces),
        facts=game.facts(game.reds(faces)) if faces else frozenset(),
        stands=tuple(_stand(wager, fate, clauses, limits) for wager in wagers),
        flags=(
            *throws.flags(looked),
            *(at.flag for at in betting_end.unclosed(REVEALED, round.events, shown)),
            *_mismatched(round.events, status, result),
            *_wager_flags(wagers),
            *limits,
        ),
        steps=tuple(throws.steps(looked)),
        clauses=clauses,
        result=result,
        readings={name: terms.readings[name] for name in sorted(relied) if relied[name]},
    )


def said(result: str) -> str:
    """An entered result by its number of reds: `RWRR` is `3R1W`."""
    faces = game.entered(result)
    return game.RESULT[game.reds(faces)] if faces else result.strip().lower()


def mispaid(gaps: Sequence[tuple[Due, str]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-XD:11.2.3)."""
    for due, note in gaps:
        yield Flag("MISPAY", REVEALED, due.wager_id, note)


def _shown(events: Sequence[e.Event], deciding: Look | None) -> e.Event | None:
    """Where the tokens that decide could be seen first."""
    return betting_end.first_of(events, deciding.throw.evidence, SHOWING) if deciding else None


def _repeated(events: Sequence[e.Event], looked: Iterable[Look]) -> list[e.Event | None]:
    """Where it showed that a throw was to be repeated (SA-XD:11.4.2, 11.4.3)."""
    again = (look.throw.evidence for look in looked if look.verdict == "again")
    return [betting_end.first_of(events, throw, AGAIN) for throw in again]


def _clauses(looked: Sequence[Look], deciding: Look | None) -> tuple[str, ...]:
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
    if status in ("void", "unknown"):
        return
    called = (at.payload for at in events if isinstance(at.payload, e.ResultCalled))
    for source, entry in {word.shown_by: word.result for word in called}.items():
        if said(entry) != result:
            subject = "".join(game.entered(entry) or entry)
            note = f"{source} says {subject}, {result or 'no valid throw'} was derived"
            yield Flag("RESULT_MISMATCH", REVEALED, subject, note)


def _wager_flags(wagers: Iterable[Wager]) -> Iterator[Flag]:
    for wager in wagers:
        name = wager.wager_id
        if wager.late:
            yield Flag("LATE_BET", REVEALED, name, "placed after betting had ended")
        if not game.legal(wager.bet):
            yield Flag("ILLEGAL_POSITION", LAYOUT, name, f"{wager.bet} is not on the layout")
        if wager.late or not game.legal(wager.bet):
            continue
        if wager.illegal_moves:
            yield Flag("ILLEGAL_POSITION", LAYOUT, name, "moved to a place the layout has not")
        if wager.late_changes:
            yield Flag("LATE_BET", REVEALED, name, "changed after betting had ended")
        if wager.withdrawal:
            when = "in a re-shake case" if wager.withdrawal.early else "after betting had ended"
            yield Flag("WITHDRAWAL_REFUSED", REVEALED, name, f"taken back {when}")


def _relied(
    events: Sequence[e.Event],
    looked: Sequence[Look],
    deciding: Look | None,
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
        "betting_ends": betting_end.decided_by(events, _shown(events, deciding)),
    }

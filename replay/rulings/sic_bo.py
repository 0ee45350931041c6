"""Sic Bo: what becomes of a round and its wagers.

Rulebook SA-SB, report SAB.SAES.1001.01, clauses 8.2 and 8.5; `_shakes` finds the shake that
decides. Nothing is carried to the next round.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from replay.games import sic_bo as game
from replay.rounds import Round
from replay.ruling import Flag, Memory, Ruled, Stand
from replay.rulings import sic_bo_shakes as shakes
from replay.rulings.sic_bo_shakes import CLOSED, RESHAKE, Look, said
from replay.settle import Due
from replay.terms import Terms
from replay.wagers import Wager, at_close

__all__ = ["mispaid", "rule", "said"]

LAYOUT, PAID = "SA-SB:8.3", "SA-SB:8.4"
STATUS = {"valid": "settled", "unknown": "unknown"}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 8.5: the first valid shake, and every wager as it stands."""
    del memory
    looked = shakes.looks(round.events)
    deciding = shakes.decisive(looked)
    dice = game.points(deciding.faces) if deciding else None
    result = "-".join(map(str, dice)) if dice else ""
    wagers = at_close(round.events, game.legal)
    clauses = _clauses(looked, deciding)
    return Ruled(
        status=STATUS[deciding.verdict] if deciding else "unsettled",
        outcome=f"{'-'.join(deciding.faces)} ({game.total(dice)})" if deciding and dice else "",
        facts=game.facts(dice, terms.readings["four_number"]) if dice else frozenset(),
        stands=tuple(_stand(wager, () if dice else clauses) for wager in wagers),
        flags=(*shakes.flags(round.events, looked, result), *_flags(wagers)),
        steps=tuple(shakes.steps(looked)),
        clauses=clauses,
        result=result,
        readings=_relied(wagers, deciding, terms),
    )


def mispaid(gaps: Sequence[tuple[Due, str]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-SB:8.4)."""
    for due, note in gaps:
        yield Flag("MISPAY", PAID, due.wager_id, note)


def _clauses(looked: Sequence[Look], deciding: Look | None) -> tuple[str, ...]:
    """Why the round stands as it does: the shake that decides, or else the last one."""
    last = deciding or (looked[-1] if looked else None)
    return last.clauses if last else (CLOSED,)


def _stand(wager: Wager, open_by: tuple[str, ...]) -> Stand:
    """A wager for the paytable; refused, or open by some clauses where there is no result."""
    codes = tuple(flag.code for flag in _flags([wager]))
    action = Fraction(wager.stake)
    if wager.late:
        return Stand(wager, action, "refused", (CLOSED,), codes)
    if not game.legal(wager.bet):
        return Stand(wager, action, "refused", (LAYOUT,), codes)
    if open_by:
        return Stand(wager, action, "open", open_by, codes)
    return Stand(wager, action, "", (RESHAKE,) if wager.withdrawal else (), codes)


def _flags(wagers: Iterable[Wager]) -> Iterator[Flag]:
    for wager in wagers:
        name = wager.wager_id
        if wager.late:
            yield Flag("LATE_BET", CLOSED, name, "placed after betting was closed")
            continue
        if not game.legal(wager.bet):
            yield Flag("ILLEGAL_POSITION", LAYOUT, name, f"{wager.bet} is not on the layout")
            continue
        if wager.illegal_moves:
            yield Flag("ILLEGAL_POSITION", LAYOUT, name, "moved to a place the layout has not")
        if wager.late_changes:
            yield Flag("LATE_BET", CLOSED, name, "changed after betting was closed")
        if wager.withdrawal:
            yield Flag("WITHDRAWAL_REFUSED", RESHAKE, name, "taken back after betting was closed")


def _relied(wagers: Sequence[Wager], deciding: Look | None, terms: Terms) -> dict[str, str]:
    """The rule issues whose reading this round rests on."""
    relied = {
        "four_number": any(wager.bet.startswith("four:") for wager in wagers),
        "observation": deciding is not None and not deciding.verified,
        "withdrawals": any(wager.withdrawal for wager in wagers),
    }
    return {name: terms.readings[name] for name, needed in relied.items() if needed}

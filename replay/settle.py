"""Paying: the first line of a bet whose fact holds, rounded once, with its clause."""

from fractions import Fraction
from typing import NamedTuple

from replay.book import OTHERWISE, Edition, Line
from replay.ruling import Ruled, Stand, Step
from replay.terms import Terms
from schemas import events as e
from schemas.money import whole


class Due(NamedTuple):
    """What the rules owe on one wager."""

    wager_id: str
    player_id: str
    box: str
    bet: str
    stake: int
    action: Fraction
    outcome: str  # win, lose, push, returned, refused, void, open, win_refused
    odds: str  # empty where nothing is paid
    gross_win: int
    commission: int
    paid: int  # the winnings that change hands: gross_win less commission
    collected: int
    returned: int  # stake given back
    clauses: tuple[str, ...]
    flags: tuple[str, ...] = ()

    @property
    def back(self) -> int:
        """All the player walks away with."""
        return self.returned + self.paid


def pay(stand: Stand, facts: frozenset[str], edition: Edition, terms: Terms) -> Due:
    """What one wager is due, by the fate its rulings gave it or else by the paytable."""
    if stand.fate:
        return _unsettled(stand)
    line = _line(stand.wager.bet, facts | stand.facts, edition, terms.paytable)
    odds, action = line.odds, stand.action
    gross = whole(action * odds.pays, terms.rounding)
    net = whole(action * odds.pays * (1 - odds.commission), terms.rounding)
    kept_by_player = whole(action * (1 - odds.takes), terms.rounding)
    collected = whole(action, terms.rounding) - kept_by_player if odds.result == "lose" else 0
    return _due(
        stand,
        outcome=odds.result,
        odds=str(odds.pays) if odds.result == "win" else "",
        gross_win=gross,
        commission=gross - net,
        paid=net,
        collected=collected,
        returned=stand.wager.stake - collected,
        clauses=tuple(dict.fromkeys((*stand.clauses, *line.clauses))),
    )


def step(due: Due, terms: Terms) -> Step:
    """The due as the last step of its derivation."""
    if due.outcome == "win":
        kept = f", {due.commission:,} commission kept" if due.commission else ""
        said = f"wins at {due.odds} to 1: {due.paid:,} paid{kept}, stake {due.returned:,} back"
    elif due.outcome == "lose":
        rest = f", {due.returned:,} back" if due.returned else ""
        said = f"loses: {due.collected:,} collected{rest}"
    elif due.outcome == "open":
        said = "stays open: nothing may be paid or taken"
    else:
        said = f"{due.outcome.replace('_', ' ')}: {due.returned:,} back"
    text = f"{due.bet} {due.stake:,} {terms.currency}, {due.action} in action, {said}"
    return Step(text, due.clauses, wager_id=due.wager_id)


def differences(due: Due, seen: e.WagerSettled) -> dict[str, int]:
    """What was seen less what was due, by field; empty where they agree."""
    pairs = {
        "paid": seen.paid - due.paid,
        "commission": seen.commission - due.commission,
        "collected": seen.collected - due.collected,
        "returned": seen.returned - due.returned,
    }
    return {name: gap for name, gap in pairs.items() if gap}


def dues(ruled: Ruled, edition: Edition, terms: Terms) -> tuple[Due, ...]:
    """What every wager of a ruled round is due; nothing where the round is unknown."""
    if ruled.status == "unknown":
        return ()
    return tuple(pay(stand, ruled.facts, edition, terms) for stand in ruled.stands)


def _line(position: str, facts: frozenset[str], edition: Edition, paytable: str) -> Line:
    for line in edition.lines(paytable, position):
        fact = line.fact
        if fact.startswith("it "):
            fact = position + fact[2:]
        if fact == OTHERWISE or fact in facts:
            return line
    raise AssertionError(f"{edition.code} {paytable}: {position} has no last line")


def _unsettled(stand: Stand) -> Due:
    back = 0 if stand.fate == "open" else stand.wager.stake
    return _due(
        stand,
        outcome=stand.fate,
        odds="",
        gross_win=0,
        commission=0,
        paid=0,
        collected=0,
        returned=back,
        clauses=stand.clauses,
    )


def _due(
    stand: Stand,
    *,
    outcome: str,
    odds: str,
    gross_win: int,
    commission: int,
    paid: int,
    collected: int,
    returned: int,
    clauses: tuple[str, ...],
) -> Due:
    wager = stand.wager
    assert outcome == "open" or collected + returned == wager.stake, wager.wager_id
    assert clauses, f"{wager.wager_id}: every amount carries its clause"
    return Due(
        wager.wager_id,
        wager.player_id,
        wager.box,
        wager.bet,
        wager.stake,
        stand.action,
        outcome,
        odds,
        gross_win,
        commission,
        paid,
        collected,
        returned,
        clauses,
        stand.flags,
    )

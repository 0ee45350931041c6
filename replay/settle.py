"""Works out what each wager is due.

The first line of the bet whose fact holds decides. The amount is rounded once, as the table posted
it, and carries the clauses of its line.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from replay.rulebooks.edition import OTHERWISE, SOURCES, Edition, Line, Odds
from replay.rulebooks.terms import Terms
from replay.ruled import Part, Ruled, Stand, Step
from replay.sentence import Sentence, say
from schemas import events as e
from schemas.money import apportioned, whole

Gaps = Mapping[str, int]  # what was seen less what was due, by the name of the amount
GO_BACK = ("returned", "refused", "void")  # outcomes of stakes that are given back


class Due(NamedTuple):
    """What the rules owe on one wager."""

    wager_id: str
    player_id: str
    box: str
    bet: str
    stake: int
    action: Fraction
    outcome: str  # win, lose, push, returned, refused, void, open, stands, or the game's own word
    odds: str  # empty where nothing is paid
    gross_win: int
    commission: int
    paid: int  # the winnings that change hands: gross_win less commission
    collected: int
    returned: int  # stake given back
    clauses: tuple[str, ...]
    flags: tuple[str, ...] = ()
    reserve_taken: int = 0
    reserve_returned: int = 0
    odds_source: str = ""  # one of SOURCES; empty where no paytable line decided

    @property
    def back(self) -> int:
        """Everything the player receives: stake, reserve and winnings."""
        return self.returned + self.reserve_returned + self.paid

    @property
    def net(self) -> int:
        """What the player wins; negative if stake or reserve is taken."""
        return self.paid - self.collected - self.reserve_taken


def pay(stand: Stand, facts: frozenset[str], edition: Edition, terms: Terms) -> Due:
    """What one wager is due: by its rulings if they decide it, else by the paytable."""
    if stand.recorded:
        return _as_recorded(stand, stand.recorded)
    if stand.fate:
        return _unsettled(stand)
    if not stand.action and not stand.parts and stand.clauses:
        return _unsettled(stand._replace(fate="returned"))  # nothing in action wins or loses
    parts = stand.parts or (Part(stand.wager.bet, stand.action),)
    known = facts | stand.facts
    lines = [deciding(part.position, known, edition, terms.paytable) for part in parts]
    amounts = [
        _amounts(line.odds, part.action, terms) for part, line in zip(parts, lines, strict=True)
    ]
    total = _Amounts(*(sum(column) for column in zip(*amounts, strict=True)))
    # A loss takes no more from a reserve than lies there.
    reserve = min(total.reserve_taken, stand.wager.placed.reserve)
    total = total._replace(reserve_taken=reserve)
    odds = max((line.odds for line in lines), key=lambda odds: odds.pays)
    won = odds.result == "win"
    return _due(
        stand,
        total,
        outcome=odds.outcome or odds.result,
        odds=str(odds.pays) if won else "",
        clauses=tuple(
            dict.fromkeys((*stand.clauses, *(c for line in lines for c in line.clauses)))
        ),
    )._replace(odds_source=max((line.source for line in lines), key=SOURCES.index))


def deciding(position: str, facts: frozenset[str], edition: Edition, paytable: str) -> Line:
    """The line of a paytable that decides a position: the first whose fact holds."""
    for row in edition.lines(paytable, position):
        fact = row.fact
        if fact.startswith("it "):
            fact = position + fact[2:]
        if fact == OTHERWISE or fact in facts:
            return row
    raise AssertionError(f"{edition.code} {paytable}: {position} has no last line")


def possible(due: Due, edition: Edition, terms: Terms) -> bool:
    """Whether some line of the paytable makes these amounts, or the stake went back whole."""
    if not due.paid and not due.collected:
        return True
    amounts = (
        _amounts(line.odds, due.action, terms) for line in edition.lines(terms.paytable, due.bet)
    )
    return any((line.paid, line.collected) == (due.paid, due.collected) for line in amounts)


def step(due: Due, terms: Terms, evidence: tuple[str, ...] = ()) -> Step:
    """The due as the last step of its derivation, with the events that made the wager."""
    parts = tuple(_parts(due, terms))
    text = say("shared.due", bet=due.bet, stake=due.stake, currency=terms.currency, parts=parts)
    return Step(text, due.clauses, evidence, wager_id=due.wager_id)


def _parts(due: Due, terms: Terms) -> Iterator[Sentence]:
    """The parts of its sentence: the stake in action, the outcome, the reserve, the odds."""
    if due.action not in (0, due.stake):
        yield say("shared.due_action", action=str(due.action))
    yield _becomes(due)
    if due.reserve_taken or due.reserve_returned:
        taken, back = due.reserve_taken, due.reserve_returned
        yield say("shared.due_reserve", taken=taken, back=back)
    if due.odds_source not in ("", "printed"):
        yield say("shared.due_odds_source", source=due.odds_source, book=terms.game)


def _becomes(due: Due) -> Sentence:
    outcome, paid, back = due.outcome, due.paid, due.returned
    if outcome == "win" and due.commission:
        kept = due.commission
        return say("shared.due_wins_less", odds=due.odds, paid=paid, kept=kept, back=back)
    if outcome == "win":
        return say("shared.due_wins", odds=due.odds, paid=paid, back=back)
    if outcome == "stands":
        return say("shared.due_stands", paid=paid, collected=due.collected)
    if due.collected and back:
        return say("shared.due_loses_part", outcome=outcome, collected=due.collected, back=back)
    if due.collected:
        return say("shared.due_loses", outcome=outcome, collected=due.collected)
    if outcome == "open":
        return say("shared.due_open")
    return say("shared.due_back", outcome=outcome, back=back)


def told_gaps(found: Gaps) -> Sentence:
    """The differences of one wager as a sentence."""
    gaps = (say("shared.gap", amount=name, gap=gap) for name, gap in found.items())
    return say("shared.gaps", gaps=tuple(gaps))


def told_mispaid(found: Sequence[tuple[Due, Gaps]]) -> Sentence:
    """The differences of several wagers as one sentence."""
    wagers = (
        say("shared.mispaid_wager", wager=due.wager_id, gaps=told_gaps(gaps)) for due, gaps in found
    )
    return say("shared.mispaid", wagers=tuple(wagers))


def dues(ruled: Ruled, edition: Edition, terms: Terms) -> tuple[Due, ...]:
    """What every wager of a ruled round is due; empty if the round is unknown."""
    if ruled.status == "unknown":
        return ()
    dues = [pay(stand, ruled.facts, edition, terms) for stand in ruled.stands]
    for limit in sorted({stand.shares for stand in ruled.stands if stand.shares}):
        sharing = [
            n for n, stand in enumerate(ruled.stands) if stand.shares == limit and stand.action
        ]
        sharing.sort(key=lambda n: ruled.stands[n].wager.wager_id)  # not by who placed it first
        stands = [ruled.stands[n] for n in sharing]
        as_one = _as_one(stands, ruled.facts, edition, terms) if stands else []
        for n, amounts in zip(sharing, as_one, strict=True):
            dues[n] = _with(dues[n], amounts)
    return tuple(dues)


class _Amounts(NamedTuple):
    gross_win: int = 0
    paid: int = 0
    collected: int = 0
    reserve_taken: int = 0


def _amounts(odds: Odds, action: Fraction, terms: Terms) -> _Amounts:
    """The whole amounts that one line makes; nothing else rounds a share of a stake."""
    if odds.result == "win":
        gross = whole(action * odds.pays, terms.rounding)
        return _Amounts(gross, whole(action * odds.pays * (1 - odds.commission), terms.rounding))
    if odds.result == "push":
        return _Amounts()
    # What goes back is the rounded figure, so half of 101 gives back 51.
    back = whole(action * (1 - odds.takes), terms.rounding)
    reserve = whole(action * odds.reserve, terms.rounding)
    return _Amounts(collected=whole(action, terms.rounding) - back, reserve_taken=reserve)


def _as_one(
    stands: Sequence[Stand], facts: frozenset[str], edition: Edition, terms: Terms
) -> list[_Amounts]:
    """The amounts of wagers that share a limit, rounded as one so that they stay within it."""
    weights = [stand.action for stand in stands]
    line = deciding(stands[0].wager.bet, facts, edition, terms.paytable)
    total = _amounts(line.odds, sum(weights, Fraction(0)), terms)
    paid, kept, collected = (
        apportioned(amount, weights)
        for amount in (total.paid, total.gross_win - total.paid, total.collected)
    )
    won = [_Amounts(net + share, net) for net, share in zip(paid, kept, strict=True)]
    return [amounts._replace(collected=n) for amounts, n in zip(won, collected, strict=True)]


def _with(due: Due, amounts: _Amounts) -> Due:
    collected = min(amounts.collected, due.stake)
    return due._replace(
        gross_win=amounts.gross_win,
        commission=amounts.gross_win - amounts.paid,
        paid=amounts.paid,
        collected=collected,
        returned=due.stake - collected,
    )


def _as_recorded(stand: Stand, seen: e.WagerSettled) -> Due:
    """A settlement that the rules let stand, right or wrong."""
    due = _due(stand, _Amounts(), outcome=stand.fate, odds="", clauses=stand.clauses)
    return due._replace(
        gross_win=seen.paid + seen.commission,
        commission=seen.commission,
        paid=seen.paid,
        collected=seen.collected,
        returned=seen.returned,
        reserve_taken=seen.reserve_taken,
        reserve_returned=0,
    )


def _unsettled(stand: Stand) -> Due:
    due = _due(stand, _Amounts(), outcome=stand.fate, odds="", clauses=stand.clauses)
    return due._replace(action=Fraction(0)) if stand.fate in GO_BACK else due


def _due(
    stand: Stand, amounts: _Amounts, *, outcome: str, odds: str, clauses: tuple[str, ...]
) -> Due:
    wager, reserve = stand.wager, stand.wager.placed.reserve
    assert clauses, f"{wager.wager_id}: every amount carries its clause"
    assert amounts.collected <= wager.lying, wager.wager_id
    assert amounts.reserve_taken <= reserve, wager.wager_id
    stays = outcome == "open"  # the chips stay where they lie
    return Due(
        wager_id=wager.wager_id,
        player_id=wager.player_id,
        box=wager.box,
        bet=wager.bet,
        stake=wager.lying,
        action=stand.action,
        outcome=outcome,
        odds=odds,
        gross_win=amounts.gross_win,
        commission=amounts.gross_win - amounts.paid,
        paid=amounts.paid,
        collected=amounts.collected,
        returned=0 if stays else wager.lying - amounts.collected,
        clauses=tuple(dict.fromkeys(clauses)),
        flags=stand.flags,
        reserve_taken=amounts.reserve_taken,
        reserve_returned=0 if stays else reserve - amounts.reserve_taken,
    )

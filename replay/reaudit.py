"""Judges history again under another edition, paytable or reading, and lists what changes.

    change      what is put in place of the posted terms, for the rounds of one game
    lines       every wager that is due another amount then, with the clauses that say so
    refunds     what each player would receive more or less, which the house would pay or keep

The posted terms and the log stay as they are. Each round is judged twice, with what the round
before it left under the same terms.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from replay import game_modules, payments, rulebooks
from replay.judge import Editions, Judgement, judge_next
from replay.rounds import Fold, Round
from replay.rulebooks import terms
from replay.rulebooks.edition import Edition
from replay.ruled import Memory
from replay.settle import Due
from schemas import bounds
from schemas import events as e


class TermsChange(NamedTuple):
    """What is put in place of the posted terms of one game."""

    edition: Edition
    paytable: str = ""  # empty keeps the posted one
    readings: Mapping[str, str] = {}

    def of(self, posted: e.TermsPosted) -> e.TermsPosted:
        """The terms with the change; BadTerms where the edition does not know it."""
        changed = replace(
            posted,
            edition=self.edition.number,
            paytable=self.paytable or posted.paytable,
            readings={**posted.readings, **self.readings},
        )
        terms.resolve(changed, self.edition, game_modules.game(self.edition.game).has)
        return changed


class DaySpan(NamedTuple):
    """Which table-days are judged again; empty fields take all."""

    tables: tuple[str, ...] = ()
    from_day: str = ""
    to_day: str = ""

    def takes(self, day: str) -> bool:
        """Whether a gaming day lies within."""
        return (not self.from_day or day >= self.from_day) and (
            not self.to_day or (bool(day) and day <= self.to_day)
        )


class ReauditLine(NamedTuple):
    """One wager that is due another amount under the changed terms."""

    table_id: str
    gaming_day: str
    round_id: str
    wager_id: str
    player_id: str
    bet: str
    stake: int
    currency: str
    outcome_before: str
    outcome_after: str
    net_before: int  # what the player won or lost as posted
    net_after: int
    net_seen: int | None  # as settled at the table; None where no settlement was seen
    clauses: tuple[str, ...]

    @property
    def player_minor(self) -> int:
        """How much more the player is due; negative if less. The house has the opposite."""
        return self.net_after - self.net_before


class DayReaudit(NamedTuple):
    """A table-day judged again."""

    table_id: str
    gaming_day: str
    rounds: int
    judged: int  # rounds of the changed game
    wagers: int
    lines: tuple[ReauditLine, ...]
    unknown: tuple[str, ...]  # rounds that have no due before or after


class Refund(NamedTuple):
    """What one player is due more or less, in one currency."""

    player_id: str
    currency: str
    wagers: int
    player_minor: int


def table_day(day: str, events: Sequence[e.Event], change: TermsChange) -> DayReaudit:
    """One table-day judged as posted and as changed."""
    fold = Fold(day)
    for event in events:
        fold.add(bounds.bounded(event))
    rounds = [fold.round(round_id) for round_id in fold.opened]
    before, after = dict[str, Memory](), dict[str, Memory]()
    lines: list[ReauditLine] = []
    unknown: list[str] = []
    judged = wagers = 0
    for round in rounds:
        if round.terms is None or round.terms.game != change.edition.code:
            continue
        as_posted = judge_next(round, rulebooks.in_force, before)
        as_changed = judge_next(replace(round, terms=change.of(round.terms)), _only(change), after)
        judged, wagers = judged + 1, wagers + len(as_posted.dues)
        if "unknown" in (as_posted.ruled.status, as_changed.ruled.status):
            unknown.append(round.round_id)
        lines += _lines(round, as_posted, as_changed)
    table_id = events[0].table_id
    return DayReaudit(table_id, day, len(rounds), judged, wagers, tuple(lines), tuple(unknown))


def refunds(lines: Iterable[ReauditLine]) -> tuple[Refund, ...]:
    """What each player is due more or less, sorted; their sum is the house's difference."""
    found: dict[tuple[str, str], list[int]] = {}
    for line in lines:
        found.setdefault((line.player_id, line.currency), []).append(line.player_minor)
    return tuple(Refund(*key, len(each), sum(each)) for key, each in sorted(found.items()))


def _lines(round: Round, before: Judgement, after: Judgement) -> Iterator[ReauditLine]:
    old, new = ({due.wager_id: due for due in side.dues} for side in (before, after))
    seen = payments.totals(round.events)
    for wager_id in dict.fromkeys([*old, *new]):
        was, becomes = old.get(wager_id), new.get(wager_id)
        due = becomes or was
        if due and _net(was) != _net(becomes):
            yield ReauditLine(
                round.table_id,
                round.gaming_day,
                round.round_id,
                wager_id,
                due.player_id,
                due.bet,
                due.stake,
                round.terms.currency if round.terms else "",
                was.outcome if was else "",
                becomes.outcome if becomes else "",
                _net(was),
                _net(becomes),
                _seen(seen.get(wager_id)),
                due.clauses,
            )


def _net(due: Due | None) -> int:
    return due.net if due else 0


def _seen(paid: e.WagerSettled | None) -> int | None:
    return None if paid is None else paid.paid - paid.collected - paid.reserve_taken


def _only(change: TermsChange) -> Editions:
    def edition(code: str, day: str, number: str = "") -> Edition:
        del code, day, number
        return change.edition

    return edition

"""Derives a table-day: usual rounds in columns, every other round and a sample in the plain lane.

A round in the plain lane goes on from what the round before left. What a usual round leaves is
what its game says (`BulkGame.left`), so nothing before it has to be judged for that. The sample is
judged beside the columns. At the first difference the run stops: a table or a predicate is wrong
then, and no figure of the run can be trusted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import groupby
from typing import NamedTuple

import numpy as np

from replay import game_modules
from replay.bulk import columns
from replay.bulk.columns import Derived, Dues
from replay.bulk.frame import Column, RoundFrame, frame
from replay.bulk.game import BulkGame
from replay.bulk.prices import Prices
from replay.bulk.results import Results
from replay.bulk.usual import Usual, in_any_game, in_order
from replay.judge import THE_TABLE, Editions, judge_next
from replay.rounds import Round
from replay.rulebooks.edition import Edition, UnknownRulebook
from replay.rulebooks.terms import BadTerms, Terms, resolve
from replay.ruled import Memory
from replay.tables import parquet
from replay.tables.round_rows import of_round
from replay.tables.rows import Rows
from schemas import events as e

SAMPLE = 500  # one usual round of so many is judged by the plain lane as well
TABULATED = {
    "SA-SB": "sic_bo",
    "SA-FPC": "fish_prawn_crab",
    "SA-HL": "thai_hilo",
    "SA-DT": "dragon_tiger",
    "SA-BC": "baccarat",
    "SA-TP": "teen_patti",
    "SA-AB": "andar_bahar",
    "TB": "tiger_baccarat",
    "RO": "roulette_hoiana",
    "SA-RO": "roulette_sa",
    "SA-XD": "xoc_dia",
}
Carried = dict[str, Memory]  # by rulebook, as the plain lane hands it from round to round


class BulkDiffers(Exception):
    """The plain lane derives something else than the columns say."""


@dataclass
class BulkDone:
    """What a run derived, and why rounds went to the plain lane."""

    usual: list[Derived] = field(default_factory=list)
    plain: dict[str, Rows] = field(default_factory=dict)  # by round
    rounds: int = 0
    compared: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


class LookedUp(NamedTuple):
    """A frame after its tables: which rounds are usual, their results and dues."""

    game: BulkGame
    found: Results
    dues: Dues


class BulkLane:
    """Derives table-days; the tables that it fills serve all that share edition and readings."""

    def __init__(self, editions: Editions, sample: int = SAMPLE) -> None:
        self.editions, self.sample = editions, sample
        self.done = BulkDone()
        self._prices: dict[tuple[object, ...], Prices] = {}
        self._usual = 0  # rounds looked up so far

    def derive(self, rounds: Sequence[Round]) -> None:
        """Derive the rounds of one table-day."""
        left: Carried = {}
        for _, part in groupby(rounds, lambda round: id(round.terms)):
            left = self.derive_frame(frame(tuple(part)), left)

    def derive_frame(self, part: RoundFrame, left: Carried) -> Carried:
        """Derive the rounds of a frame, given what the round before it left; what it leaves."""
        usual = Usual(part)
        looked = self._look_up(usual, left)
        after = self._plainly(usual, looked, left)
        kept = usual.kept
        if looked:
            self._compare(usual, looked, after)
            self.done.usual.append(columns.derived(part, kept, looked.found, looked.dues))
        self.done.rounds += len(part)
        self._usual += int(kept.sum())
        return self._left(usual, looked, after, len(part) - 1)

    def _look_up(self, usual: Usual, left: Carried) -> LookedUp | None:
        """Every round by the tables of its game; None where it has none, or no terms hold."""
        round = usual.frame.rounds[0]
        module = TABULATED.get(round.terms.game) if round.terms else None
        if round.terms is None or module is None:
            usual.leave("no tables for its game", np.ones(len(usual.frame), bool))
            return None
        try:
            edition = self.editions(round.terms.game, round.gaming_day, round.terms.edition)
            rules = game_modules.game(edition.game)
            terms = resolve(round.terms, edition, rules.has)
        except (UnknownRulebook, BadTerms):
            usual.leave("no edition or terms to go by", np.ones(len(usual.frame), bool))
            return None
        game = _game(module)
        usual.frame = _without_repeats(usual.frame, game, terms)
        in_order(usual, game.ORDER, game.ONCE, game.ANYWHERE)
        in_any_game(usual, terms, game.legal(terms, rules.legal))
        found = game.results(usual, terms, left.get(edition.code, {}))
        dues = self._dues(usual, game, found, edition, terms)
        usual.leave("settled otherwise than due", _mispaid(usual.frame, dues))
        game.paid(usual, found, terms)
        return LookedUp(game, found, dues)

    def _dues(
        self, usual: Usual, game: BulkGame, found: Results, edition: Edition, terms: Terms
    ) -> Dues:
        prices = self._priced(game, edition, terms)
        placed = usual.frame.of(e.WagerPlaced)
        good = usual.kept[placed.round]
        key, bet = found.key[placed.round], placed["bet"]
        line = prices.codes(key, bet, good, found.verdicts, usual.frame.words.get("bet", ()))
        stake = np.where(good, placed["stake"], 0)
        return Dues(line, prices.lines, prices.amounts(line, stake, placed["reserve"]))

    def _priced(self, game: BulkGame, edition: Edition, terms: Terms) -> Prices:
        readings = tuple(sorted(terms.readings.items()))
        key = (edition.code, edition.number, terms.paytable, terms.rounding, readings)
        if key not in self._prices:
            self._prices[key] = Prices(edition, terms, game)
        return self._prices[key]

    def _plainly(
        self, usual: Usual, looked: LookedUp | None, left: Carried
    ) -> Mapping[int, Carried]:
        """Judge the rounds that are not usual; what each of them left, by its place."""
        rounds, after = usual.frame.rounds, {-1: left}
        if looked and not _neutral(usual, looked, left, 0):
            usual.leave("what the round before left", np.array([0]))
        for n, round in enumerate(rounds):
            if n and n - 1 in after and looked and not _neutral(usual, looked, after[n - 1], n):
                usual.leave("what the round before left", np.array([n]))
            if not usual.is_kept(n):
                memory = dict(self._left(usual, looked, after, n - 1))
                rows, _ = of_round(judge_next(round, self.editions, memory))
                self.done.plain[round.round_id] = rows
                self.done.reasons[usual.reason(n)] += 1
                after[n] = memory
        return after

    def _left(
        self, usual: Usual, looked: LookedUp | None, after: Mapping[int, Carried], n: int
    ) -> Carried:
        """What a round left for the next one; -1 is the round before the frame."""
        if n in after or looked is None:
            return after.get(n, {})
        terms = usual.frame.rounds[n].terms
        assert terms is not None
        last = next(at for at in range(n - 1, -2, -1) if at in after)
        known = after[last].get(terms.game, {})
        left = looked.game.left(usual, looked.found, n, known)
        return {**after[last], terms.game: left, THE_TABLE: {"doubtful": False}}

    def _compare(self, usual: Usual, looked: LookedUp, after: Mapping[int, Carried]) -> None:
        """Judge a sample of the usual rounds plainly, and stop at the first difference."""
        numbers = np.flatnonzero(usual.kept)
        for n in numbers[(self._usual + np.arange(len(numbers))) % self.sample == 0]:
            round = usual.frame.rounds[n]
            memory = dict(self._left(usual, looked, after, int(n) - 1))
            expected = self._left(usual, looked, after, int(n))
            rows, _ = of_round(judge_next(round, self.editions, memory))
            chosen = np.arange(len(usual.frame)) == n
            found = columns.derived(usual.frame, chosen, looked.found, looked.dues)
            require_equal(round, found, rows)
            if memory != expected:
                what = f"{expected} expected to be left, {memory} found"
                raise BulkDiffers(f"round {round.round_id}: {what}")
            self.done.compared += 1


def require_equal(round: Round, found: Derived, rows: Rows) -> None:
    """Stop unless the plain lane's rows of a round are those of the columns."""
    plain = {name: parquet.arrow(name, rows[name]) for name in ("rounds", "dues", "settlements")}
    for name, table in plain.items():
        mine = getattr(found, name)
        for column in mine.column_names:
            expected, seen = table[column].to_pylist(), mine[column].to_pylist()
            if expected != seen:
                where = f"round {round.round_id}: {name}.{column}"
                raise BulkDiffers(f"{where}: {expected} expected by the plain lane, {seen} found")
    if rows["flags"]:
        raise BulkDiffers(f"round {round.round_id}: no flag expected, {rows['flags']} found")


def _mispaid(part: RoundFrame, dues: Dues) -> Column:
    return part.of(e.WagerSettled).round[columns.gaps(part, dues)]


def _neutral(usual: Usual, looked: LookedUp, left: Carried, round: int) -> bool:
    terms = usual.frame.rounds[round].terms
    assert terms is not None
    return looked.game.neutral(usual, round, left.get(terms.game, {}))


def _without_repeats(part: RoundFrame, game: BulkGame, terms: Terms) -> RoundFrame:
    """The frame without shakes and spins that were repeated as they had to be."""
    if not game.REPEATS:
        return part
    rounds = {n for kind in game.REPEATS for n in part.of(kind).round.tolist()}
    rounds |= {*np.flatnonzero(part.count(game.ONCE[0]) > 1).tolist()}
    places: list[int] = []
    for n in sorted(rounds):
        aside = set(game.set_aside(part.rounds[n], terms))
        first = int(np.searchsorted(part.round, n))
        events = enumerate(part.rounds[n].events, first)
        places += [place for place, event in events if event.event_id in aside]
    return part.without(places) if places else part


def _game(module: str) -> BulkGame:
    found: BulkGame = import_module(f"replay.bulk.games.{module}").GAME
    return found

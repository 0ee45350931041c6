"""Wheels, dice and shoes: how often each result came, beside what chance alone would give."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import duckdb

WHEEL = (
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10),
    *(5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)
RANKS = "A23456789TJQK"
SUITS = "SHDC"
FEW = 200  # fewer results than this tell nothing about a wheel or a die


class Histogram(NamedTuple):
    """How often each result came."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    expected: tuple[float, ...]
    spread: tuple[float, ...]  # one standard deviation of each count

    @property
    def total(self) -> int:
        """How many results there are."""
        return sum(self.counts)

    @property
    def together(self) -> float:
        """Standard deviations that all counts together keep within, in 95 of 100 devices."""
        return NormalDist().inv_cdf(1 - 0.025 / len(self.labels))

    @property
    def most(self) -> tuple[str, int]:
        """The result that came most often, and how often."""
        return max(zip(self.labels, self.counts, strict=True), key=lambda each: each[1])

    @property
    def least(self) -> tuple[str, int]:
        """The result that came least often, and how often."""
        return min(zip(self.labels, self.counts, strict=True), key=lambda each: each[1])

    @property
    def chi_square(self) -> float:
        """The sum of squared deviations over what was expected."""
        return sum(
            (count - mean) ** 2 / mean
            for count, mean in zip(self.counts, self.expected, strict=True)
            if mean
        )


class TableDevice(NamedTuple):
    """A table's wheel, dice or shoe."""

    table_id: str
    game: str
    kind: str  # wheel, dice or shoe
    results: int


class ShoeLife(NamedTuple):
    """One shoe: its decks, and which cards left it."""

    shoe_id: str
    decks: int
    drawn: int
    left: tuple[tuple[str, int], ...]  # each rank with the cards of it that are left

    @property
    def cards(self) -> int:
        """How many cards the shoe had."""
        return 52 * self.decks

    @property
    def dealt(self) -> Histogram:
        """How many cards of each rank were dealt; a shoe that is drawn without replacement."""
        share, rest = 1 / len(RANKS), (self.cards - self.drawn) / max(1, self.cards - 1)
        mean = self.drawn * share
        spread = sqrt(max(0.0, mean * (1 - share) * rest))
        counts = tuple(4 * self.decks - left for _, left in self.left)
        labels = tuple("10" if rank == "T" else rank for rank, _ in self.left)
        return Histogram(labels, counts, (mean,) * len(labels), (spread,) * len(labels))

    @property
    def penetration(self) -> float:
        """The part of the shoe that was dealt."""
        return self.drawn / self.cards if self.cards else 0.0


def devices(db: duckdb.DuckDBPyConnection, pit: str = "") -> list[TableDevice]:
    """Every wheel, set of dice and shoe, by table."""
    rows = db.execute(
        """
        with games as (
            select table_id, max_by(game, opened_seq) as game from rounds
            where game <> '' group by table_id
        ), found as (
            select table_id, 'wheel' as kind, count(pocket) as results from spins group by table_id
            union all
            select table_id, 'dice', count(faces) from shakes group by table_id
            union all
            select table_id, 'shoe', count(*) from cards group by table_id
        )
        select found.table_id, games.game, found.kind, found.results
        from found join games using (table_id)
        where found.results > 0 and starts_with(found.table_id, $pit)
        order by found.table_id, found.kind
        """,
        {"pit": pit},
    ).fetchall()
    return [TableDevice(*row) for row in rows]


def wheel(db: duckdb.DuckDBPyConnection, table_id: str) -> Histogram:
    """The pockets in the order of the wheel."""
    rows = db.execute(
        "select pocket, count(*) from spins where table_id = $1 and pocket is not null group by 1",
        [table_id],
    ).fetchall()
    counted = dict(rows)
    return _even([str(n) for n in WHEEL], [counted.get(n, 0) for n in WHEEL])


def dice(db: duckdb.DuckDBPyConnection, table_id: str) -> Histogram:
    """The faces of all dice or tokens."""
    rows = db.execute(
        "select faces from shakes where table_id = $1 and faces is not null", [table_id]
    ).fetchall()
    counted = Counter(face for (faces,) in rows for face in faces.split("-") if face != "?")
    labels = sorted(counted)
    return _even(labels, [counted[label] for label in labels])


def unread(db: duckdb.DuckDBPyConnection, table_id: str, kind: str) -> tuple[int, int]:
    """The rounds of a wheel or shaker that gave no result, and all of them."""
    table, column = ("spins", "pocket") if kind == "wheel" else ("shakes", "faces")
    found = db.execute(
        f"select count(*) - count({column}), count(*) from {table} where table_id = $1",  # noqa: S608  (our own names)
        [table_id],
    ).fetchone()
    assert found
    return found[0], found[1]


def shoes(db: duckdb.DuckDBPyConnection, table_id: str) -> list[ShoeLife]:
    """Every shoe of a table in the order it was loaded, with what is left in it."""
    loaded = db.execute(
        "select shoe_id, any_value(decks order by loaded_seq) from shoes where table_id = $1"
        " group by shoe_id order by min(loaded_seq)",
        [table_id],
    ).fetchall()
    drawn = db.execute(
        "select round.shoe_id, card.shoe_card, count(*) from cards as card"
        " join rounds as round using (table_id, round_id)"
        " where card.table_id = $1 and card.shoe_card is not null group by all",
        [table_id],
    ).fetchall()
    gone: dict[str, Counter[str]] = {}
    for shoe_id, card, n in drawn:
        gone.setdefault(shoe_id, Counter())[card[:1]] += n
    return [
        ShoeLife(
            shoe_id,
            decks or 0,
            sum(gone.get(shoe_id, Counter()).values()),
            tuple((rank, 4 * (decks or 0) - gone.get(shoe_id, Counter())[rank]) for rank in RANKS),
        )
        for shoe_id, decks in loaded
    ]


def _even(labels: Sequence[str], counts: Sequence[int]) -> Histogram:
    """A histogram over results that chance makes equally likely."""
    total, share = sum(counts), 1 / len(labels) if labels else 0.0
    mean, spread = total * share, sqrt(total * share * (1 - share))
    return Histogram(tuple(labels), tuple(counts), (mean,) * len(labels), (spread,) * len(labels))

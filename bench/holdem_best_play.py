"""What Texas Hold'em Bonus Poker costs a player who folds and bets at best, counted exactly.

Every hand, flop, turn card, river card and hand of the Dealer, flops up to a change of suits. Cards
are ranked by the rules and paid by the edition's paytable; nothing is sampled or rounded.

python bench/holdem_best_play.py [FLOPS]     by default all 1,755, about a minute and a half
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replay import rulebooks
from replay.games import holdem_bonus as game
from replay.games.shared.poker_hands import RANK, PokerClass, PokerHand, best
from replay.rulebooks.edition import Edition
from replay.rulings.holdem_bonus.limits import MULTIPLES
from replay.settle import deciding
from replay.theory import back, per_cent
from replay.theory.holdem_boards import HOLES, THEIRS, Board, boards
from replay.theory.holdem_bonus import BEST_PLAY_LOSS, BEST_PLAY_STAKE, returns
from schemas.cards import DECK, SUITS, Card

Numbers = NDArray[np.int64]
Cells = NDArray[np.int32]  # a value for each kind of board and kind of hole cards, flat

STATED = {
    "expected loss of an Ante": str(BEST_PLAY_LOSS),
    "expected loss, per cent": "2.0369 %",
    "mean stake in Antes": BEST_PLAY_STAKE.removesuffix(" Antes"),
    "loss of the money staked": "0.5335 %",
    "folded": "32o 42o 52o 62o 72o",
    "rounds with a Turn bet": "44.59 %",
    "rounds with a River bet": "46.27 %",
}
CHECKED = 60  # deals whose cells are held against the rules, Dealer's hand by Dealer's hand

NAMES = tuple(RANK)
ORDER = np.array([NAMES.index(card.rank) for card in DECK])
SUIT = np.array([SUITS.index(card.suit) for card in DECK])
# A card counts by its rank and by whether it is of the one suit that can flush on a board.
KINDS = 2 * len(NAMES)
CELLS = KINDS * KINDS
BY_SUIT = np.array([ORDER + len(NAMES) * (suit == SUIT) for suit in range(len(SUITS) + 1)])
NO_SUIT = len(SUITS)
# What names a board: how often each rank lies there, and the ranks of a suit that lies three times.
TIMES = 5 ** ORDER.astype(np.int64)
BIT = 1 << np.arange(len(NAMES))

REST = 49  # cards that a flop leaves
ONE, OTHER = np.triu_indices(REST, 1)  # the hole cards among them
LATER = 47 * 46 * THEIRS  # turn card, river card and Dealer's hand beside hole cards and flop


class Tables(NamedTuple):
    """For each kind of board and of hole cards: the sum over the Dealer's hands, per unit."""

    names: Numbers  # of the boards, ascending
    raised: Cells  # what a Flop, Turn or River bet wins or loses
    ante: Cells


class Places(NamedTuple):
    """Where hands stand in the order of the rules, from 1; 0 where there is none."""

    plain: dict[tuple[int, ...], Numbers]  # by a board's ranks, then by two ranks: no flush
    flushes: Numbers  # by the ranks of one suit as bits
    straight: int  # the lowest Straight


class Tally(NamedTuple):
    """Sums by kind of hole cards (thirteen by thirteen, suited below the diagonal)."""

    deals: Numbers  # of hole cards and flop
    ante: Numbers  # what the Ante wins or loses, in deals times LATER
    played: Numbers  # the same for all bets of a hand that is not folded
    turns: Numbers  # deals with a Turn bet
    rivers: Numbers  # deals and turn cards with a River bet


def main() -> int:
    flops = canonical()
    budget = min(max(int(sys.argv[1]), 1), len(flops)) if sys.argv[1:] else len(flops)
    edition = rulebooks.in_force("TH", "2026-03-01")
    begun = time.perf_counter()
    tables = counted(edition)
    hold_to_the_rules(tables, edition)
    chosen = [flops[n * len(flops) // budget] for n in range(budget)]
    tally = dealt(chosen, tables)
    print(f"{budget:,} of {len(flops):,} flops in {time.perf_counter() - begun:.0f} s")
    found = figures(tally)
    if budget < len(flops):
        print("\n".join(f"{name:<28}{figure}" for name, figure in found.items()))
        print("Best play on a part of the flops is not the game's: nothing is compared.")
        return 0
    for name, figure in found.items():
        stated = "as stated" if figure == STATED[name] else f"stated {STATED[name]}"
        print(f"{name:<28}{figure:<28}{stated}")
    return 0 if as_in_theory(tally, edition) and found == STATED else 1


def as_in_theory(tally: Tally, edition: Edition) -> bool:
    """Whether the Ante of hands that never fold returns what the theory counts another way."""
    alone = 1 + Fraction(int(tally.ante.sum()), int(tally.deals.sum()) * LATER)
    theory = {line.bet: line.value for line in returns(edition, edition.paytable)}["ante"]
    print(f"An Ante never folded returns {per_cent(alone)}, by the theory {per_cent(theory)}")
    return alone == theory


def figures(tally: Tally) -> dict[str, str]:
    """What best play comes to."""
    folds = tally.played < -tally.deals * LATER  # a fold loses the Ante, TH:4.11.2.i
    deals = int(tally.deals.sum())
    value = np.where(folds, -tally.deals * LATER, tally.played)
    loss = -Fraction(int(value.sum()), deals * LATER)
    plays = Fraction(int(tally.deals[~folds].sum()), deals)
    turns = Fraction(int(tally.turns[~folds].sum()), deals)
    rivers = Fraction(int(tally.rivers[~folds].sum()), deals * 47)
    stake = 1 + MULTIPLES["flop"] * plays + MULTIPLES["turn"] * turns + MULTIPLES["river"] * rivers
    found = (
        str(loss),
        per_cent(loss),
        f"{float(stake):.4f}",
        per_cent(loss / stake),
        " ".join(hole(int(n)) for n in np.flatnonzero(folds)),
        per_cent(turns, 2),
        per_cent(rivers, 2),
    )
    return dict(zip(STATED, found, strict=True))


def dealt(flops: Iterable[tuple[list[int], int]], tables: Tables) -> Tally:
    """Best play after each of some flops, summed."""
    tally = Tally(*(np.zeros(len(NAMES) ** 2, np.int64) for _ in Tally._fields))
    live = _live()
    for flop, ways in flops:
        rest = np.setdiff1d(np.arange(len(DECK)), flop)
        rivers, ante = after_turn(flop, rest, tables, live)
        turn = rivers.sum(axis=0)  # over turn and river cards: what a bet before them is worth
        played = ante + MULTIPLES["flop"] * turn
        played += MULTIPLES["turn"] * np.maximum(turn, 0)
        played += MULTIPLES["river"] * np.maximum(rivers, 0).sum(axis=0)
        one, other = rest[ONE], rest[OTHER]
        low, high = np.sort((ORDER[one], ORDER[other]), axis=0)
        at = np.where(SUIT[one] == SUIT[other], high * len(NAMES) + low, low * len(NAMES) + high)
        sums = (np.ones_like(turn), ante, played, turn > 0, (rivers > 0).sum(axis=0))
        for total, part in zip(tally, sums, strict=True):
            np.add.at(total, at, ways * part.astype(np.int64))
    return tally


def after_turn(
    flop: list[int], rest: Numbers, tables: Tables, live: Cells
) -> tuple[Numbers, Numbers]:
    """Of a unit bet by turn card and hole cards, and of the Ante by hole cards: what they win."""
    names, suits = boards_of(flop, rest)
    # A card that is turn and river at once names no board; `live` is 0 there.
    rows = np.searchsorted(tables.names, names) % len(tables.names) * CELLS
    columns = BY_SUIT[:, rest[ONE]] * KINDS + BY_SUIT[:, rest[OTHER]]
    rivers = np.empty((REST, len(ONE)), np.int64)
    ante = np.zeros(len(ONE), np.int64)
    for turn in range(REST):
        at = rows[turn][:, None] + columns[suits[turn]]
        rivers[turn] = np.einsum("rh,rh->h", tables.raised[at], live[turn])
        ante += np.einsum("rh,rh->h", tables.ante[at], live[turn])
    return rivers, ante


def boards_of(flop: list[int], rest: Numbers) -> tuple[Numbers, Numbers]:
    """The name and the flush suit of the board by turn and river card."""
    times = TIMES[rest] + TIMES[rest][:, None] + TIMES[flop].sum()
    suited = np.arange(len(SUITS)) == SUIT[:, None]
    bits = suited * BIT[ORDER][:, None]
    counts = suited[rest].astype(int) + suited[rest][:, None] + suited[flop].sum(axis=0)
    lying = bits[rest] + bits[rest][:, None] + bits[flop].sum(axis=0)
    suit = np.where(counts.max(axis=2) < 3, NO_SUIT, counts.argmax(axis=2))
    return (times << len(NAMES)) + np.where(counts < 3, 0, lying).sum(axis=2), suit


def counted(edition: Edition) -> Tables:
    """The tables of every kind of board."""
    kinds = sorted(boards(), key=_named)
    places = ranking()
    ante, raised = (_nets(bet, edition) for bet in ("ante", "flop"))
    assert all(_nets(bet, edition) == raised for bet in MULTIPLES)
    tables = Tables(
        np.array([_named(board) for board in kinds]),
        *(np.empty(len(kinds) * CELLS, np.int32) for _ in (raised, ante)),
    )
    for start in range(0, len(kinds), 500):
        hands, left = laid(kinds[start : start + 500], places)
        wins, losses = compared(hands, left)
        part = slice(start * CELLS, start * CELLS + hands.size)
        for cells, nets in ((tables.raised, raised), (tables.ante, ante)):
            better, higher, even, lower = nets
            won = np.where(hands >= places.straight, better, higher) * wins
            cells[part] = (won + even * (THEIRS - wins - losses) + lower * losses).ravel()
    return tables


def compared(hands: Numbers, left: Numbers) -> tuple[Numbers, Numbers]:
    """How many of the Dealer's hands each hole beats and loses to, board by board."""
    others = left[:, None, :] - np.eye(KINDS, dtype=np.int64)  # beside a card of each kind
    keys = (np.arange(len(hands))[:, None, None] << 16) + hands
    order = np.argsort(keys, axis=None)
    ascending = keys.ravel()[order]
    ways = (left[:, :, None] * others).ravel()[order]  # every hand from either of its cards
    below = np.concatenate(([0], np.cumsum(ways))) // 2
    first = (np.arange(len(hands)) * CELLS)[:, None, None]
    wins = below[np.searchsorted(ascending, keys, "left")] - below[first]
    losses = below[first + CELLS] - below[np.searchsorted(ascending, keys, "right")]
    lower, higher = np.zeros_like(hands), np.zeros_like(hands)  # hands with the first card
    for kind in range(KINDS):
        one, beside = hands[:, :, kind, None], others[:, :, kind, None]
        lower += (one < hands) * beside
        higher += (one > hands) * beside
    # The Dealer can hold neither card; only the hole itself has both, and it is a stand-off.
    wins -= lower + lower.transpose(0, 2, 1)
    losses -= higher + higher.transpose(0, 2, 1)
    return wins, losses


def laid(kinds: Sequence[Board], places: Places) -> tuple[Numbers, Numbers]:
    """For some boards: the place of each hole's hand, and how many cards of each kind are left."""
    plain = np.array([places.plain[kind.ranks] for kind in kinds])
    bits = np.array([_bits(kind.suited) for kind in kinds])
    held = np.concatenate((np.zeros_like(BIT), BIT))
    flushes = places.flushes[bits[:, None, None] | held[:, None] | held]
    gone = np.array([[kind.ranks.count(n) for n in range(len(NAMES))] for kind in kinds])
    suited = (bits[:, None] > 0) & (bits[:, None] & BIT == 0)
    left = np.concatenate((4 - gone - suited, suited), axis=1)
    return np.maximum(np.tile(plain, (1, 2, 2)), flushes), left


def ranking() -> Places:
    """The order of hands that the rules make."""
    ranks = range(len(NAMES))
    plain = {board.ranks: _plain_hands(board.ranks) for board in boards()}
    suited = [held for count in (5, 6, 7) for held in combinations(ranks, count)]
    flushes = {_bits(held): best([Card(NAMES[n], SUITS[0]) for n in held]) for held in suited}
    hands = {hand for found in plain.values() for hand in found if hand} | set(flushes.values())
    place: dict[PokerHand | None, int] = {hand: n for n, hand in enumerate(sorted(hands), 1)}
    of_suit = np.zeros(1 << len(NAMES), np.int64)
    of_suit[list(flushes)] = [place[hand] for hand in flushes.values()]
    pair = [HOLES.index((min(held), max(held))) for held in product(ranks, ranks)]
    squares = {
        board: np.array([place.get(hand, 0) for hand in found])[pair].reshape(len(NAMES), -1)
        for board, found in plain.items()
    }
    straight = min(n for hand, n in place.items() if hand and hand.kind >= PokerClass.STRAIGHT)
    return Places(squares, of_suit, straight)


def hold_to_the_rules(tables: Tables, edition: Edition) -> None:
    """Deal some hands and boards out against every hand of the Dealer, by the rules themselves."""
    chance = Random("best play")
    readings = {name: issue.reading for name, issue in edition.issues.items()}
    for n in range(CHECKED):
        lying = chance.sample(np.flatnonzero(SUIT == 0).tolist(), n % 6)  # half of them can flush
        rest = [at for at in range(len(DECK)) if at not in lying]
        one, other, *board = [*chance.sample(rest, 7 - len(lying)), *lying]
        names, suits = boards_of(board[:3], np.array(board[3:]))
        kind = BY_SUIT[suits[0, 1]]
        at = np.searchsorted(tables.names, names[0, 1]) * CELLS + kind[one] * KINDS + kind[other]
        mine, lies = [DECK[one], DECK[other]], [DECK[at] for at in board]
        left = [card for card in DECK if card not in (*mine, *lies)]
        facts = [game.facts(mine, held, lies, readings) for held in combinations(left, 2)]
        for bet, cells in (("ante", tables.ante), ("flop", tables.raised)):
            wanted, found = sum(_net(bet, fact, edition) for fact in facts), int(cells[at])
            told = " ".join(map(str, (*mine, "on", *lies)))
            assert found == wanted, f"{bet}, {told}: {found} counted, {wanted} by the rules"


def canonical() -> list[tuple[list[int], int]]:
    """Every flop up to a change of suits, and how many it stands for."""
    found: Counter[tuple[int, ...]] = Counter()
    changes = [
        [DECK.index(Card(card.rank, suits[SUITS.index(card.suit)])) for card in DECK]
        for suits in permutations(SUITS)
    ]
    for flop in combinations(range(len(DECK)), 3):
        found[min(tuple(sorted(change[at] for at in flop)) for change in changes)] += 1
    return [(list(flop), ways) for flop, ways in sorted(found.items())]


def hole(at: int) -> str:
    """Hole cards of a place in the tally: `72o`, `AKs`, `AA`."""
    row, column = divmod(at, len(NAMES))
    high, low = max(row, column), min(row, column)
    return NAMES[high] + NAMES[low] + ("" if row == column else "s" if row > column else "o")


def _live() -> Cells:
    """By turn card, river card and hole cards among those a flop leaves: 1 where all differ."""
    card = np.arange(REST)
    free = (card[:, None] != ONE) & (card[:, None] != OTHER)
    apart = (card[:, None] != card)[:, :, None]
    live: Cells = (free[:, None] & free & apart).astype(np.int32)
    return live


def _nets(bet: str, edition: Edition) -> tuple[int, ...]:
    """What a unit wins: a Straight or better that is higher, a higher hand, stand-off, a lower."""
    higher = {"player higher"}
    better = higher | {"player higher, a straight or better"}
    outcomes = (better, higher, {"stand-off"}, {"dealer higher"})
    nets = [_net(bet, frozenset(facts), edition) for facts in outcomes]
    assert all(net.denominator == 1 for net in nets), f"{bet} is not paid in whole units"
    return tuple(map(int, nets))


def _net(bet: str, facts: frozenset[str], edition: Edition) -> Fraction:
    return back(deciding(bet, facts, edition, edition.paytable).odds) - 1


def _named(board: Board) -> int:
    times: int = sum(5**n for n in board.ranks)
    return times << len(NAMES) | _bits(board.suited)


def _bits(ranks: Iterable[int]) -> int:
    return sum(1 << n for n in ranks)


def _plain_hands(board: tuple[int, ...]) -> tuple[PokerHand | None, ...]:
    """The hand of a board with each two ranks where no suit flushes; none where a fifth is held."""
    return tuple(_plain(tuple(sorted((*board, *held)))) for held in HOLES)


@cache
def _plain(ranks: tuple[int, ...]) -> PokerHand | None:
    """What seven ranks make without a flush: neighbours in other suits, none three times."""
    if max(map(ranks.count, ranks)) > len(SUITS):
        return None
    return best([Card(NAMES[rank], SUITS[n % len(SUITS)]) for n, rank in enumerate(ranks)])


if __name__ == "__main__":
    sys.exit(main())

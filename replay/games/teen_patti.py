"""Teen Patti 20-20: two hands of three cards, how they rank, and the best five of all six.

Rulebook SA-TP, report SAB.SAES.1001.01, game 9; replay/rulings/teen_patti.py says what becomes of
a round.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.games.shared.poker_hands import RANK, PokerClass, best
from replay.games.shared.three_cards import SEQUENCES, in_sequence, suited
from schemas.cards import Card

HANDS = ("player_a", "player_b")
HELD = 3
TURNS = HANDS * HELD  # SA-TP:9.2.2. A, B, A, B, A, B.

BETS = (*HANDS, "tie", "pair_plus_a", "pair_plus_b", "six_card_bonus")

# SA-TP:9.3, low to high: three of a kind stands above a straight flush, a straight above a flush.
CLASSES = (
    "high card",
    "pair",
    "flush",
    "straight",
    "straight flush",
    "three of a kind",
    "three aces",
)

# The clause that says what makes each class.
CLAUSES = {name: f"SA-TP:9.3.{len(CLASSES) - place}" for place, name in enumerate(CLASSES)}

# SA-TP:9.3.3. A-K-Q is the highest sequence, A-2-3 the second, then K-Q-J down to 4-3-2.
ORDER = (*SEQUENCES[1:-1], SEQUENCES[0], SEQUENCES[-1])

# SA-TP:9.4, high to low: the classes of five cards that win the bonus; less loses.
PAYS = sorted((kind for kind in PokerClass if kind >= PokerClass.THREE_OF_A_KIND), reverse=True)
SIX = tuple(kind.name.lower().replace("_", " ") for kind in PAYS)
FIVE = 5
LOW = (5,)  # how the best five cards rank A-2-3-4-5


class Deal(NamedTuple):
    """Both hands, each in the order of its cards."""

    player_a: tuple[Card, ...]
    player_b: tuple[Card, ...]


class Rank(NamedTuple):
    """Three cards as far as they count: the greater of two is the higher hand."""

    place: int  # in CLASSES
    breaks: tuple[int, ...]  # what decides among equals, in the order compared

    @property
    def named(self) -> str:
        """The class in words."""
        return CLASSES[self.place]


def lawful_hands(cards: Sequence[Card]) -> tuple[str, ...] | None:
    """The hand of each card in the order of the shoe (SA-TP:9.2.2)."""
    return TURNS if len(cards) >= len(TURNS) else None


def legal(position: str) -> bool:
    """Whether the position is offered (SA-TP:9.2.1)."""
    return position in BETS


def rank(hand: Sequence[Card]) -> Rank:
    """Where three cards stand (SA-TP:9.3)."""
    assert len(hand) == HELD, f"{HELD} cards expected, {len(hand)} found"
    named = _named(hand)
    if "straight" in named:
        breaks: tuple[int, ...] = (ORDER.index(frozenset(card.rank for card in hand)),)
    elif named == "flush":
        breaks = tuple(sorted((RANK[card.rank] for card in hand), reverse=True))
    else:
        # A pair goes before the third card, single cards from the highest down.
        copies = Counter(RANK[card.rank] for card in hand)
        breaks = tuple(sorted(copies, key=lambda value: (copies[value], value), reverse=True))
    return Rank(CLASSES.index(named), breaks)


def winner(deal: Deal, tie: str = "class_first") -> str:
    """The higher hand, or tie: where class and all ranks agree, or the ranks alone (issue tie)."""
    if tie == "ranks_alone" and _ranks(deal.player_a) == _ranks(deal.player_b):
        return "tie"
    a, b = map(rank, deal)
    return "tie" if a == b else HANDS[b > a]


def six_cards(cards: Sequence[Card], low_straight: str = "counts") -> str:
    """The class of the best five of six cards (SA-TP:9.4); empty where it is too low."""
    if len({card.rank for card in cards}) == 1:
        return "four of a kind"  # more of one rank than a deck has; DUPLICATE_CARD says so
    kind, ranks = best(cards)
    # A card that came twice is a card of its suit, although no flush of one deck has a pair.
    copied = max(Counter(card.suit for card in cards).values()) >= FIVE
    if low_straight != "counts" and ranks == LOW:
        # Where A-2-3-4-5 is no sequence such cards are a flush if suited, else less.
        return "flush" if kind is PokerClass.STRAIGHT_FLUSH or copied else ""
    kind = max(kind, PokerClass.FLUSH) if copied else kind
    return SIX[PAYS.index(kind)] if kind in PAYS else ""


def facts(deal: Deal, tie: str = "class_first", low_straight: str = "counts") -> frozenset[str]:
    """What happened, in the words of the paytables (SA-TP:9.5)."""
    return frozenset(_facts(deal, tie, low_straight))


def _facts(deal: Deal, tie: str, low_straight: str) -> Iterator[str]:
    yield won(winner(deal, tie))
    for name, hand in zip(HANDS, deal, strict=True):
        yield held(name, rank(hand).named)
    formed = six_cards((*deal.player_a, *deal.player_b), low_straight)
    if formed:
        yield in_six(formed)


def won(name: str) -> str:
    """The fact that a hand won, or that the two tied."""
    return name if name == "tie" else f"{name} wins"


def held(name: str, kind: str) -> str:
    """The fact that a hand is of a class."""
    return f"{name} holds {kind}"


def in_six(kind: str) -> str:
    """The fact that the best five of six cards are of a class."""
    return f"six cards hold {kind}"


def _named(hand: Sequence[Card]) -> str:
    kinds = len({card.rank for card in hand})
    if kinds == 1:
        return "three aces" if hand[0].rank == "A" else "three of a kind"
    # With a card that came twice a hand may share its suit and hold a pair: the flush is higher.
    if kinds == 2 and not suited(hand):
        return "pair"
    shape = ["straight"] * in_sequence(hand) + ["flush"] * suited(hand)
    return " ".join(shape) or "high card"


def _ranks(hand: Sequence[Card]) -> list[str]:
    return sorted(card.rank for card in hand)

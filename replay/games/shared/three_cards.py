"""Three cards of one deck: whether they run in sequence or share a suit. Arithmetic only."""

from collections.abc import Sequence

from schemas.cards import Card

RUN = "A23456789TJQKA"  # the ace ends either way, and no sequence goes round it

# The twelve sequences from A-2-3 up to Q-K-A.
SEQUENCES = tuple(frozenset(RUN[n : n + 3]) for n in range(len(RUN) - 2))


def in_sequence(cards: Sequence[Card]) -> bool:
    """Whether three cards run in sequence, in whatever order they came."""
    return frozenset(card.rank for card in cards) in SEQUENCES


def suited(cards: Sequence[Card]) -> bool:
    """Whether all cards share a suit."""
    return len({card.suit for card in cards}) == 1

"""Andar Bahar and No Commission Andar Bahar: the deal to two sides and what it means.

Rulebook SA-AB, report SAB.SAES.1001.01, game 1; replay/rulings/andar_bahar.py says what becomes of
a round. A bet of the No Commission mode is written with `:nc` behind it (SA-AB:1.4).
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, pairwise, zip_longest
from typing import NamedTuple

from replay.games.shared.laid_cards import LaidCards
from replay.games.shared.three_cards import in_sequence, suited
from replay.sentence import Sentence, say
from replay.witnesses import Sight
from schemas.cards import Card

GAME, SIDES = "game", ("andar", "bahar")
HANDS = (GAME, *SIDES)

NO_COMMISSION = ":nc"
RANGES = ((1, 5), (6, 10), (11, 15), (16, 25), (26, 30), (31, 35), (36, 40), (41, 49))
COUNTS = tuple(f"cards_{low}_{high}" for low, high in RANGES)
STANDARD = (*SIDES, "first_andar", "first_bahar", "first_3", *COUNTS)

# SA-AB:1.4.16. The starred bets are not there in No Commission.
POSITIONS = frozenset((*STANDARD, *(f"{bet}{NO_COMMISSION}" for bet in (*SIDES, *COUNTS))))


class Deal(NamedTuple):
    """The Game Card, and every card after it with the side it was put on."""

    game: Card
    dealt: tuple[tuple[str, Card], ...]

    @property
    def matched(self) -> int:
        """The number of the first card with the Game Card's rank; 0 without one (SA-AB:1.2.4)."""
        ranks = [card.rank for _, card in self.dealt]
        return ranks.index(self.game.rank) + 1 if self.game.rank in ranks else 0


class Fault(NamedTuple):
    """A card where none belongs."""

    code: str
    clause: str
    text: Sentence


def lawful_hands(cards: Sequence[Card]) -> tuple[str, ...] | None:
    """The game card, then each side by turns until one matches it (SA-AB:1.2.3, 1.2.4)."""
    for n, drawn in enumerate(cards[1:], 1):
        if drawn.rank == cards[0].rank:
            return (GAME, *(SIDES[turn % 2] for turn in range(n)))
    return None


def legal(position: str) -> bool:
    """Whether the position is offered (SA-AB:1.4)."""
    return position in POSITIONS


def read(laid: LaidCards) -> Deal | None:
    """The deal in the order of the shoe, else as the sides alternate; None without a Game Card."""
    if not laid.hands[GAME]:
        return None
    first = laid.hands[GAME][0]
    if laid.order:
        at = laid.order.index((GAME, first))
        return Deal(first, (*laid.order[:at], *laid.order[at + 1 :]))
    rows = zip_longest(*(laid.hands[side] for side in SIDES))
    turns = (zip(SIDES, row, strict=True) for row in rows)
    return Deal(first, tuple((side, card) for turn in turns for side, card in turn if card))


def missing(places: Sequence[Sight]) -> int:
    """The first position the shoe skipped up to the match; 0 where it skipped none.

    The count is the place of the match in the deck (SA-AB:1.2.4), so no card may be left out.
    """
    drawn = sorted((place for place in places if place.position), key=lambda at: at.position)
    turned = next((at.card for at in drawn if at.hand == GAME), None)
    for before, after in pairwise(drawn):
        if after.position > before.position + 1:
            return before.position + 1
        card = after.card
        if turned and card and after.hand in SIDES and card.rank == turned.rank:
            return 0
    return 0


def beyond_match(places: Sequence[Sight]) -> tuple[Sight, ...]:
    """The places that the shoe filled after the match, which ended the round (SA-AB:1.2.4)."""
    drawn = sorted((place for place in places if place.position), key=lambda at: at.position)
    turned = next((at.card for at in drawn if at.hand == GAME), None)
    for n, place in enumerate(drawn):
        card = place.card
        if card is None:
            return ()
        if turned and place.hand in SIDES and card.rank == turned.rank:
            return tuple(drawn[n + 1 :])
    return ()


def faults(deal: Deal, laid: LaidCards) -> Iterator[Fault]:
    """Where the deal left the order of the rules, or went on after its end."""
    played = deal.dealt[: deal.matched or None]
    sides = [side for side, _ in played]
    wanted = [side for side, _ in zip(cycle(SIDES), played, strict=False)]
    if laid.order and laid.order[0][0] != GAME:
        yield Fault("DEAL_ORDER", "SA-AB:1.2.1", say("SA-AB.game_card_not_first"))
    turned = laid.hands[GAME]
    if len(turned) > 1 and not laid.order:
        text = say("SA-AB.game_cards", cards=tuple(map(str, turned)))
        yield Fault("DEAL_ORDER", "SA-AB:1.2.1", text)
    if sides != wanted:
        at = next(n for n, pair in enumerate(zip(sides, wanted, strict=True)) if len({*pair}) > 1)
        text = say("SA-AB.wrong_side", n=at + 1, due=wanted[at], found=sides[at])
        yield Fault("DEAL_ORDER", "SA-AB:1.2.3", text)
    beyond = deal.dealt[deal.matched :] if deal.matched else ()
    if beyond:
        cards = tuple(str(card) for _, card in beyond)
        text = say("SA-AB.dealt_past_match", matched=deal.matched, cards=cards)
        yield Fault("DEALT_PAST_MATCH", "SA-AB:1.2.4", text)


def winner(deal: Deal, deal_order: str = "by_the_count") -> str:
    """The side of the match: by the number of its card, or where it was laid (SA-AB:1.2.4)."""
    assert deal.matched, "a deal without a match has no winner"
    laid = deal.dealt[deal.matched - 1][0]
    if deal_order == "as_laid" and laid in SIDES:
        return laid
    return SIDES[(deal.matched - 1) % 2]


def facts(deal: Deal, deal_order: str = "by_the_count") -> frozenset[str]:
    """What happened, in the words of the paytable."""
    return frozenset(_facts(deal, deal_order))


def pattern(cards: Sequence[Card]) -> str:
    """What the first three cards form (SA-AB:1.3.1); empty where nothing."""
    found = ["straight"] * in_sequence(cards) + ["flush"] * suited(cards)
    return " ".join(found)


def _facts(deal: Deal, deal_order: str) -> Iterator[str]:
    won, count = winner(deal, deal_order), deal.matched
    yield f"{won} wins"
    firsts = _firsts(deal, deal_order)
    first = firsts.get(won)
    if first and first.rank == deal.game.rank:
        yield f"first {won} card matches"
    yield from (f"{low} to {high} cards" for low, high in RANGES if low <= count <= high)
    formed = pattern((deal.game, *firsts.values())) if len(firsts) == 2 else ""
    if formed:
        yield f"first 3 form a {formed}"


def _firsts(deal: Deal, deal_order: str) -> dict[str, Card]:
    """The first card of each side that has one (SA-AB:1.3.3)."""
    played = deal.dealt[: deal.matched]
    if deal_order != "as_laid":
        return {side: card for side, (_, card) in zip(SIDES, played, strict=False)}
    return {side: card for side, card in reversed(played) if side in SIDES}

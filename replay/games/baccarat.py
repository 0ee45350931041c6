"""Baccarat of SA Gaming, traditional and No Commission: the hands and what they mean.

Rulebook SA-BC, report SAB.SAES.1001.01, game 2; replay/rulings/baccarat.py says what becomes of a
round. A bet of the No Commission mode is written with `:nc` behind it (SA-BC:2.4.3).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from schemas.cards import Card

BETS = (
    "player", "banker", "tie", "player_pair", "banker_pair", "any_pair", "perfect_pair",
    "player_natural", "banker_natural", "player_bonus", "banker_bonus", "lucky_six",
    "two_card_lucky_six", "three_card_lucky_six",
)  # fmt: skip
# SA-BC:2.4.5 to 2.4.8. Bets that the first two cards of the hands decide.
TWO_CARD_BETS = frozenset({
    "player_pair", "banker_pair", "any_pair", "perfect_pair", "player_natural", "banker_natural",
})  # fmt: skip
NO_COMMISSION = ":nc"
POSITIONS = frozenset((*BETS, *(f"{bet}{NO_COMMISSION}" for bet in BETS)))

# SA-BC:2.2.3. Tens and face cards are worth nothing.
POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}

# SA-BC:2.2.2. The first four cards.
HANDS = ("player", "banker")
OPENING = ("player", "banker", "player", "banker")

# SA-BC:2.3.4. Banker's two-card score to the points of Player's third card it draws on.
BANKER_DRAWS_ON = dict.fromkeys((0, 1, 2), "0123456789") | {
    3: "01234567 9",
    4: "  234567  ",
    5: "    4567  ",
    6: "      67  ",
    7: "          ",
}
LUCKY = 6  # SA-BC:2.4.10
MARGIN = 4  # SA-BC:2.4.9. The smallest difference that wins a bonus bet.


class Deal(NamedTuple):
    """Both hands, each in the order of its cards."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()


class Fault(NamedTuple):
    """A hand short of its third card, or beyond it."""

    hand: str
    found: int
    wanted: int
    clause: str


def legal(position: str) -> bool:
    """Whether the position is offered (SA-BC:2.4)."""
    return position in POSITIONS


def score(hand: Sequence[Card]) -> int:
    """The last digit of the points (SA-BC:2.2.3)."""
    return sum(POINTS[card.rank] for card in hand) % 10


def is_natural(hand: Sequence[Card]) -> bool:
    """Two cards with a score of 8 or 9 (SA-BC:2.3.1)."""
    return len(hand) == 2 and score(hand) >= 8


def next_hand(deal: Deal) -> str:
    """The hand that the next card of the shoe belongs to; empty once both are complete."""
    held = len(deal.player) + len(deal.banker)
    if held < len(OPENING):
        return OPENING[held]
    if len(deal.player) == 2 and _player_draws(deal):
        return "player"
    return "banker" if len(deal.banker) == 2 and _banker_draws(deal) else ""


def lawful_hands(cards: Iterable[Card]) -> tuple[str, ...] | None:
    """The hand of each card in the order of the shoe, until both are complete."""
    deal, hands = Deal(), list[str]()
    for drawn in cards:
        hand = next_hand(deal)
        if not hand:
            return tuple(hands)
        deal = deal._replace(**{hand: (*getattr(deal, hand), drawn)})
        hands.append(hand)
    return None if next_hand(deal) else tuple(hands)


def deal_out(cards: Iterable[Card]) -> Deal:
    """The hands that cards make in the order they leave the shoe; the rest is not theirs."""
    deal = Deal()
    for card in cards:
        hand = next_hand(deal)
        if not hand:
            break
        deal = deal._replace(**{hand: (*getattr(deal, hand), card)})
    return deal


def faults(deal: Deal, extra_card: str = "not_counted") -> Iterator[Fault]:
    """Each hand with a card too many or too few for SA-BC:2.3.

    Banker is judged by Player's lawful cards, or by all of them where an extra card counts.
    """
    natural = _natural(deal)
    rule = "SA-BC:2.3.1" if natural else "SA-BC:2.3.2"
    draws = _player_draws(deal)
    yield from _miscount("player", deal.player, draws, rule)
    if draws and len(deal.player) == 2:
        return  # what Banker owes hangs on a card that never came
    seen = deal if extra_card == "counted" else Deal(lawful(deal).player, deal.banker)
    stood = "SA-BC:2.3.3" if len(seen.player) == 2 else "SA-BC:2.3.4"
    rule = "SA-BC:2.3.1" if natural else stood
    yield from _miscount("banker", deal.banker, _banker_draws(seen), rule)


def lawful(deal: Deal) -> Deal:
    """The hands without cards that SA-BC:2.3 does not give them."""
    player = deal.player[: 3 if _player_draws(deal) else 2]
    deal = Deal(player, deal.banker)
    return Deal(player, deal.banker[: 3 if _banker_draws(deal) else 2])


def winner(deal: Deal) -> str:
    """The hand with the higher score, or tie (SA-BC:2.2.4)."""
    player, banker = score(deal.player), score(deal.banker)
    return "tie" if player == banker else "player" if player > banker else "banker"


def outcome(deal: Deal) -> str:
    """The result for people: who won, Player's score, Banker's score, such as B 5-6."""
    return f"{winner(deal)[0].upper()} {score(deal.player)}-{score(deal.banker)}"


def facts(deal: Deal, natural_tie: str = "push") -> frozenset[str]:
    """What happened, in the words of the paytables (SA-BC:2.4)."""
    found = {*pairs(deal), *scores(deal)}
    return frozenset(found if natural_tie == "push" else found - {"natural tie"})


def pairs(deal: Deal) -> Iterator[str]:
    """Pairs among the first two cards (SA-BC:2.4.5 to 2.4.7); K and Q are none (issue pairs)."""
    for name, hand in zip(Deal._fields, deal, strict=True):
        first, second = hand[:2]
        if first.rank == second.rank:
            yield f"{name} pair"
            yield "any pair"
        if first == second:
            yield "perfect pair"


def scores(deal: Deal) -> Iterator[str]:
    """What depends on points and the number of cards alone."""
    won, margin = winner(deal), abs(score(deal.player) - score(deal.banker))
    hands = deal._asdict()
    for name, hand in hands.items():
        if is_natural(hand):
            yield f"{name} natural"
    if won == "tie":
        yield "tie"
        if is_natural(deal.player):
            yield "natural tie"
        return
    yield f"{won} wins"
    if is_natural(hands[won]):
        yield f"{won} wins with a natural"
    elif margin >= MARGIN:
        yield f"{won} wins by {margin}"
    if won == "banker" and score(deal.banker) == LUCKY:
        yield "banker wins on 6"
        yield f"banker wins on 6 with {len(deal.banker)} cards"


def _natural(deal: Deal) -> bool:
    return is_natural(deal.player[:2]) or is_natural(deal.banker[:2])


def _player_draws(deal: Deal) -> bool:
    return not _natural(deal) and score(deal.player[:2]) <= 5  # SA-BC:2.3.2


def _banker_draws(deal: Deal) -> bool:
    two, third = score(deal.banker[:2]), deal.player[2:3]
    if _natural(deal):
        return False
    if not third:
        return two <= 5  # SA-BC:2.3.3
    return str(score(third)) in BANKER_DRAWS_ON[two]


def _miscount(hand: str, held: Sequence[Card], draws: bool, clause: str) -> Iterator[Fault]:
    wanted = 3 if draws else 2
    if len(held) != wanted:
        yield Fault(hand, len(held), wanted, clause)

"""Hoiana Tiger Baccarat.

Rulebook TB, no. 01/01.10.2024, sections 4 to 6; section 7 is replay/rulings/tiger_baccarat.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from replay.sentence import Sentence, say
from replay.witnesses import Sight
from schemas.cards import Card, card

BETS = (
    "player",
    "banker",
    "tie",
    "player_pair",
    "banker_pair",
    "tiger",
    "small_tiger",
    "big_tiger",
)

# TB:4.11. Tens and court cards count nothing.
VALUE = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}

# TB:4.9.1. The first four cards of the shoe, in the order they are dealt.
HANDS = ("player", "banker")
OPENING = ("player", "banker", "player", "banker")

# TB:4.15, Table Two: banker's two-card count to the player's third cards it draws on.
# The source prints row 0-1-2 under "stands"; issue table_two_row_0_1_2 records how it is read.
BANKER_DRAWS_ON = dict.fromkeys((0, 1, 2), "0123456789") | {
    3: "01234567 9",
    4: "  234567  ",
    5: "    4567  ",
    6: "      67  ",
    7: "          ",
}


class Deal(NamedTuple):
    """Both hands, each in the order its cards left the shoe."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()


class Fault(NamedTuple):
    """A hand with a card too many or too few."""

    hand: str
    found: int
    wanted: int
    clause: str


class ReadDeal(NamedTuple):
    """The deal the witnesses saw, by the order the cards left the shoe."""

    deal: Deal
    used: tuple[Sight, ...] = ()  # the places whose cards make the hands
    spare: tuple[Sight, ...] = ()  # the places of cards beyond the hands
    unread: Sentence | None = None  # what is missing or disagrees; None where the deal is known
    doubt: tuple[str, ...] = ()  # ids of the readings behind that


def points(hand: Sequence[Card]) -> int:
    """Point count: the right-hand digit of the total (TB:4.12)."""
    return sum(VALUE[held.rank] for held in hand) % 10


def next_hand(deal: Deal) -> str:
    """The hand that the next card of the shoe belongs to; empty once both are complete."""
    held = len(deal.player) + len(deal.banker)
    if held < len(OPENING):
        return OPENING[held]
    if len(deal.player) == 2 and _player_draws(deal):
        return "player"
    if len(deal.banker) == 2 and _banker_draws(deal):
        return "banker"
    return ""


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
    for drawn in cards:
        hand = next_hand(deal)
        if not hand:
            break
        deal = _with(deal, hand, drawn)
    return deal


def read(sights: Sequence[Sight]) -> ReadDeal:
    """The deal from what every witness saw, or what is missing or disagrees."""
    order = [sight for sight in sights if sight.position] or _as_laid(sights)
    deal, used = Deal(), 0
    for sight in order:
        hand = next_hand(deal)
        if not hand:
            break
        drawn = _card(sight)
        if drawn is None:
            doubt = (sight.disagreement, sight.evidence)
            return ReadDeal(deal, tuple(order[:used]), tuple(order[used:]), *doubt)
        deal, used = _with(deal, hand, drawn), used + 1
    spare = next((at for at in order[used:] if at.disputed), None)
    if spare:  # where it went decides what opens the next hand
        doubt = (spare.disagreement, spare.evidence)
        return ReadDeal(deal, tuple(order[:used]), tuple(order[used:]), *doubt)
    strays = [place for place in sights if place not in order and place.hand in Deal._fields]
    seen = [(at, _card(at)) for at in order[:used]] + [(at, None) for at in strays]
    doubts = ((_against(at, put, deal), at.evidence) for at, put in seen)
    doubt = next((found for found in doubts if found[0]), (None, ()))
    return ReadDeal(deal, tuple(order[:used]), tuple(order[used:]), *doubt)


def faults(deal: Deal) -> Iterator[Fault]:
    """Each hand with a card too many or too few."""
    yield from _miscount("player", deal.player, draws=_player_draws(deal), clause="TB:4.14")
    stood = len(deal.player) == 2
    rule = "TB:4.13" if _natural(deal) else "TB:4.16" if stood else "TB:4.15"
    yield from _miscount("banker", deal.banker, draws=_banker_draws(deal), clause=rule)


def facts(deal: Deal) -> frozenset[str]:
    """What happened, in the words of the paytables (TB:6)."""
    pairs = {f"{name} pair" for name, hand in zip(Deal._fields, deal, strict=True) if _pair(hand)}
    return frozenset(pairs | _won(deal))


def winner(deal: Deal) -> str:
    """The hand with the higher count, or tie (TB:6.1)."""
    player, banker = points(deal.player), points(deal.banker)
    return "tie" if player == banker else "player" if player > banker else "banker"


def outcome(deal: Deal) -> str:
    """The result for people: who won, Player's points, Banker's points, such as B 5-7."""
    return f"{winner(deal)[0].upper()} {points(deal.player)}-{points(deal.banker)}"


def _won(deal: Deal) -> set[str]:
    won = winner(deal)
    if won == "tie":
        return {"tie"}
    if won == "player":
        return {"player wins"}
    if points(deal.banker) == 6:
        on_six = "banker wins on 6"
        return {"banker wins", on_six, f"{on_six} with {len(deal.banker)} cards"}
    return {"banker wins"}


def _pair(hand: Sequence[Card]) -> bool:
    # TB:4.11.2.1 and 6.2.1.1: for a pair ten, jack, queen and king keep their own rank.
    return len(hand) >= 2 and hand[0].rank == hand[1].rank


def _natural(deal: Deal) -> bool:
    return max(points(deal.player[:2]), points(deal.banker[:2])) >= 8  # TB:4.13


def _player_draws(deal: Deal) -> bool:
    return not _natural(deal) and points(deal.player[:2]) <= 5  # TB:4.14


def _banker_draws(deal: Deal) -> bool:
    two, third = points(deal.banker[:2]), deal.player[2:3]
    if _natural(deal):
        return False
    if not third:
        return two <= 5  # TB:4.16
    return str(points(third)) in BANKER_DRAWS_ON[two]


def _miscount(hand: str, held: Sequence[Card], *, draws: bool, clause: str) -> Iterator[Fault]:
    wanted = 3 if draws else 2
    if len(held) != wanted:
        yield Fault(hand, len(held), wanted, clause)


def _with(deal: Deal, hand: str, drawn: Card) -> Deal:
    if hand == "player":
        return deal._replace(player=(*deal.player, drawn))
    return deal._replace(banker=(*deal.banker, drawn))


def _as_laid(sights: Sequence[Sight]) -> list[Sight]:
    """Places in the order they would have been dealt, where the shoe gave no reading at all."""
    laid = [sight for sight in sights if sight.hand in Deal._fields and sight.readings]
    laid.sort(key=lambda at: (at.slot, at.hand == "banker"))
    whole = [at.hand for at in laid[: len(OPENING)]] == list(OPENING[: len(laid)])
    return laid if whole else []  # with a gap among the first four the order is not known


def _card(sight: Sight) -> Card | None:
    """The shoe's card where it read one, else what the other witnesses agree on."""
    return card(sight.shoe) if sight.shoe else sight.card


def _against(sight: Sight, put: Card | None, deal: Deal) -> Sentence | None:
    """What a witness saw at a place that is neither the card put there nor the one it owes.

    After a reconstruction the table shows the hands as they lawfully are (TB:7.6, 7.9), so a
    reading of the card that belongs there is no disagreement.
    """
    hand: tuple[Card, ...] = getattr(deal, sight.hand, ())
    lawful = hand[sight.slot - 1 : sight.slot]
    if all(seen in map(str, (put, *lawful)) for seen in sight.readings.values()):
        return None
    if put is None:
        return sight.never_given
    return say("shared.place_read", hand=sight.hand, slot=sight.slot, read=sight.each_reading)

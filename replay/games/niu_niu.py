"""Hoiana Niu Niu.

Rulebook NN, no. 03/18.08.2024, sections 4 to 6; section 7 is replay/rulings/niu_niu.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from replay.sentence import Sentence, say
from replay.witnesses import CODES, Sight
from schemas.cards import RANKS, Card, card

BETS = ("even", "double", "super_niu")
RESERVE = {"double": 2, "super_niu": 11}  # NN:4.5.3, as a multiple of the bet
DEALER = "dealer"
HANDS = (DEALER,)  # those with a name; a box is a number
NEXT = "next"  # where cards lie that the device gave beyond the hands
FULL = 5  # NN:2.2.4
COMMISSION_DUE = "player wins with NIU_6 and commission is due"  # NN:5.2, of Even alone

LAST_IN_ORDER = (
    "last_in_order"  # the packet that is dead where one is too many (issue spare_packet)
)

# NN:6.2.1 to 6.2.13, low to high: the place in this row is the rank of the hand.
CLASSES = (
    "NO_HAND",
    *(f"NIU_{points}" for points in range(1, 10)),
    "NIU_NIU",
    "ULTIMATE_NIU_NIU",
    "HOIANA_NIU_NIU",
)

# NN:6.2.18. Court cards count ten.
VALUE = {"A": 1} | {str(n): n for n in range(2, 10)} | dict.fromkeys("TJQK", 10)

CARD_RANK = {rank: place for place, rank in enumerate(RANKS)}  # NN:6.2.16, the ace is lowest
SUIT_RANK = {suit: place for place, suit in enumerate("DCHS")}  # NN:6.2.17

Hand = tuple[Card, ...]
Readings = Mapping[str, str]

# The rule issues that a comparison of hands may depend on, as the edition reads them.
AS_READ: Readings = {"four_of_a_kind": "ranks_first", "highest_card": "of_all_five"}


class CardPacket(NamedTuple):
    """The cards put on one place, in the order they left the device."""

    hand: str
    cards: tuple[Card | None, ...] = ()
    seen: tuple[str, ...] = ()  # what camera and console read on that place
    doubt: Sentence | None = None  # why a card of it is unknown
    evidence: tuple[str, ...] = ()


class Fault(NamedTuple):
    """A place with the wrong number of cards."""

    kind: str  # dealer_count, hand_count, empty_box or missed_box
    hand: str
    found: int
    clause: str


def clockwise(boxes: Iterable[str]) -> list[str]:
    """Boxes in the order they are dealt (NN:4.8): by their number, those with names after."""
    return sorted(boxes, key=lambda box: (not number(box), int(box) if number(box) else 0, box))


def lawful_packets(cards: Sequence[Card], boxes: Iterable[str]) -> tuple[str, ...] | None:
    """Whose each card is: five to each box with a wager, then five to the Dealer (NN:4.8)."""
    hands = tuple(box for box in (*clockwise(boxes), DEALER) for _ in range(FULL))
    return hands if len(cards) >= len(hands) else None


def number(box: str) -> bool:
    """Whether a name is a box of the layout: boxes have numbers, the Dealer's hand has none."""
    return box.isascii() and box.isdecimal()


def points(hand: Sequence[Card]) -> int:
    """The last digit of the total; it is the same whichever three cards make the Niu."""
    return sum(VALUE[held.rank] for held in hand) % 10


def niu(hand: Sequence[Card]) -> bool:
    """Whether some three cards total 10, 20 or 30 (NN:4.9.1)."""
    return bool(three(hand))


def three(hand: Sequence[Card]) -> tuple[Card, ...]:
    """The first three cards that total 10, 20 or 30; empty where no three do."""
    return next((three for three in combinations(hand, 3) if points(three) == 0), ())


def class_of(hand: Sequence[Card], readings: Readings = AS_READ) -> str:
    """The first class of NN:6.2 that fits."""
    if _four(hand) and (readings["four_of_a_kind"] == "ranks_first" or niu(hand)):
        return "HOIANA_NIU_NIU"
    if all(held.rank in "JQK" for held in hand):
        return "ULTIMATE_NIU_NIU"
    if not niu(hand):
        return "NO_HAND"
    return CLASSES[points(hand) or CLASSES.index("NIU_NIU")]


def top(hand: Sequence[Card]) -> Card:
    """The highest card by rank, then by suit (NN:6.2.14 to 6.2.17)."""
    return max(hand, key=lambda held: (CARD_RANK[held.rank], SUIT_RANK[held.suit]))


def strength(hand: Sequence[Card], readings: Readings = AS_READ) -> tuple[int, int, int]:
    """What two hands are compared by; with one deck no two hands are equal."""
    named = class_of(hand, readings)
    deciding = hand
    if named == "HOIANA_NIU_NIU" and readings["highest_card"] == "of_the_four":
        deciding = [held for held in hand if held.rank == _four(hand)]
    highest = top(deciding)
    return CLASSES.index(named), CARD_RANK[highest.rank], SUIT_RANK[highest.suit]


def facts(hand: Hand, dealer: Hand, readings: Readings = AS_READ) -> frozenset[str]:
    """What happened at one box, in the words of the paytable: the winner's class counts."""
    if strength(hand, readings) > strength(dealer, readings):
        return won("player", class_of(hand, readings))
    return won("dealer", class_of(dealer, readings))


def won(side: str, named: str) -> frozenset[str]:
    """The facts of a win with a class."""
    return frozenset({f"{side} wins", f"{side} wins with {named}"})


def read(sights: Sequence[Sight]) -> tuple[CardPacket, ...]:
    """What lies on each place, in the order the packets left the device, else clockwise."""
    places: dict[str, list[Sight]] = {}
    for sight in sights:
        places.setdefault(sight.hand, []).append(sight)
    device = any(sight.position for sight in sights)
    packets = [_packet(hand, lying, device) for hand, lying in places.items()]
    if device:
        return tuple(packets)  # sights come in the order of the device
    order = [*clockwise(hand for hand in places if hand != DEALER), DEALER]
    return tuple(sorted(packets, key=lambda packet: order.index(packet.hand)))


def faults(packets: Iterable[CardPacket], wagered: Iterable[str]) -> Iterator[Fault]:
    """Each place with too many or too few cards: the Dealer's, the players', misplaced ones."""
    held = {packet.hand: len(packet.cards) for packet in packets if packet.cards}
    boxes = clockwise(wagered)
    if held.get(DEALER, 0) != FULL:
        yield Fault("dealer_count", DEALER, held.get(DEALER, 0), "NN:7.5")
    for box in boxes:
        if held.get(box, 0) not in (0, FULL):
            yield Fault("hand_count", box, held[box], "NN:7.4")
    for box, found in held.items():
        if box not in (*boxes, DEALER, NEXT):
            yield Fault("empty_box", box, found, "NN:7.6")
    for box in boxes:
        if box not in held:
            yield Fault("missed_box", box, 0, "NN:7.7")


def reconstructed(
    packets: Iterable[CardPacket], wagered: Collection[str], spare_packet: str = LAST_IN_ORDER
) -> Mapping[str, tuple[str, int]] | None:
    """The place each hand gets its cards from, and the number of the first of the five there.

    Packets go in the order of the device to the wagered boxes, clockwise, and then to the Dealer.
    A spare packet is dead, a missing one is the next five cards; None where it cannot be done.
    """
    dealt = [packet for packet in packets if packet.cards]
    if any(len(packet.cards) != FULL for packet in dealt if packet.hand != NEXT):
        return None
    if spare_packet == "of_the_empty_box":
        dealt = _without_spares(dealt, wagered)
    piles = [(packet.hand, 0) for packet in dealt if packet.hand != NEXT]
    more = sum(len(packet.cards) for packet in dealt if packet.hand == NEXT)
    piles += [(NEXT, first) for first in range(0, more - FULL + 1, FULL)]
    wanted = [*clockwise(wagered), DEALER]
    return dict(zip(wanted, piles, strict=False)) if len(piles) >= len(wanted) else None


def _without_spares(dealt: Sequence[CardPacket], wagered: Collection[str]) -> list[CardPacket]:
    """The packets without as many of empty boxes as there are too many."""
    own = [packet for packet in dealt if packet.hand != NEXT]
    astray = [packet for packet in own if packet.hand not in (*wagered, DEALER)]
    spare = astray[: max(0, len(own) - len(wagered) - 1)]
    return [packet for packet in dealt if packet not in spare]


def against(packet: CardPacket, held: Iterable[Card | None]) -> Sentence | None:
    """What a witness read on a place that neither was dealt there nor lies there in the end."""
    known = Counter(map(str, packet.cards)) | Counter(map(str, held))
    strange = Counter(packet.seen) - known
    if not strange:
        return None
    return say("NN.never_given", hand=packet.hand, cards=tuple(sorted(strange)))


def _four(hand: Sequence[Card]) -> str:
    """The rank that the hand holds four of; empty where it does not."""
    return next((rank for rank, n in Counter(held.rank for held in hand).items() if n == 4), "")


def _packet(hand: str, lying: Sequence[Sight], device: bool) -> CardPacket:
    """One place; cards are turned about when a hand is arranged, so witnesses read it as a set."""
    dealt = [sight for sight in lying if sight.position] if device else lying
    readings = [
        [sight.readings[witness] for sight in lying if witness in sight.readings]
        for witness in ("shoe", "camera", "dealer")
    ]
    whole = next((seen for seen in readings if len(seen) == len(dealt)), [])
    cards: tuple[Card | None, ...] = tuple(sight.card for sight in dealt)
    if CODES.issuperset(whole):
        cards = tuple(map(card, whole)) or cards
    doubt = next((sight.disagreement for sight in dealt if None in cards and not sight.card), None)
    seen = reduce(or_, map(Counter, readings)).elements()
    evidence = tuple(event_id for sight in lying for event_id in sight.evidence)
    return CardPacket(hand, cards, tuple(seen), doubt, evidence)

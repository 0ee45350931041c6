"""Texas Hold'em Bonus Poker.

Rulebook TH, no. 01/01.05.2025, sections 4 to 6; section 7 is replay/rulings/holdem_bonus.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games.shared.poker_hands import RANK, PokerClass, PokerHand, best
from replay.witnesses import Sight
from schemas.cards import Card, card

BETS = ("ante", "bonus", "flop", "turn", "river")

# Where a card can go, besides a betting box.
COMMUNITY, DEALER, BURN = "community", "dealer", "burn"
SIZES = {COMMUNITY: 5, DEALER: 2}
HANDS = (DEALER, COMMUNITY, BURN)  # those with a name; a box is a number
NO_BOX = frozenset(HANDS)
HOLE = 2  # TH:2.2.14

# TH:4.10. The two ways to deal.
SHOE, DEVICE = "card_shoe", "automated_device"

# TH:4.5. The classes by the names of the page.
NAMES = {kind: kind.name for kind in PokerClass} | {PokerClass.HIGH_CARD: "FIVE_ODD_CARDS"}

# TH:5.4.1 to 5.4.4. The clauses that break ties; all other ties are left to TH:5.1.
TIE_CLAUSES = {
    PokerClass.TWO_PAIRS: "TH:5.4.1",
    PokerClass.ONE_PAIR: "TH:5.4.2",
    PokerClass.FULL_HOUSE: "TH:5.4.3",
    PokerClass.STRAIGHT: "TH:5.4.4",
    PokerClass.STRAIGHT_FLUSH: "TH:5.4.4",
}

# TH:6.1.2. What a pair and an ace with a court card are called.
PAIRS = dict.fromkeys("23456789T", "10-10 to 2-2")
PAIRS |= {"A": "A-A"} | dict.fromkeys("KQJ", "K-K, Q-Q or J-J")
WITH_AN_ACE = {"K": "A-K", "Q": "A-Q or A-J", "J": "A-Q or A-J"}

Hands = Mapping[str, tuple[Sight, ...]]  # box, community or dealer to its cards


class ReadDeal(NamedTuple):
    """The cards as the witnesses saw them."""

    order: tuple[Sight, ...]  # as they left the device; empty where nobody saw that
    hands: Hands  # as they lie
    strays: tuple[Sight, ...] = ()  # places seen on the table that the device never gave


class Fault(NamedTuple):
    """A place with a card too many or too few."""

    area: str
    found: int
    wanted: int
    clause: str


def clockwise(boxes: Iterable[str]) -> tuple[str, ...]:
    """Boxes from the Dealer's left on: by number, then by name."""
    return tuple(sorted(boxes, key=lambda box: (not box.isdigit(), len(box), box)))


def order(dealing: str, boxes: Sequence[str]) -> tuple[str, ...]:
    """Where each card goes, in the order in which cards leave the shoe or the device."""
    if dealing == SHOE:  # TH:4.11.1 to 4.11.6
        flop = (BURN, COMMUNITY, COMMUNITY, COMMUNITY)
        turn = river = (BURN, COMMUNITY)
        return (BURN, *boxes, *boxes, *flop, *turn, *river, DEALER, DEALER)
    pairs = (box for box in boxes for _ in range(HOLE))
    return (COMMUNITY,) * 5 + (*pairs, DEALER, DEALER)  # TH:4.12.1


def lawful(dealing: str, boxes: Sequence[str], areas: Sequence[str]) -> bool:
    """Whether cards went where the order of the deal sends them, as far as it got."""
    whole = order(dealing, boxes)
    if tuple(areas) == whole[: len(areas)]:
        return True
    if dealing == SHOE:
        return False
    # TH:4.12.1 does not say whether a box gets its two cards at once or one in each turn.
    turns = (*whole[:5], *boxes, *boxes, DEALER, DEALER)
    return tuple(areas) == turns[: len(areas)]


def lawful_order(
    areas: Sequence[str], boxes: Iterable[str], readings: Mapping[str, str]
) -> tuple[str, ...]:
    """Where each card goes by the rules, in the way to deal that was posted or that the deal shows.

    Players choose between the cards, and none of their choices says where a card goes.
    """
    names, posted = clockwise(boxes), readings.get("dealing")
    shows = DEVICE if BURN not in areas and areas[:1] == [COMMUNITY] else SHOE
    dealing = posted if posted in {SHOE, DEVICE} else shows
    whole = order(dealing, names)
    turns = (*whole[:5], *names, *names, DEALER, DEALER)  # TH:4.12.1 allows both, see lawful
    in_turns = dealing == DEVICE and tuple(areas) == turns[: len(areas)]
    return turns if in_turns else whole


def burns_owed(areas: Sequence[str]) -> int:
    """Burnt cards that must lie aside by now: before hole cards, flop, turn, river (TH:2.2.6)."""
    community = areas.count(COMMUNITY)
    begun = any(area != BURN for area in areas)
    return begun + (community > 0) + (community > 3) + (community > 4)


def read(sights: Sequence[Sight]) -> ReadDeal:
    """The cards from what every witness saw, by draw order where there is one."""
    drawn = tuple(sight for sight in sights if sight.position)
    hands: dict[str, tuple[Sight, ...]] = {}
    for sight in drawn or sorted(sights, key=lambda at: at.slot):
        if sight.hand != BURN:
            hands[sight.hand] = (*hands.get(sight.hand, ()), sight)
    strays = tuple(place for place in sights if drawn and not place.position and place.readings)
    return ReadDeal(drawn, hands, strays)


def faults(hands: Hands, boxes: Sequence[str]) -> Iterator[Fault]:
    """Each place with a card too many or too few (TH:2.2.14, 4.11, 4.12)."""
    for area, wanted in (*SIZES.items(), *((box, HOLE) for box in boxes)):
        found = len(hands.get(area, ()))
        if found != wanted:
            yield Fault(area, found, wanted, "TH:7.4" if area in SIZES else "TH:7.6")


def seen(sight: Sight) -> Card | None:
    """The shoe's card where it read one, else what the other witnesses agree on."""
    return card(sight.shoe) if sight.shoe else sight.card


def compare(
    player: PokerHand, dealer: PokerHand, community: Sequence[Card], readings: Mapping[str, str]
) -> str:
    """Which of two hands is higher, as a fact of the paytable (TH:5.1 to 5.4)."""
    mine, theirs = (_told(hand, community, readings) for hand in (player, dealer))
    if mine == theirs:
        return "stand-off"
    return "player higher" if mine > theirs else "dealer higher"


def facts(
    hole: Sequence[Card],
    dealer: Sequence[Card],
    community: Sequence[Card],
    readings: Mapping[str, str],
) -> frozenset[str]:
    """What happened at one box, in the words of the paytable (TH:5.2 to 5.5)."""
    hand = best((*hole, *community))
    won = compare(hand, best((*dealer, *community)), community, readings)
    found = {won, bonus(hole)}
    if won == "player higher" and hand.kind >= PokerClass.STRAIGHT:
        found.add("player higher, a straight or better")
    if bonus(hole) == bonus(dealer) == "A-A":
        found.add("A-A against A-A")
    return frozenset(found)


def bonus(hole: Sequence[Card]) -> str:
    """The line of TH:6.1.2 that two hole cards are on, whatever the Dealer holds."""
    one, other = hole
    if one.rank == other.rank:
        return PAIRS[one.rank]
    ranks = {one.rank, other.rank}
    beside = WITH_AN_ACE.get((ranks - {"A"}).pop()) if "A" in ranks else None
    if beside is None:
        return "no bonus"
    return f"{beside} {'suited' if one.suit == other.suit else 'unsuited'}"


def _told(hand: PokerHand, community: Sequence[Card], readings: Mapping[str, str]) -> PokerHand:
    """The hand as far as it is compared, by how TH:5.4 and 5.4.3 are read."""
    if hand.kind is PokerClass.FULL_HOUSE:
        on_board = sum(RANK[held.rank] == hand.ranks[0] for held in community)
        pair = readings["full_house_pair"] == "whenever_the_threes_are_equal" or on_board == 3
        return hand if pair else hand._replace(ranks=hand.ranks[:1])
    if readings["tie_breaks"] == "by_rank" or hand.kind in (
        PokerClass.TWO_PAIRS,
        PokerClass.ONE_PAIR,
    ):
        return hand
    # TH:5.4.4 tells the lowest straight from the others and says no more.
    ranks = tuple(min(rank, 6) for rank in hand.ranks) if hand.kind in TIE_CLAUSES else ()
    return hand._replace(ranks=ranks)

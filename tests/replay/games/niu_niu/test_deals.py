"""Niu Niu, sections 4 to 6: classes, order of hands, packets and what is wrong with them."""

from itertools import combinations_with_replacement, permutations
from random import Random

import pytest

from replay.games import niu_niu as game
from replay.sentence import names
from replay.witnesses import Sight
from schemas.cards import DECK, Card, cards
from tests.support.tables import cases

RANKS = "A23456789TJQK"


@pytest.mark.parametrize(
    ("hand", "named", "top"),
    cases("""
        AS AH AC AD 5S | HOIANA_NIU_NIU   | 5S | four of a kind without a Niu
        KS KH KC KD QS | HOIANA_NIU_NIU   | KS | four kings among five pictures
        JS QH JC JD QC | ULTIMATE_NIU_NIU | QH | five pictures
        TS QH JC JD QC | NIU_NIU          | QH | a ten among pictures is Niu Niu only
        5S 5H JC KD QS | NIU_NIU          | KD | five and five
        3S 7H TC 9D TS | NIU_9            | TS | nineteen counts nine
        2S 3H 5C 8D TS | NIU_8            | TS | two ways to split, eight both ways
        AS 9H TC AD TS | NIU_1            | TS | eleven counts one
        2D 4C 9H JD 5S | NO_HAND          | JD | no three total ten, twenty or thirty
        KD KC KH 2S 4S | NIU_6            | KH | the best suit of the highest rank
        AS AH AC 2D 2C | NO_HAND          | 2C | the ace is the lowest card
    """),
)
def test_classes(hand: str, named: str, top: str) -> None:
    held = cards(hand)

    assert game.class_of(held) == named
    assert str(game.top(held)) == top


@pytest.mark.parametrize(
    ("high", "low"),
    cases("""
        AS AH AC AD 5S | KS QH JC KD QS | four of a kind beats five pictures
        KH 7H TC 9D 3S | KC 7C TD 9S 3C | hearts beat clubs
        KS 7S TS 9S 3H | KH 7H TC 9D 3S | spades beat hearts
        KC 7H TC 9D 3S | KD 7C TD 9S 3C | clubs beat diamonds
        2D 4C 9H JD 5S | 3S 4H 8C TD 5D | No Hand by the highest card
        5S 5H 5C 5D KD | 9S 9H 9C 9D QS | of two fours the highest of all five cards
        AS 9H TC AD TS | 2D 4C 9C JD 5S | Niu 1 beats No Hand
    """),
)
def test_the_order_of_hands(high: str, low: str) -> None:
    assert game.strength(cards(high)) > game.strength(cards(low))


def test_other_readings_of_four_of_a_kind() -> None:
    aces, fives, nines = cards("AS AH AC AD 5S"), cards("5S 5H 5C 5D KD"), cards("9S 9H 9C 9D QS")
    needs = {**game.AS_READ, "four_of_a_kind": "needs_a_niu"}
    four = {**game.AS_READ, "highest_card": "of_the_four"}

    assert game.class_of(aces, needs) == "NO_HAND"
    assert game.class_of(cards("KS KH KC KD QS"), needs) == "HOIANA_NIU_NIU"
    assert game.strength(fives, four) < game.strength(nines, four)


def test_every_hand_of_ranks_agrees_with_a_second_evaluator() -> None:
    """The evaluator here tries every order of the cards and reads the rulebook's sentences."""
    tried = 0
    for ranks in combinations_with_replacement(RANKS, 5):
        if max(map(ranks.count, ranks)) <= 4:
            assert game.class_of([Card(rank, "S") for rank in ranks]) == second_opinion(ranks)
            tried += 1
    assert tried == 6175


def test_random_pairs_agree_with_a_second_order_of_hands() -> None:
    chance = Random(5)
    low_to_high = [rank + suit for rank in RANKS for suit in "DCHS"]
    for _ in range(20_000):
        ten = chance.sample(DECK, 10)
        one, other = ten[:5], ten[5:]
        ranked = [
            (
                game.CLASSES.index(second_opinion([held.rank for held in hand])),
                max(low_to_high.index(str(held)) for held in hand),
            )
            for hand in (one, other)
        ]
        assert (game.strength(one) > game.strength(other)) == (ranked[0] > ranked[1])


def second_opinion(ranks: "tuple[str, ...] | list[str]") -> str:
    """NN:6.2 sentence by sentence, over every order of the five cards."""
    if any(ranks.count(rank) == 4 for rank in ranks):
        return "HOIANA_NIU_NIU"
    if set(ranks) <= {"J", "Q", "K"}:
        return "ULTIMATE_NIU_NIU"
    found = set()
    for a, b, c, d, e in set(permutations(min(10, RANKS.index(rank) + 1) for rank in ranks)):
        if a + b + c in (10, 20, 30):
            found.add(d + e if d + e <= 10 else d + e - 10)
    if not found:
        return "NO_HAND"
    (points,) = found  # every split leaves the same
    return "NIU_NIU" if points == 10 else f"NIU_{points}"


@pytest.mark.parametrize(
    ("boxes", "order"),
    cases("""
        10 2 1   | 1 2 10   | by number, not by letter
        3 vip 1  | 1 3 vip  | names after numbers
    """),
)
def test_boxes_run_clockwise(boxes: str, order: str) -> None:
    assert game.clockwise(boxes.split()) == order.split()


@pytest.mark.parametrize(
    ("packets", "wagered", "faults"),
    cases("""
        1=5 3=5 dealer=5        | 1 3 |                               | every place right
        1=5 3=5 dealer=4        | 1 3 | dealer_count dealer 4         | a card short at the Dealer
        1=5 3=5                 | 1 3 | dealer_count dealer 0         | nothing for the Dealer
        1=4 3=6 dealer=5        | 1 3 | hand_count 1 4, hand_count 3 6 | two wrong hands
        1=5 2=5 3=5 dealer=5    | 1 3 | empty_box 2 5                 | an empty box dealt in
        1=5 dealer=5            | 1 3 | missed_box 3 0                | a box missed
        1=5 2=5 dealer=5        | 1 3 | empty_box 2 5, missed_box 3 0 | one for the other
        1=5 dealer=5 next=5     | 1   |                               | cards beyond the hands
    """),
)
def test_faults(packets: str, wagered: str, faults: str) -> None:
    found = game.faults(_packets(packets), wagered.split())

    assert ", ".join(f"{at.kind} {at.hand} {at.found}" for at in found) == faults


@pytest.mark.parametrize(
    ("packets", "wagered", "hands"),
    cases("""
        1=5 2=5 3=5 dealer=5     | 1 3   | 1<1 3<2 dealer<3         | a spare packet is dead
        1=5 dealer=5 next=5      | 1 3   | 1<1 3<dealer dealer<next | the next five for the Dealer
        1=5 dealer=5             | 1 3   | cannot                   | no cards left
        1=5 dealer=5 next=4      | 1 3   | cannot                   | too few left
        1=5 2=4 3=5 dealer=5     | 1 3   | cannot                   | a faulty packet
        1=5 2=5 dealer=5         | 1 3   | 1<1 3<2 dealer<dealer    | a packet one box too early
        1=5 dealer=5 next=10     | 1 2 3 | 1<1 2<dealer 3<next dealer<next | two boxes missed
    """),
)
def test_reconstruction(packets: str, wagered: str, hands: str) -> None:
    """`3<2`: box 3 gets the packet that was put on place 2."""
    found = game.reconstructed(_packets(packets), wagered.split())

    if hands == "cannot":
        assert found is None
    else:
        assert found is not None
        assert " ".join(f"{hand}<{place}" for hand, (place, _) in found.items()) == hands


@pytest.mark.parametrize(
    ("packets", "hands"),
    cases("""
        1=5 2=5 3=5 dealer=5 | 1<1 3<3 dealer<dealer | the packet of the empty box is dead
        1=5 2=5 dealer=5     | 1<1 3<2 dealer<dealer | but not where no packet is too many
    """),
)
def test_the_dead_packet_may_be_that_of_the_empty_box(packets: str, hands: str) -> None:
    found = game.reconstructed(_packets(packets), ["1", "3"], "of_the_empty_box")

    assert found is not None
    assert " ".join(f"{hand}<{place}" for hand, (place, _) in found.items()) == hands


def _packets(text: str) -> list[game.CardPacket]:
    deck = iter(DECK)
    found = []
    for place in text.split():
        hand, _, count = place.partition("=")
        found.append(game.CardPacket(hand, tuple(next(deck) for _ in range(int(count)))))
    return found


def _sights(hand: str, shoe: str, camera: str = "", sure: float = 0.99) -> list[Sight]:
    drawn, seen = shoe.split(), camera.split()
    found = []
    for n in range(max(len(drawn), len(seen))):
        given = drawn[n] if n < len(drawn) else ""
        found.append(
            Sight(
                hand,
                n + 1,
                position=n + 1 if given else 0,
                shoe=None if given in ("", "--") else given,
                camera=seen[n] if n < len(seen) else None,
                camera_probability=sure if n < len(seen) else 0.0,
            )
        )
    return found


@pytest.mark.parametrize(
    ("shoe", "camera", "read", "strange"),
    cases("""
        3S 7H TC 9D TS | 3S 7H TC 9D TS | 3S 7H TC 9D TS | | witnesses agree
        3S 7H TC 9D TS | TC 9D 3S TS 7H | 3S 7H TC 9D TS | | arranged in another order
        3S 7H TC 9D -- | TC 9D 3S TS 7H | TC 9D 3S TS 7H | | the camera reads what the device could not
        3S 7H TC 9D TS | 3S 7H          | 3S 7H TC 9D TS | | a partial view
        3S 7H TC 9D TS | 3S 7H TC 9D KS | 3S 7H TC 9D TS | KS | another card
        3S 7H TC 9D TS | 3S 7H TC 9D TS 2C | 3S 7H TC 9D TS | 2C | a card that never left the device
        3S 7H TC 9D -- |                | 3S 7H TC 9D None | | nobody could read it
    """),  # noqa: E501
)
def test_witnesses_read_a_hand_as_a_set(shoe: str, camera: str, read: str, strange: str) -> None:
    (packet,) = game.read(_sights("1", shoe, camera))

    assert " ".join(map(str, packet.cards)) == read
    assert bool(packet.doubt) == ("None" in read)
    found = game.against(packet, ())
    assert names(found, strange) if found else not strange


def test_an_unsure_camera_is_no_witness() -> None:
    (packet,) = game.read(_sights("1", "3S 7H TC 9D TS", "KS KH KC KD QS", sure=0.5))

    assert game.against(packet, ()) is None


def test_without_a_device_packets_lie_clockwise() -> None:
    places = [
        Sight(hand, 1, dealer=code) for hand, code in (("dealer", "2S"), ("3", "3S"), ("1", "4S"))
    ]

    assert [packet.hand for packet in game.read(places)] == ["1", "3", "dealer"]

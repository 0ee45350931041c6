"""After a lawful reconstruction witnesses are held against the hands as they were put right."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from replay.disputes.doubts import doubts, sights_of
from replay.judge import Judgement
from replay.likelihood.witness_errors import ErrorRecord
from schemas.events import BettingOpened, CardDrawn, RoundClosed
from tests.mutants import attacker, days, house
from tests.support.tables import judged

BURNS = "5D", "6D", "8D", "3C"
BOARD = "2S", "7H", "9C", "JD", "QS"


def draw(hand: str, card: str, n: int, **more: Any) -> dict[str, Any]:
    return {"type": "CardDrawn", "position": n, "hand": hand, "card": card, **more}


def saw(places: Iterable[tuple[str, int, str]]) -> list[dict[str, Any]]:
    return [
        {
            "type": "CardsObserved",
            "zone": hand,
            "slot": slot,
            "guesses": [{"seen": card, "probability": 0.99}],
        }
        for hand, slot, card in places
    ]


def bet(wager: str, kind: str, stake: int, box: str = "", **more: Any) -> dict[str, Any]:
    return {
        "type": "WagerPlaced",
        "wager_id": wager,
        "player_id": "p1",
        "bet": kind,
        "stake": stake,
        "box": box,
        **more,
    }


def drawn(hands: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    return [draw(hand, card, n) for n, (hand, card) in enumerate(hands, 1)]


def flop_of_four(*seen: tuple[str, int, str]) -> Judgement:
    """The second burn was dealt to the board and is put right (TH:7.4)."""
    community = [("community", card) for card in ("6D", *BOARD[:3])]
    cards = drawn(
        [
            ("burn", "5D"),
            ("1", "AS"),
            ("1", "AH"),
            *community,
            ("burn", "8D"),
            ("community", "JD"),
            ("burn", "3C"),
            ("community", "QS"),
            ("dealer", "KS"),
            ("dealer", "KD"),
        ]
    )
    report = {"type": "IrregularityReported", "kind": "community_count", "clause": "TH:7.4"}
    flop = [bet("w2", "flop", 200, "1")]
    return judged(
        {
            "terms": {"game": "TH", "currency": "VND", "readings": {"dealing": "card_shoe"}},
            "events": [
                bet("w1", "ante", 100, "1"),
                {"type": "BettingClosed"},
                *cards[:3],
                *flop,
                *cards[3:7],
                report,
                *cards[7:],
                *saw(seen),
                {"type": "RoundClosed", "status": "settled"},
            ],
        }
    )


def crossed(*seen: tuple[str, int, str]) -> Judgement:
    """The first two cards of a baccarat hand lie crossed (TB:7.9)."""
    hands = [("banker", "9S"), ("player", "4H"), ("player", "KD"), ("banker", "3C")]
    return judged(
        {
            "terms": {"game": "TB", "currency": "VND"},
            "events": [
                bet("w1", "player", 100),
                {"type": "BettingClosed"},
                *drawn(hands),
                *saw(seen),
                {"type": "RoundClosed", "status": "settled"},
            ],
        }
    )


def empty_box(*seen: tuple[str, int, str]) -> Judgement:
    """Box 2 has no wager and gets a packet (NN:7.6)."""
    packets = {
        "1": "3S 7H TC 9D TS",
        "2": "KS KH 4C 4D 9H",
        "3": "2S 3H 5C 6D TH",
        "dealer": "3D 7C TD 7D JH",
    }
    hands = [(hand, card) for hand, held in packets.items() for card in held.split()]
    report = {"type": "IrregularityReported", "kind": "cards_to_empty_box", "subject": "2"}
    return judged(
        {
            "terms": {"game": "NN", "currency": "VND"},
            "events": [
                bet("w1", "even", 100, "1"),
                bet("w3", "even", 200, "3"),
                {"type": "BettingClosed"},
                *drawn(hands),
                report,
                *saw(seen),
                {"type": "RoundClosed", "status": "settled"},
            ],
        }
    )


def numbered(hand: str, cards: str) -> list[tuple[str, int, str]]:
    return [(hand, slot, card) for slot, card in enumerate(cards.split(), 1)]


AS_PUT_RIGHT = [
    (flop_of_four, numbered("community", "2S 7H 9C JD QS")),
    (crossed, [*numbered("player", "9S KD"), *numbered("banker", "4H 3C")]),
    (
        empty_box,
        [
            *numbered("1", "3S 7H TC 9D TS"),
            *numbered("3", "KS KH 4C 4D 9H"),
            *numbered("dealer", "2S 3H 5C 6D TH"),
        ],
    ),
]
AS_FIRST_PUT = [
    (flop_of_four, numbered("community", "6D 2S 7H 9C JD QS")),
    (crossed, [*numbered("player", "4H KD"), *numbered("banker", "9S 3C")]),
    (
        empty_box,
        [
            *numbered("2", "KS KH 4C 4D 9H"),
            *numbered("3", "2S 3H 5C 6D TH"),
            *numbered("dealer", "3D 7C TD 7D JH"),
        ],
    ),
]


@pytest.mark.parametrize(("story", "seen"), [*AS_PUT_RIGHT, *AS_FIRST_PUT])
def test_whoever_saw_the_cards_before_or_after_is_right(story: Any, seen: Any) -> None:
    found = story(*seen)
    sights = sights_of(found)
    shoe = {str(at.card) for at in sights if at.position and at.shoe}

    assert found.ruled.status == "settled"
    assert found.ruled.rebuilt
    assert list(doubts(found, sights)) == []
    assert [at for at in sights if not at.position] == []
    assert {str(at.card) for at in sights if at.camera} == {card for _, _, card in seen}
    assert shoe == {
        at.payload.card for at in found.round.events if isinstance(at.payload, CardDrawn)
    }


@pytest.mark.parametrize(("story", "seen"), AS_PUT_RIGHT)
def test_nobody_misses_a_card_that_was_put_aside(story: Any, seen: Any) -> None:
    """REC-06 asks for cards that lie open and that the camera did not see."""
    sights = sights_of(story(*seen))

    shown = {hand for hand, _, _ in seen}
    assert [at for at in sights if at.exposed and at.hand in shown and not at.camera] == []


@pytest.mark.parametrize(("story", "seen"), AS_PUT_RIGHT)
def test_a_card_that_never_was_there_is_told(story: Any, seen: Any) -> None:
    hand, slot, _ = seen[0]
    found = story((hand, slot, "2C"), *seen[1:])

    assert [(at.hand, at.slot, at.kind) for at in doubts(found, sights_of(found))] in (
        [(hand, slot, "differ")],
        [(hand, slot, "stranger")],
    )


@pytest.mark.parametrize(("story", "seen"), AS_PUT_RIGHT)
def test_no_camera_is_blamed_for_a_card_that_was_moved(story: Any, seen: Any) -> None:
    record = ErrorRecord()
    record.take(story(*seen).round.events)

    assert [seen for seen in record.counts if seen.wrong] == []


def test_a_hand_of_niu_niu_may_lie_as_its_player_arranged_it() -> None:
    found = empty_box(*numbered("1", "TS 9D TC 7H 3S"))

    assert list(doubts(found, sights_of(found))) == []


def test_a_niu_niu_round_whose_cards_only_the_camera_has_is_judged() -> None:
    """The round was closed by mistake, so that what the shoe gave after it is in no round."""
    day = list(days.honest("NN", "1").readings)
    opened = next(n for n, at in enumerate(day) if isinstance(at.payload, BettingOpened))
    closing = next(at for at in day if isinstance(at.payload, RoundClosed))
    at = day[opened]
    early = replace(closing, occurred_at=at.occurred_at, received_at=at.received_at)
    told = attacker.numbered([*day[: opened + 1], early, *day[opened + 1 :]])

    rounds = attacker.named("rounds", house.derive(told))

    assert len(list(rounds)) == 3

"""Texas Hold'em Bonus Poker: what holds for every round, whatever is dealt and bet."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import holdem_bonus as game
from replay.games.poker_hands import best
from replay.judge import Judgement
from schemas.cards import DECK, cards
from tests.replay.holdem_bonus_story import Json, event, happened, round_of, sheet
from tests.tables import judged

EDITION = rulebooks.in_force("TH", "2026-03-01")

CONDUCT = st.sampled_from(["", "fold", "absent", "not_shown"])
STAKES = st.tuples(
    st.integers(1, 3_000), st.integers(0, 900), st.integers(0, 5_000), st.integers(0, 3_000)
)
BOXES = st.lists(st.tuples(STAKES, CONDUCT), min_size=1, max_size=5)
ENDINGS = st.sampled_from(
    [
        "",
        "report foreign_card",
        "report foreign_card, rule TH:7.1 continue pit_manager",
        "report cards_exposed",
        "report box_count 1, report not_reconstructable",
        "report power_cut",
        "report misdealt",
        "close settled",
    ]
)
SEEDS = st.integers(0, 10**6)


def _deck(seed: int) -> list[str]:
    deck = [str(card) for card in DECK]
    Random(seed).shuffle(deck)
    return deck


def _events(boxes: list[Any], seed: int, ending: str = "", scale: int = 1) -> list[Json]:
    """A lawful deal from a card shoe, every box with its bets and its player's conduct."""
    names = [str(n) for n in range(1, len(boxes) + 1)]
    order = game.order("card_shoe", names)
    draws = [
        event("CardDrawn", position=n, hand=hand, card=card)
        for n, (hand, card) in enumerate(zip(order, _deck(seed), strict=False), 1)
    ]
    hole = 1 + 2 * len(boxes)
    decided = [
        event("DecisionMade", player_id=f"P{name}", box=name, decision=conduct)
        for name, (_, conduct) in zip(names, boxes, strict=True)
        if conduct in ("fold", "absent")
    ]
    unshown = [
        event("DecisionMade", player_id=f"P{name}", box=name, decision="not_shown")
        for name, (_, conduct) in zip(names, boxes, strict=True)
        if conduct == "not_shown"
    ]
    return [
        *_bets(boxes, names, ("ante", "bonus"), scale),
        event("BettingClosed"),
        *draws[:hole],
        *decided,
        *_bets(boxes, names, ("flop",), scale),
        *draws[hole : hole + 4],
        *_bets(boxes, names, ("turn",), scale),
        *draws[hole + 4 :],
        *unshown,
        *happened(ending),
    ]


def _bets(boxes: list[Any], names: list[str], bets: tuple[str, ...], scale: int) -> list[Json]:
    found = []
    for name, (stakes, _) in zip(names, boxes, strict=True):
        for bet, stake in zip(("ante", "bonus", "flop", "turn"), stakes, strict=True):
            if bet in bets and stake:
                fields = {"player_id": f"P{name}", "box": name, "bet": bet, "stake": stake * scale}
                found.append(event("WagerPlaced", wager_id=f"{name}-{bet}", **fields))
    return found


def _judged(events: list[Json], scale: int = 1) -> Judgement:
    written = sheet(events)
    written["terms"]["limits"] = [
        {"bet": "ante", "minimum": 100 * scale, "maximum": 1_000 * scale},
        {"bet": "bonus", "minimum": 20 * scale, "maximum": 400 * scale},
    ]
    return judged(written)


def _dues(found: Judgement) -> dict[str, tuple[str, int, int, int]]:
    return {
        due.wager_id: (due.outcome, due.paid, due.collected, due.returned) for due in found.dues
    }


@settings(deadline=None)
@given(BOXES, SEEDS, ENDINGS)
def test_no_chip_is_lost_or_made(boxes: list[Any], seed: int, ending: str) -> None:
    found = _judged(_events(boxes, seed, ending))

    assert len(found.dues) == sum(stake > 0 for stakes, _ in boxes for stake in stakes)
    for due in found.dues:
        assert due.stake == due.collected + due.returned
        assert due.back == due.returned + due.paid
        assert due.action <= due.stake
        assert (due.paid > 0) == (due.outcome == "win")
        assert (due.collected > 0) == (due.outcome == "lose")


@settings(deadline=None)
@given(BOXES, SEEDS, ENDINGS)
def test_all_that_is_said_rests_on_clauses_of_the_edition(
    boxes: list[Any], seed: int, ending: str
) -> None:
    found = _judged(_events(boxes, seed, ending))

    cited = {clause for due in found.dues for clause in due.clauses}
    cited |= {clause for step in found.steps for clause in step.clauses}
    cited |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert all(due.clauses for due in found.dues)
    assert cited <= set(EDITION.clauses)
    assert len({flag.code for flag in found.flags}) == len(found.flags)


@settings(deadline=None)
@given(st.data(), BOXES, SEEDS, ENDINGS)
def test_the_order_of_placing_changes_no_due(
    data: st.DataObject, boxes: list[Any], seed: int, ending: str
) -> None:
    events = _events(boxes, seed, ending)
    closed = next(n for n, one in enumerate(events) if one["type"] == "BettingClosed")
    shuffled = [*data.draw(st.permutations(events[:closed])), *events[closed:]]

    one, other = _judged(events), _judged(shuffled)

    assert _dues(one) == _dues(other)
    assert one.flags == other.flags


@settings(deadline=None)
@given(BOXES, SEEDS, ENDINGS, st.integers(2, 1_000))
def test_stakes_scale_dues(boxes: list[Any], seed: int, ending: str, scale: int) -> None:
    one = _dues(_judged(_events(boxes, seed, ending)))
    many = _dues(_judged(_events(boxes, seed, ending, scale), scale))

    assert many == {
        wager: (outcome, *(amount * scale for amount in amounts))
        for wager, (outcome, *amounts) in one.items()
    }


@settings(deadline=None)
@given(BOXES, SEEDS)
def test_a_losing_bonus_changes_no_other_due(boxes: list[Any], seed: int) -> None:
    without = [((ante, 0, flop, turn), conduct) for (ante, _, flop, turn), conduct in boxes]
    bare = _dues(_judged(_events(without, seed)))
    with_bonus = _dues(_judged(_events(boxes, seed)))

    assert {name: due for name, due in with_bonus.items() if "bonus" not in name} == bare


@settings(deadline=None)
@given(BOXES, SEEDS)
def test_each_hand_is_settled_against_the_dealer_alone(boxes: list[Any], seed: int) -> None:
    found = _judged(_events(boxes, seed))
    deck = _deck(seed)
    count = len(boxes)
    rest = deck[1 + 2 * count :]
    community = [*rest[1:4], rest[5], rest[7]]
    dealer = rest[8:10]

    for n, (_, conduct) in enumerate(boxes):
        lines = [due for due in found.dues if due.box == str(n + 1)]
        flop = next((due for due in lines if due.bet == "flop"), None)
        if flop is None or conduct:
            continue
        hole = (deck[1 + n], deck[1 + count + n])
        mine, theirs = (_best(two, community) for two in (hole, dealer))
        outcome = "push" if mine == theirs else "win" if mine > theirs else "lose"
        assert flop.outcome == outcome


@settings(deadline=None)
@given(st.permutations("123"), SEEDS)
def test_who_sits_where_changes_no_due(seats: list[str], seed: int) -> None:
    deck = _deck(seed)
    holes = [" ".join(deck[2 * n : 2 * n + 2]) for n in range(3)]
    bets = ("ante 100", "bonus 50", "flop 200", "turn 100")
    dealer, board = " ".join(deck[6:8]), " ".join(deck[8:13])

    def back(order: list[str]) -> list[list[int]]:
        placed = ", ".join(f"{box} {bet}" for box in order for bet in bets)
        hands = dict(zip(order, holes, strict=True))
        found = judged(round_of(placed, hands, dealer=dealer, board=board))
        return [[due.back for due in found.dues if due.box == box] for box in order]

    assert back(seats) == back(list("123"))


@settings(deadline=None)
@given(BOXES, SEEDS, ENDINGS)
def test_paying_as_due_is_no_mismatch(boxes: list[Any], seed: int, ending: str) -> None:
    events = _events(boxes, seed, ending.replace("close settled", ""))
    settled = [
        event(
            "WagerSettled",
            wager_id=due.wager_id,
            paid=due.paid,
            collected=due.collected,
            returned=due.returned,
        )
        for due in _judged(events).dues
    ]

    found = _judged([*events, *settled, event("RoundClosed")])

    codes = {flag.code for flag in found.flags}
    assert not codes & {"SETTLEMENT_MISMATCH", "VOID_NOT_RETURNED", "REOPENED_ROUND"}


def _best(hole: Any, community: list[str]) -> Any:
    return best(cards(" ".join((*hole, *community))))

"""Explaining a round: found by its id, judged afresh, every clause with its text."""

import json
from pathlib import Path

import pytest

from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.explain import explanation
from replay.locate import UnknownRound, locate
from schemas import events as e
from tests.support import holdem_bonus_story, houses, niu_niu_sheets
from tests.support.tables import cases, judged

PAID = e.WagerSettled("W1", 100_000, returned=90_000)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two tables, a round of one id on each, a payment that is short."""
    for table in ("T1", "T2"):
        said = [*houses.opened(), *houses.spin(f"{table}-R1", 3, houses.red(), late=[PAID])]
        houses.written(tmp_path, table, [*said, *houses.spin("SAME", 4, houses.red(7, "W2"))])
    return tmp_path


@pytest.mark.parametrize("replayed", [True, False], ids=["from derived files", "from the log"])
@pytest.mark.parametrize(
    ("name", "round_id", "wager_id"),
    [
        pytest.param("T1-R1", "T1-R1", "", id="a round"),
        pytest.param("T2-R1/W1", "T2-R1", "W1", id="a wager of a round"),
        pytest.param("T2/SAME", "SAME", "", id="a round of a table"),
    ],
)
def test_a_round_is_found(
    home: Path, name: str, round_id: str, wager_id: str, replayed: bool
) -> None:
    if replayed:
        batch_replay.replay(home, Choice())

    found = locate(home, name)

    assert (found.judged.round.round_id, found.wager_id) == (round_id, wager_id)


def test_a_round_that_came_after_the_replay_is_found(home: Path) -> None:
    batch_replay.replay(home, Choice())
    houses.written(home, "T1", houses.spin("NEW", 5, houses.red()))

    assert locate(home, "NEW").judged.ruled.result == "5"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("T1-R2", "T1-R1", id="the nearest is named"),
        pytest.param("SAME", "T1/SAME, T2/SAME", id="two of one name"),
        pytest.param("W1", "T1-R1/W1, T2-R1/W1", id="two wagers of one name"),
    ],
)
def test_what_is_not_one_round_is_answered(home: Path, name: str, said: str) -> None:
    with pytest.raises(UnknownRound, match=said):
        locate(home, name)


def test_every_step_and_due_has_its_clauses_with_their_text(home: Path) -> None:
    told = explanation(locate(home, "T1-R1").judged)

    cited = {clause for step in told["steps"] for clause in step["clauses"]}
    assert [step["n"] for step in told["steps"]] == list(range(1, len(told["steps"]) + 1))
    assert cited <= set(told["clauses"])
    assert all(told["clauses"].values())


def test_what_was_paid_stands_beside_what_was_due(home: Path) -> None:
    (due,) = explanation(locate(home, "T1-R1").judged)["dues"]

    assert (due["due"]["paid"], due["due"]["returned"]) == ("100000", "100000")
    assert due["seen"]["returned"] == "90000"
    assert due["differences"] == {"returned": "-10000"}


def test_a_wager_shows_its_own_steps_and_those_of_the_round() -> None:
    sheet = {
        "terms": {"game": "RO", "currency": "VND"},
        "events": [
            *(
                {"type": "WagerPlaced", "wager_id": w, "player_id": "p", "bet": bet, "stake": 5}
                for w, bet in (("W1", "red"), ("W2", "black"))
            ),
            {"type": "BettingClosed"},
            {"type": "BallLanded", "pocket": 3},
        ],
    }

    told = explanation(judged(sheet), "W2")

    assert {step["wager"] for step in told["steps"]} == {"", "W2"}
    assert [due["wager"] for due in told["dues"]] == ["W2"]


def test_a_reserve_has_its_columns_and_only_there() -> None:
    from audit.pages.round import lines

    page = (Path(__file__).parents[2] / "docs/sheets/NN.md").read_text("utf-8")
    reserved = explanation(judged(json.loads(page.split("```json\n")[1].split("```")[0])))
    plain = explanation(judged({"terms": {"game": "RO", "currency": "VND"}, "events": RED}))

    w2, w4 = (due for due in reserved["dues"] if due["wager"] in ("w2", "w4"))
    assert (w2["due"]["reserve_taken"], w2["due"]["reserve_returned"]) == ("0", "1000000")
    assert (w4["due"]["reserve_taken"], w4["due"]["reserve_returned"]) == ("272727", "227273")
    told = [" ".join(line.split()) for line in lines(reserved)]
    assert any("collected returned reserve taken reserve back" in line for line in told)
    assert any(line.startswith("w4 ") and "272,727 227,273" in line for line in told)
    assert not any("reserve" in line for line in lines(plain))


RED = [
    {"type": "WagerPlaced", "wager_id": "w1", "player_id": "p", "bet": "red", "stake": 5},
    {"type": "BettingClosed"},
    {"type": "BallLanded", "pocket": 3},
]


def test_a_result_that_depends_on_a_reading_says_so() -> None:
    stakes = {"b1": ("banker", 12_000), "b2": ("player", 1_000)}
    sheet = {
        "terms": {"game": "TB", "currency": "VND", "differential": 5_000},
        "events": [
            *(
                {"type": "WagerPlaced", "wager_id": w, "player_id": w, "bet": bet, "stake": stake}
                for w, (bet, stake) in stakes.items()
            ),
            {"type": "BettingClosed"},
            *(
                {"type": "CardDrawn", "position": n, "hand": hand, "card": card}
                for n, (hand, card) in enumerate(
                    [("player", "2S"), ("banker", "KS"), ("player", "5H"), ("banker", "9H")], 1
                )
            ),
        ],
    }

    readings = {item["issue"]: item for item in explanation(judged(sheet))["readings"]}

    assert readings["differential"]["reading"] == "heavier_to_lighter_plus_d"
    assert "heavier_to_d" in readings["differential"]["changed_by"]


def hand(*seen: dict[str, object]) -> dict[str, object]:
    drawn = [("player", "4D"), ("banker", "KS"), ("player", "4H"), ("banker", "6H")]
    return {
        "terms": {"game": "TB", "currency": "VND"},
        "events": [
            {"type": "WagerPlaced", "wager_id": "w1", "player_id": "p1", "box": "3"}
            | {"bet": "player", "stake": 1000},
            {"type": "BettingClosed"},
            *(
                {"type": "CardDrawn", "position": n, "hand": hand, "card": card}
                for n, (hand, card) in enumerate(drawn, 1)
            ),
            *seen,
        ],
    }


OTHER_CARD = {
    "type": "CardsObserved",
    "zone": "player",
    "slot": 1,
    "guesses": [{"seen": "9C", "probability": 0.99}],
}
WON = {"type": "WagerSettled", "wager_id": "w1", "paid": 1000, "returned": 1000}


def test_an_unknown_round_shows_its_wagers_and_what_the_payments_fit() -> None:
    told = explanation(judged(hand(OTHER_CARD, WON)))

    assert told["status"] == "unknown"
    (wager,) = told["wagers"]
    assert (wager["wager"], wager["player"], wager["box"]) == ("w1", "p1", "3")
    assert wager["seen"]["paid"] == "1000"
    best, *rest = told["payments_fit"]
    assert best["readings"] == ("Player card 1: shoe 4D",)
    assert (best["outcome"], best["fitting"], best["settled"]) == ("P 8-6", 1, 1)
    assert [fit["fitting"] for fit in rest] == [0]


def test_a_known_round_needs_no_fitting() -> None:
    told = explanation(judged(hand(WON)))

    assert (told["status"], told["wagers"], told["payments_fit"]) == ("settled", [], [])


def test_dice_that_camera_and_sensor_read_differently_are_fitted_too() -> None:
    bet = {"type": "WagerPlaced", "wager_id": "w1", "player_id": "p", "bet": "small", "stake": 10}
    sheet = {
        "terms": {"game": "SA-SB", "currency": "VND"},
        "events": [
            bet,
            {"type": "BettingClosed"},
            {"type": "ShakerStarted"},
            {"type": "ShakerStopped", "tumbles": 6},
            {"type": "ShakerOpened", "faces": ["1", "2", "4"]},
            {"type": "DiceObserved", "guesses": [{"seen": "4-5-6", "probability": 0.99}]},
            {"type": "WagerSettled", "wager_id": "w1", "paid": 0, "collected": 10},
        ],
    }

    best, other = explanation(judged(sheet))["payments_fit"]

    assert (best["readings"], best["fitting"]) == (("camera 4-5-6",), 1)
    assert (other["readings"], other["fitting"]) == (("sensor 1-2-4",), 0)


def test_every_witness_of_a_card_has_its_column() -> None:
    from audit.pages.round import lines

    page = list(lines(explanation(judged(hand(OTHER_CARD)))))

    assert any(
        line.split() == ["Player", "1", "unknown", "4D", "9C", "99.00", "%", "-"] for line in page
    )
    assert any(line.split()[:4] == ["Banker", "1", "KS", "KS"] for line in page if line.strip())


def test_the_step_of_a_wager_names_the_events_that_made_it() -> None:
    told = explanation(judged(hand(WON)))

    (step,) = (step for step in told["steps"] if step["wager"] == "w1")
    assert step["evidence"] == ["T1/sheet/3"]


def test_people_times_and_neighbours_are_told(home: Path) -> None:
    from audit.pages.round import lines

    found = locate(home, "T1-R1")
    told = explanation(found.judged) | {
        "neighbours": {"before": found.before, "after": found.after},
        "findings": ["PAY-02-1234567890"],
    }
    page = list(lines(told, "Asia/Ho_Chi_Minh"))

    assert (found.before, found.after) == ("", "SAME")
    assert "round after SAME" in page
    assert "findings: PAY-02-1234567890" in page
    opened = next(line for line in page if line.startswith("opened "))
    assert opened.endswith("(Asia/Ho_Chi_Minh)")


def test_a_clause_with_a_table_is_laid_out_by_the_command(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from audit.cli import app

    drawn = [("player", "9S"), ("banker", "4S"), ("player", "TS"), ("banker", "TC")]
    inside: list[e.Payload] = [
        e.RoundOpened(),
        e.WagerPlaced("W1", "P1", "player", 100_000),
        e.BettingClosed(),
        *(e.CardDrawn(n, hand, card) for n, (hand, card) in enumerate(drawn, 1)),
        e.RoundClosed(),
    ]
    before: list[houses.Said] = [
        (e.TableOpened(houses.DAY), None),
        (e.TermsPosted("TB", "VND"), None),
    ]
    houses.written(tmp_path, "T1", [*before, *((payload, "R1") for payload in inside)])

    with pytest.raises(SystemExit):
        app.run(["explain", "R1", "--home", str(tmp_path)])

    page = capfd.readouterr().out
    assert "\n            Banker         0.95 to 1\n" in page
    assert "\\n" not in page


@pytest.mark.parametrize(
    ("said", "kicker"),
    cases("""
        AS JC TS 9C 8H | A against J | the best five of the Player, and the card that decides
        JC 9C 8H 6D 4C |             | the best five of the Dealer
    """),
)
def test_a_poker_hand_says_why_it_won(said: str, kicker: str) -> None:
    sheet = holdem_bonus_story.round_of(
        "1 ante 100, 1 bonus 20, 1 flop 200", {"1": "AS TS"}, dealer="2C 3D", board="4C 6D 8H 9C JC"
    )
    steps = [step["text"] for step in explanation(judged(sheet))["steps"]]

    assert said in steps[0]
    assert kicker in steps[0]
    assert any("bonus" in step.lower() and "AS TS" in step for step in steps)  # both hole cards


def test_a_niu_names_its_three_cards() -> None:
    steps = explanation(judged(niu_niu_sheets.sheet("1 P1 even 1000")))["steps"]

    assert any("3S 7H TC make 20" in step["text"] for step in steps)
    assert any("3D 7C TD make 20" in step["text"] for step in steps)

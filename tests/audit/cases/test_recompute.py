"""The money of a disputed round under each option, and what earlier rulings cost."""

from pathlib import Path

import duckdb
import pytest

from audit.cases import precedents, recompute
from audit.cases.recompute import recomputed
from replay.judge import Judgement
from replay.locate import LocatedRound
from replay.tables import dictionary
from schemas import events as e
from tests.support import check_cases
from tests.support.disputes import GATHERED, case_of
from tests.support.tables import judged
from tests.support.tiger_baccarat_sheets import NATURAL, event, sheet


def located(*after: dict[str, object], cards: str = NATURAL) -> LocatedRound:
    found = judged(sheet("P1 player 1000, P2 banker 500", cards, *after))
    return LocatedRound(found, "", day=(found.round,))


def settled(wager: str, paid: int = 0, collected: int = 0, returned: int = 0) -> dict[str, object]:
    return event(
        "WagerSettled", wager_id=wager, paid=paid, commission=0, collected=collected,
        reserve_taken=0, returned=returned,
    )  # fmt: skip


def names(made: e.SettlementRecomputed) -> list[str]:
    return [option.option_id for option in made.options]


def test_the_posted_option_says_what_the_house_still_owes() -> None:
    made = recomputed(located(settled("W1", paid=600, returned=1000), settled("W2", collected=500)))

    posted = made.options[0]
    assert (posted.option_id, posted.status, posted.outcome) == ("as-posted", "settled", "P 9-4")
    assert [(line.due_minor, line.seen_minor, line.correction_minor) for line in posted.lines] == [
        (1000, 600, 400),
        (-500, -500, 0),
    ]
    assert posted.correction_minor == 400
    assert not posted.hypothetical
    assert len(made.events_sha256) == 64
    assert made.events > 5


def test_what_was_never_paid_is_owed_whole() -> None:
    (posted,) = recomputed(located()).options

    assert [line.seen_minor for line in posted.lines] == [None, None]
    assert [line.correction_minor for line in posted.lines] == [1000, -500]


def test_a_reading_that_changes_the_money_is_an_option_with_its_issue() -> None:
    # Limits are exceeded, and the issue that says how is read two ways.
    found = _with_readings()

    options = [option for option in recomputed(found).options if option.kind == "reading"]

    assert options
    for option in options:
        assert option.issue
        assert option.changes == (f"reading:{option.issue}={option.option_id.split('=', 1)[1]}",)
        assert option.clause.startswith("TB:")


def _with_readings() -> LocatedRound:
    from replay.relied_readings import relied

    for bets in ("P1 player 9000, P2 banker 20", "P1 player 10000, P2 banker 50, P3 tiger 5"):
        found = judged(sheet(bets, NATURAL, differential=5_000))
        if any(others for others in relied(found).values()):
            return LocatedRound(found, "", day=(found.round,))
    raise AssertionError("no round relies on a reading")


def test_a_failed_procedure_gives_a_hypothetical_option() -> None:
    made = recomputed(located(cards="9S>P KS>B KH>P 4H>B 5D>P"))

    lawful = made.options[-1]
    assert (lawful.option_id, lawful.kind, lawful.hypothetical) == (
        "lawful-deal",
        "counterfactual",
        True,
    )
    assert lawful.what.startswith("hypothetical: the shoe's cards dealt by the rules, player 9S")


def test_a_lawful_deal_that_cannot_be_said_says_why() -> None:
    stopped = event("IrregularityReported", kind="stopped")

    lawful = recomputed(located(stopped, cards="2S>P KS>B 3H>P 7H>B")).options[-1]

    assert lawful.status == "unknown"
    assert "card 5 of the shoe is not on record" in lawful.what


def test_another_word_of_a_ruling_is_an_option() -> None:
    ruled = event("RulingMade", clause="TB:7.20", decision="void", rank="director")

    made = recomputed(located(ruled))

    rulings = [option for option in made.options if option.kind == "ruling"]
    assert rulings
    assert {option.clause for option in rulings} == {"TB:7.20"}
    assert "ruling:TB:7.20=void" not in names(made)


def test_the_same_round_gives_the_same_options() -> None:
    assert recomputed(located()) == recomputed(located())


RULINGS = """
    event_id | round_id | seq | clause  | decision | rank        | made_at
    E1       | R1       | 5   | TB:7.9  | withdraw | pit_manager | 20:00:00
    E2       | R2       | 6   | TB:7.9  | stand    | director    | 20:05:00
    E3       | R3       | 7   | TB:7.20 | void     | director    | 20:06:00
    E4       | T1-R7    | 8   | TB:7.9  | stand    | pit_manager | 20:07:00
"""
ROUNDS = """
    round_id | opened_at | status
    R1       | 02:00:00  | settled
    R2       | 02:05:00  | settled
    R3       | 02:06:00  | void
    T1-R7    | 02:07:00  | settled
"""
FLAGS = """
    round_id | code
    R2       | CARD_OUT_OF_ORDER
"""
DUES = """
    wager_id | round_id | paid | collected | reserve_taken
    W1       | R1       | 0    | 700       | 0
    W2       | R2       | 900  | 0         | 0
"""
UNRULED = """
    wager_id | round_id | paid | collected | reserve_taken
    W1       | R1       | 400  | 0         | 0
"""


def test_precedents_are_earlier_rulings_under_the_clause_those_on_the_same_facts_first() -> None:
    filled = {"rulings": RULINGS, "rounds": ROUNDS, "flags": FLAGS, "dues": DUES}
    case = case_of("open")

    with check_cases.filled({**filled, "unruled_dues": UNRULED}) as connection:
        found = precedents.of_rulings(connection, case, ["TB:7.9"], ["CARD_OUT_OF_ORDER"])

    assert [(one.round_id, one.decision, one.same_pattern) for one in found] == [
        ("R2", "stand", True),
        ("R1", "withdraw", False),
    ]
    assert [(one.player_minor, one.unruled_minor) for one in found] == [(900, 900), (-700, 400)]
    assert found[0].pattern == ("CARD_OUT_OF_ORDER",)


def test_decided_disputes_are_precedents_too() -> None:
    decided = case_of(f"{GATHERED}, decide")
    own = case_of("open")
    other = own._replace(
        steps=tuple(_renamed(step) for step in decided.steps),
    )

    (found,) = precedents.of_cases([own, other], own, ["TB:5.1.3"])

    assert (found.decision, found.player_minor, found.rank) == (
        "dispute upheld",
        300_000,
        "pit_manager",
    )
    assert precedents.of_cases([own, other], own, ["TB:9.9"]) == []


def _renamed(event: e.CaseEvent) -> e.CaseEvent:
    from dataclasses import replace

    return replace(event, case_id="T1-R3-D1")


def test_the_query_runs_on_the_tables_of_a_new_house(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "audit.duckdb")) as connection:
        connection.execute(dictionary.sql())

        assert precedents.of_rulings(connection, case_of("open"), ["TB:7.9"], []) == []


@pytest.mark.parametrize("judgement", [located().judged])
def test_the_pattern_of_a_quiet_round_is_empty(judgement: Judgement) -> None:
    assert recompute.pattern(judgement) == ()
    assert recompute.clauses_of_choice(judgement) == ()

"""Every fault happens, says where, and disturbs nothing else."""

from pathlib import Path

import pytest

from audit.checks import catalogue
from replay import rulebooks
from replay.simulate.faults.breaches import clauses, stated
from replay.simulate.faults.fault import of_game
from tests.replay.simulate.test_honest_day import NOTES
from tests.support.faulty_days import GAMES, SHOWN_ELSEWHERE, day, of_rounds
from tests.support.simulated_days import DAY

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]
CODES = sorted({edition.code for edition in rulebooks.editions()})


@pytest.mark.parametrize("code", GAMES)
def test_every_fault_of_the_game_happens(code: str) -> None:
    known = of_game(code, rulebooks.in_force(code, DAY).game)

    assert set(known) <= {entry.fault for entry in day(code).truth}


@pytest.mark.parametrize("code", GAMES)
def test_the_truth_names_rounds_that_are_there(code: str) -> None:
    there = {reading.round_id for reading in day(code).readings}

    assert day(code).truth
    for entry in day(code).truth:
        assert entry.round_id is None or entry.round_id in there
        assert entry.fault.split("/")[0] in entry.explains


@pytest.mark.parametrize("code", CODES)
def test_every_fault_breaks_a_clause_of_the_rulebook(code: str) -> None:
    edition = rulebooks.in_force(code, DAY)
    assert of_game(code, edition.game)
    for name in of_game(code, edition.game):
        broken = clauses(code, name)

        assert broken, f"breaches.toml: {code} {name} has no line"
        assert set(broken) <= set(edition.clauses), name


@pytest.mark.parametrize("code", CODES)
def test_every_line_on_what_faults_break_is_used(code: str) -> None:
    known = of_game(code, rulebooks.in_force(code, DAY).game)

    used = {name if name in stated(code) else fault.check for name, fault in known.items()}

    assert set(stated(code)) == used


def test_every_check_has_a_fault_that_shows_it() -> None:
    games = {edition.code: edition.game for edition in rulebooks.editions()}
    shown = {fault.check for pair in games.items() for fault in of_game(*pair).values()}

    assert shown == set(catalogue.checks()) - set(SHOWN_ELSEWHERE)
    for file, test in SHOWN_ELSEWHERE.values():
        assert f"def {test}(" in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize("code", GAMES)
def test_rounds_without_a_fault_stay_honest(code: str) -> None:
    disturbed = {entry.round_id for entry in day(code).truth}

    assert of_rounds(code)
    for round_id, judgement in of_rounds(code).items():
        if round_id not in disturbed:
            assert {flag.code for flag in judgement.flags} <= NOTES, round_id

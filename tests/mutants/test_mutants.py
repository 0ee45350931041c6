"""Mutants of every game: none is silent, none is false, and the engine sees what it should."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from audit.run_checks import Finding
from schemas import events as e
from tests.mutants import attacker, days, exceptions, house
from tests.mutants.attacker import named
from tests.mutants.mutant import Mutant, mutant
from tests.mutants.mutations import MUTATIONS
from tests.mutants.run import Job, jobs, tally, verdicts
from tests.mutants.verdicts import BROKEN, FALSE, FOUND, HARMLESS, SILENT, verdict

SEED = "test"
EACH = 20  # mutants of a game; `make mutants` runs many more
OPEN = Path(__file__).with_name("open.toml")

ACCUSATION = Finding(
    *("PAY-01-0", "PAY-01", "S1", "", "", None, None, ""), True, "", "", (), (), 0, 0, None
)  # fmt: skip


@pytest.mark.parametrize("code", days.CODES)
def test_no_mutant_is_silent_or_false_or_breaks_the_house(code: str) -> None:
    (job,) = jobs([code], SEED, EACH)

    done = tally(job)

    known, right = tomllib.loads(OPEN.read_text("utf-8")), exceptions.read()
    bad = [line for line in done.lines if line.verdict in (SILENT, FALSE, BROKEN)]
    left = [line for line in bad if not exceptions.covers(right, line)]
    assert done.counts.total() == EACH
    assert [
        line for line in left if not set(line.why) <= set(known.get(line.verdict, {}).get(code, ()))
    ] == []


def test_a_mutant_is_made_again_from_its_three_words() -> None:
    first = [mutant("SA-DT", SEED, number) for number in range(8)]
    days.honest.cache_clear()

    again = [mutant("SA-DT", SEED, number) for number in range(8)]

    assert first == again
    assert len({one.did for one in first}) == len(first)


def test_every_mutation_is_met_in_a_few_hundred_mutants() -> None:
    kinds = {mutant("RO", SEED, number).kind for number in range(600)}

    names = {name.rpartition("/")[0] for name in kinds}
    assert names == {*(one.name for one in MUTATIONS), "two changes"}
    assert {name.rpartition("/")[2] for name in kinds} == {"kept", "fitted", "raw", "carried"}


def test_a_number_where_a_text_belongs_is_refused_and_breaks_nothing() -> None:
    day = days.honest("RO", f"{SEED}/0")
    opening = next(at for at in day.readings if isinstance(at.payload, e.RoundOpened))

    wrong = replace(opening, payload=e.WagerPlaced(0, "P", "1", "red", 100))  # type: ignore[arg-type]

    assert house.refused(opening) == ""
    assert "wager_id" in house.refused(wrong)


def test_wrong_money_without_a_word_is_silent() -> None:
    made = _paid_too_much()
    rows = house.derive(made.readings, made.table_id)

    told = verdict(made, rows, house.detect([rows])[made.table_id])
    untold = verdict(made, rows, ())

    assert told.kind == FOUND
    assert (untold.kind, untold.why[0]) == (SILENT, "settled otherwise than due")


def test_a_word_on_another_round_does_not_count() -> None:
    made = _paid_too_much()
    rows = house.derive(made.readings, made.table_id)
    (wrong,) = made.changed
    (other, *_) = [at for at in made.honest.rounds if at != wrong]
    hint = ACCUSATION._replace(certain=False)

    of_it = hint._replace(round_id=days.renamed(wrong, days.TABLE, made.table_id))
    of_another = hint._replace(round_id=days.renamed(other, days.TABLE, made.table_id))

    assert verdict(made, rows, (of_it,)).kind == FOUND
    assert verdict(made, rows, (of_another,)).kind == SILENT
    assert verdict(made, rows, (of_it, of_another._replace(certain=True))).kind == FALSE


def test_a_finding_is_about_the_rounds_of_its_evidence_and_of_its_wager() -> None:
    made = _paid_too_much()
    rows = house.derive(made.readings, made.table_id)
    (wrong,) = (days.renamed(at, days.TABLE, made.table_id) for at in made.changed)
    event_id = next(at["event_id"] for at in named("events", rows) if at["round_id"] == wrong)
    hint = ACCUSATION._replace(certain=False, round_id="another")

    assert verdict(made, rows, (hint._replace(evidence=(event_id,)),)).kind == FOUND
    assert verdict(made, rows, (hint._replace(subject=f"{wrong}-1"),)).kind == FOUND
    assert verdict(made, rows, (hint,)).kind == SILENT


def test_an_accusation_over_what_any_honest_device_says_is_false() -> None:
    day = days.honest("RO", f"{SEED}/0")
    call = next(n for n, at in enumerate(day.readings) if isinstance(at.payload, e.ResultCalled))
    twice = attacker.numbered([*day.readings[: call + 1], *day.readings[call:]])
    made = Mutant("RO", SEED, 0, "repeat", "kept", (), tuple(twice), (), frozenset())
    rows = house.derive(made.readings, made.table_id)
    (said,) = (days.renamed(at, days.TABLE, made.table_id) for at in made.changed)
    accused = (ACCUSATION._replace(round_id=said),)

    assert verdict(made, rows, accused).kind == FOUND
    assert verdict(made._replace(innocent=True), rows, accused).kind == FALSE


def test_only_what_happens_to_honest_devices_is_innocent() -> None:
    made = [mutant("SA-BC", SEED, number) for number in range(300)]
    innocent = {did.split()[0] for one in made if one.innocent for did in one.did}

    assert innocent == {"miss", "say", "set"}


def test_an_honest_day_is_harmless_and_an_accusation_of_it_false() -> None:
    day = days.honest("RO", f"{SEED}/0")
    made = Mutant("RO", SEED, 0, "nothing", "carried", (), day.readings, (), frozenset())
    rows = house.derive(made.readings, made.table_id)

    assert verdict(made, rows, ()).kind == HARMLESS
    assert verdict(made, rows, (ACCUSATION,)).kind == FALSE
    assert verdict(made, rows, (ACCUSATION._replace(certain=False),)).kind == FOUND


def test_a_table_that_breaks_the_replay_is_named_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    derive = house.derive

    def break_one(readings: tuple[e.Reading, ...], table_id: str) -> object:
        if table_id == "M0000002":
            raise OverflowError("a number too large")
        return derive(readings, table_id)

    monkeypatch.setattr(house, "derive", break_one)

    found = {one.mutant.number: one for one in verdicts(Job("RO", SEED, (1, 2, 3)))}

    assert found[2].kind == BROKEN
    assert found[2].why == ("replay: OverflowError: a number too large",)
    assert BROKEN not in (found[1].kind, found[3].kind)


def test_every_exception_names_a_clause_and_a_reason() -> None:
    for kind in exceptions.read():
        assert kind.clause
        assert kind.reason
        assert kind.games


def _paid_too_much() -> Mutant:
    """A day on which a winner gets one chip more than is due."""
    day = days.honest("RO", f"{SEED}/0")
    won = [at for at in day.readings if isinstance(at.payload, e.WagerSettled) and at.payload.paid]
    wrong = won[0].payload
    assert isinstance(wrong, e.WagerSettled)
    paid = replace(won[0], payload=replace(wrong, paid=wrong.paid + 10_000))
    readings = tuple(paid if at is won[0] else at for at in day.readings)
    return Mutant("RO", SEED, 0, "pay more", "kept", (), readings, (), frozenset())

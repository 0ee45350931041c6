"""Mutants of every game: none is silent, none is false, and the engine sees what it should."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from audit.checks.run import CheckFinding
from schemas import events as e
from tests.mutants import attacker, days, exceptions, house, reuse, show
from tests.mutants import run as running
from tests.mutants.attacker import named
from tests.mutants.kept import Kept
from tests.mutants.mutant import Mutant, known, mutant
from tests.mutants.mutations import MUTATIONS
from tests.mutants.run import jobs, run, tally, verdicts
from tests.mutants.tally import Job, Line, Tally
from tests.mutants.verdicts import (
    BROKEN,
    FALSE,
    FOLLOWS,
    FOUND,
    HARMLESS,
    OTHER,
    SILENT,
    TWICE,
    verdict,
)

pytestmark = pytest.mark.slow

SEED = "test"
EACH = 20  # mutants of a game; `make mutants` runs many more
OPEN = Path(__file__).with_name("open.toml")

ACCUSATION = CheckFinding(
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
    known.cache_clear()

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
    rows = house.derive(made.readings)

    told = verdict(made, rows, house.detect({made.table_id: rows})[made.table_id])
    untold = verdict(made, rows, ())

    assert told.kind == FOUND
    assert (untold.kind, untold.why[0]) == (SILENT, "settled otherwise than due")


def test_a_word_on_another_round_does_not_count() -> None:
    made = _paid_too_much()
    rows = house.derive(made.readings)
    (wrong,) = made.changed
    (other, *_) = [at for at in made.honest.rounds if at != wrong]
    hint = ACCUSATION._replace(certain=False)

    of_it, of_another = hint._replace(round_id=wrong), hint._replace(round_id=other)

    assert verdict(made, rows, (of_it,)).kind == FOUND
    assert verdict(made, rows, (of_another,)).kind == SILENT
    assert verdict(made, rows, (of_it, of_another._replace(certain=True))).kind == FALSE


def test_a_finding_is_about_the_rounds_of_its_evidence_and_of_its_wager() -> None:
    made = _paid_too_much()
    rows = house.derive(made.readings)
    (wrong,) = made.changed
    event_id = next(at["event_id"] for at in named("events", rows) if at["round_id"] == wrong)
    hint = ACCUSATION._replace(certain=False, round_id="another")

    assert verdict(made, rows, (hint._replace(evidence=(event_id,)),)).kind == FOUND
    assert verdict(made, rows, (hint._replace(subject=f"{wrong}-1"),)).kind == FOUND
    assert verdict(made, rows, (hint,)).kind == SILENT


def test_each_round_is_held_against_what_the_sensor_read_in_it() -> None:
    day = days.honest("RO", f"{SEED}/0")
    placed = [at for at in day.readings if isinstance(at.payload, e.WagerPlaced)]
    first = placed[0].payload
    other = next(at.payload for at in placed if at.round_id != placed[0].round_id)
    assert isinstance(first, e.WagerPlaced)
    assert isinstance(other, e.WagerPlaced)
    shared = [
        replace(at, payload=days.renamed(at.payload, first.wager_id, other.wager_id))
        for at in day.readings
    ]
    made = Mutant("RO", SEED, 0, "share", "fitted", (), tuple(shared), (), frozenset())
    rows = house.derive(made.readings)

    assert first.stake != other.stake
    assert verdict(made, rows, ()).kind == FOLLOWS


@pytest.mark.parametrize(
    ("why", "did", "right"),
    [
        (TWICE, "change DecisionMade.decision: 'hit' to 'double'", True),
        (OTHER, "change DecisionMade.decision: 'hit' to 'double'", False),
        (TWICE, "change StakeRead.wager_id everywhere: 'A-1' to 'A-2'", False),
        (TWICE, "change WagerPlaced.stake: 400 to 800", False),
    ],
)
def test_only_a_decision_that_doubles_a_bet_is_excepted(why: str, did: str, right: bool) -> None:
    """SA-BJ:3.5.2."""
    line = Line("SA-BJ test 1", "change/fitted", SILENT, (why,), (did,))

    assert exceptions.covers(exceptions.read(), line) == right


def test_a_wager_under_another_name_is_held_against_nothing() -> None:
    """Its double lies on the honest day too, under the name that it has there."""
    day, doubled = days.honest("SA-BJ", "doubled9/0"), "MUTANT-20260301-0002-2"
    named = tuple(
        replace(at, payload=days.renamed(at.payload, doubled, f"{doubled}-other"))
        for at in day.readings
    )
    made = Mutant("SA-BJ", "doubled9", 0, "rename", "fitted", (), named, (), frozenset())
    rows = house.derive(named)
    (due,) = [at for at in attacker.named("dues", rows) if at["wager_id"] == f"{doubled}-other"]

    assert (due["stake"], due["collected"]) == (2_060_000, 2_060_000)  # the sensor read one half
    assert verdict(made, rows, ()).kind == FOLLOWS


def test_a_round_that_only_the_mutant_has_is_a_changed_one() -> None:
    day = days.honest("RO", f"{SEED}/0")
    first = next(at for at in day.readings if isinstance(at.payload, e.RoundOpened))
    readings = tuple(replace(at, round_id=None) if at is first else at for at in day.readings)
    made = Mutant("RO", SEED, 0, "mislabel", "raw", (), readings, (), frozenset())
    rows = house.derive(made.readings)
    (new,) = set(attacker.statuses(rows)) - set(day.rounds)

    found = verdict(made, rows, (ACCUSATION._replace(round_id=new),))

    assert found.kind == FOUND


def test_an_accusation_over_what_any_honest_device_says_is_false() -> None:
    day = days.honest("RO", f"{SEED}/0")
    call = next(n for n, at in enumerate(day.readings) if isinstance(at.payload, e.ResultCalled))
    twice = attacker.numbered([*day.readings[: call + 1], *day.readings[call:]])
    made = Mutant("RO", SEED, 0, "repeat", "kept", (), tuple(twice), (), frozenset())
    rows = house.derive(made.readings)
    (said,) = made.changed
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
    rows = house.derive(made.readings)

    assert verdict(made, rows, ()).kind == HARMLESS
    assert verdict(made, rows, (ACCUSATION,)).kind == FALSE
    assert verdict(made, rows, (ACCUSATION._replace(certain=False),)).kind == FOUND


def test_a_table_that_breaks_the_replay_is_named_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    derive, breaking = reuse.Known.derive, mutant("RO", SEED, 2).readings

    def break_one(day: reuse.Known, readings: tuple[e.Reading, ...]) -> object:
        if tuple(readings) == breaking:
            raise OverflowError("a number too large")
        return derive(day, readings)

    monkeypatch.setattr(reuse.Known, "derive", break_one)

    found = {one.mutant.number: one for one in verdicts(Job("RO", SEED, (1, 2, 3)))}

    assert found[2].kind == BROKEN
    assert found[2].why == ("replay: OverflowError: a number too large",)
    assert BROKEN not in (found[1].kind, found[3].kind)


@pytest.mark.parametrize("code", days.CODES)
def test_what_is_taken_from_the_honest_day_is_what_a_replay_derives(code: str) -> None:
    made = [mutant(code, SEED, number) for number in range(EACH)]

    wrong = {
        one.name: reuse.differences(one.known.derive(one.readings), house.derive(one.readings))
        for one in made
    }

    assert wrong == {name: [] for name in wrong}


def test_a_house_of_many_tables_finds_what_houses_of_one_find() -> None:
    made = [mutant("SA-BC", SEED, number) for number in range(EACH)]
    rows = {one.table_id: house.derive(one.readings) for one in made}

    together = house.detect(rows)

    alone = {name: house.detect({name: part}).get(name, []) for name, part in rows.items()}
    assert together == {name: found for name, found in alone.items() if found}


def test_a_run_that_was_ended_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    todo, kept = jobs(["RO", "TB"], SEED, 3), tmp_path / "kept.jsonl"
    whole = run(todo, 1)
    run(todo[:1], 1, kept=Kept(kept))
    with kept.open("a") as file:
        file.write('{"game": "TB", "coun')  # cut off by a kill
    again = list[Job]()

    def counted(job: Job) -> Tally:
        again.append(job)
        return tally(job)

    monkeypatch.setattr(running, "tally", counted)

    assert run(todo, 1, kept=Kept(kept)) == whole
    assert run(todo, 1, kept=Kept(kept)) == whole
    assert again == todo[1:]
    assert Kept(kept, "another code").done == {}


def test_a_mutant_is_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    show.show("RO", SEED, 1)

    shown = capsys.readouterr().out
    assert shown.startswith(f"RO {SEED} 1: ")
    assert [part for part in ("readings", "rounds", "money", "findings") if part not in shown] == []


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

"""The cases' stream: chained, one step a record, whole after a kill."""

import hashlib
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from audit.cases import case_log
from audit.cases.case import Case
from audit.cases.case_log import StepRefused, Taking, UnknownCase
from audit.cases.rules import Actor
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogCorrupt
from schemas import case_codec
from schemas import events as e
from tests.support.disputes import GATHERED, MINUTE, NOON, RAISED, SETTLED, STEPS, always

SEGMENT = "log/cases/T1/00000000.avro"


def told(home: Path, verbs: str, raised: e.DisputeRaised = RAISED, table: str = "T1") -> Case:
    case = None
    for n, verb in enumerate(verbs.split(", ")):
        taking = Taking(STEPS[verb][0], NOON + n * MINUTE, NOON + n * MINUTE)
        if case is None:
            case = case_log.open_case(home, table, raised, taking)
        else:
            case = case_log.take(home, case.case_id, always(STEPS[verb][1]), taking)
    assert case is not None
    return case


def test_a_case_reads_back_as_it_was_written(tmp_path: Path) -> None:
    case = told(tmp_path, f"{SETTLED}, tell, close")

    book = case_log.load(tmp_path)

    assert book.cases == {"T1-R7-D1": case}
    assert book.heads["T1"].steps == len(case.steps) == 13
    assert book.named("T1-R7") == case
    assert case.stage == "closed"


def test_each_step_carries_the_hash_of_the_one_before(tmp_path: Path) -> None:
    told(tmp_path, "open, say")
    told(tmp_path, "open")

    records = list(LocalLog(tmp_path / "log").read("cases", "T1"))
    events = [case_codec.decode_case(record.body, record.schema) for record in records]

    assert [event.case_id for event in events] == ["T1-R7-D1", "T1-R7-D1", "T1-R7-D2"]
    assert [event.prev_hash for event in events[1:]] == [
        hashlib.sha256(record.body).digest() for record in records[:-1]
    ]


def test_a_round_with_a_long_id_gets_a_short_case_id(tmp_path: Path) -> None:
    raised = e.DisputeRaised("R" * 64, "wrong", "VN")

    case = told(tmp_path, "open", raised)

    assert len(case.case_id) == 19
    assert case.raised.round_id == "R" * 64


def test_a_refused_step_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    told(tmp_path, "open, say")
    before = (tmp_path / SEGMENT).read_bytes()

    with pytest.raises(StepRefused, match=r"case T1-R7-D1: decide is refused \(TB:8.1\)"):
        case_log.take(tmp_path, "T1-R7-D1", lambda _: STEPS["decide"][1], _by("decide"))
    with pytest.raises(StepRefused, match=r"open is refused \(8.1\)"):
        case_log.open_case(tmp_path, "T1", RAISED, Taking(Actor("D1", "dealer"), NOON, NOON))

    assert (tmp_path / SEGMENT).read_bytes() == before


def test_an_id_that_names_no_case_or_several_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(UnknownCase, match="there is none at all"):
        case_log.load(tmp_path).named("X")
    told(tmp_path, "open")
    told(tmp_path, "open")

    with pytest.raises(UnknownCase, match="one such as T1-R7-D1 expected"):
        case_log.load(tmp_path).named("X")
    with pytest.raises(UnknownCase, match="2 begin so, such as T1-R7-D1"):
        case_log.load(tmp_path).named("T1-R7")


def test_a_changed_byte_is_found_and_hides_only_the_cases_of_its_table(tmp_path: Path) -> None:
    told(tmp_path, "open, say")
    other = told(tmp_path, "open", e.DisputeRaised("T2-R1", "wrong", "VN"), "T2")
    path = tmp_path / SEGMENT
    content = bytearray(path.read_bytes())
    content[content.index(b"paid 5:1")] ^= 1
    path.write_bytes(content)

    book = case_log.load(tmp_path)

    assert book.cases == {other.case_id: other}
    assert str(book.damaged["T1"]).startswith("cases of T1 offset 1: the case event after")
    with pytest.raises(LogCorrupt):
        book.named("T1-R7-D1")
    with pytest.raises(LogCorrupt):
        case_log.open_case(tmp_path, "T1", RAISED, _by("open"))


def test_a_case_whose_steps_do_not_count_up_is_damage(tmp_path: Path) -> None:
    actor, step = STEPS["say"]
    event = e.CaseEvent("T1", "T1-R7-D1", 2, bytes(32), *actor, NOON, NOON, step)
    with LocalLog(tmp_path / "log", ("cases",)) as log:
        log.append("cases", "T1", [case_codec.encode(event)])

    found = case_log.load(tmp_path).damaged["T1"]

    assert str(found) == (
        "cases of T1: case T1-R7-D1: steps 1 to 1 from the raising on expected, others found"
    )


def test_a_gateway_that_holds_the_events_is_not_in_the_way(tmp_path: Path) -> None:
    with LocalLog(tmp_path / "log", (EVENTS,)):
        assert told(tmp_path, "open").stage == "raised"


def test_two_desks_wait_for_each_other_and_one_step_is_taken_once(tmp_path: Path) -> None:
    case = told(tmp_path, GATHERED)
    refused: list[StepRefused] = []

    def decide() -> None:
        try:
            case_log.take(tmp_path, case.case_id, lambda _: STEPS["decide"][1], _by("decide"))
        except StepRefused as error:
            refused.append(error)

    desks = [threading.Thread(target=decide) for _ in range(4)]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()

    assert len(refused) == 3
    assert case_log.load(tmp_path).cases[case.case_id].stage == "decided"


def test_a_killed_desk_leaves_every_step_whole_or_not_at_all(tmp_path: Path) -> None:
    seed = int(os.environ.get("ROUNDPROOF_SEED", "5"))
    chance = random.Random(seed)
    kills = int(os.environ.get("ROUNDPROOF_KILLS", "40"))
    shots = [chance.randrange(1, 24_000) for _ in range(kills)]
    homes = [tmp_path / str(n) for n in range(len(shots))]
    orders = "".join(f"{home} {shot}\n" for home, shot in zip(homes, shots, strict=True))

    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed_case_desk"],
        input=orders, capture_output=True, text=True, check=True,
    )  # fmt: skip

    answers = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(answers) == len(shots)
    assert sum(signal == 9 for _, signal in answers) > len(shots) // 3, f"seed {seed}"
    for home, (acknowledged, _) in zip(homes, answers, strict=True):
        book = case_log.load(home)
        steps = sum(len(case.steps) for case in book.cases.values())
        assert not book.damaged, f"seed {seed}, {home.name}"
        assert acknowledged <= steps <= acknowledged + 1, f"seed {seed}, {home.name}"
        assert told(home, "open").stage == "raised"


def _by(verb: str) -> Taking:
    return Taking(STEPS[verb][0], NOON, NOON)

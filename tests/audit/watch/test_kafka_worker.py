"""The live service on a real Kafka: what it publishes is what a batch run finds."""

import os
import random
import signal
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import cache

import pytest

from audit.cli.errors import Code
from audit.watch import kafka_worker
from audit.watch.metrics import WatchMetrics
from audit.watch.published import RAISED
from ingest import dead_letter as letters_of
from ingest.kafka.client import Kafka, admin
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from replay import rulebooks
from replay.batch.source import Sealed
from replay.tables.derive import derive
from schemas.events import BallLanded, DollyPlaced, Finding
from tests.broker.environment import leading_to
from tests.support import batch_findings, houses, watched_topic
from tests.support.command_line import called
from tests.support.houses import DAY, opened, red, spin
from tests.support.live_days import day

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("ROUNDPROOF_KILLS", "4"))
CALLS = 1_500_000  # of a watcher that lives to the end, about
SHOWS = (BallLanded, DollyPlaced)
CODES = ("TB", "RO", "SA-SB")


def days() -> list[tuple[Sealed, ...]]:
    return [day(code, rounds=24, faults=4) for code in CODES]


def standing(found: list[Finding]) -> set[tuple[object, ...]]:
    """What stands after everything that was published, without when and how often."""
    last = {finding.finding_id: finding for finding in found}
    return {told_of(finding) for finding in last.values() if finding.state == RAISED}


def told_of(finding: object) -> tuple[object, ...]:
    return tuple(getattr(finding, name) for name in NAMES)


NAMES = ("finding_id", "certain", "expected", "found", "clauses", "evidence", "house_minor",
         "player_minor", "currency", "gaming_day", "round_id", "subject")  # fmt: skip


@cache
def expected() -> set[tuple[object, ...]]:
    return {told_of(finding) for finding in batch_findings.findings(days()).values()}


def assert_each_once(kafka: Kafka) -> None:
    """No version of a finding or a round is published twice, and none is left out."""
    findings = watched_topic.findings(kafka)
    versions: dict[str, list[int]] = {}
    for finding in findings:
        versions.setdefault(finding.finding_id, []).append(finding.version)
    for found in versions.values():
        assert found == list(range(1, len(found) + 1))
    rounds = Counter((judged.round_id, judged.version) for judged in watched_topic.rounds(kafka))
    assert set(rounds.values()) == {1}


def test_what_is_published_is_what_a_batch_run_finds(kafka: Kafka) -> None:
    watched_topic.send(kafka, days())

    said = watched_topic.watched(kafka)

    assert standing(watched_topic.findings(kafka)) == expected()
    assert_each_once(kafka)
    assert len(said.splitlines()) == len(watched_topic.findings(kafka))
    wanted = {
        row[0]: row[-1]
        for sealed in days()
        for row in derive(DAY, sealed, rulebooks.in_force).rows["rounds"]
    }
    assert {judged.round_id: judged.digest for judged in watched_topic.rounds(kafka)} == wanted


def test_a_second_watcher_finds_nothing_left_to_say(kafka: Kafka) -> None:
    watched_topic.send(kafka, days())
    watched_topic.watched(kafka)
    before = watched_topic.findings(kafka), watched_topic.rounds(kafka)

    said = watched_topic.watched(kafka)

    assert said == ""
    assert (watched_topic.findings(kafka), watched_topic.rounds(kafka)) == before


def test_killed_at_any_point_the_findings_are_those_of_an_undisturbed_run(kafka: Kafka) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201
    rng = random.Random(seed)
    watched_topic.send(kafka, days())
    orders = [int(CALLS ** rng.uniform(0.7, 1)) for _ in range(KILLS)]

    ended = watched_topic.shot(kafka, [*orders, 0])

    assert ended[-1] == 0, seed
    assert ended.count(signal.SIGKILL) >= KILLS / 3, (seed, ended)
    assert standing(watched_topic.findings(kafka)) == expected(), seed
    assert_each_once(kafka)


def test_two_workers_share_the_tables_and_one_takes_over_when_the_other_is_killed(
    kafka: Kafka,
) -> None:
    first, second = watched_topic.watcher(kafka), watched_topic.watcher(kafka)
    early = [sealed[: len(sealed) // 2] for sealed in days()]
    late = [sealed[len(sealed) // 2 :] for sealed in days()]
    with first, second:
        watched_topic.send(kafka, early)
        assert first.stdout is not None
        first.stdout.readline()
        first.kill()
        watched_topic.send(kafka, late)
        second.communicate(timeout=300)
    watched_topic.watched(kafka)  # what came while the group did not know of the death yet

    assert standing(watched_topic.findings(kafka)) == expected()
    assert_each_once(kafka)


def test_a_late_arrival_opens_its_round_again_as_a_new_version(kafka: Kafka) -> None:
    said = [*opened(), *spin("R1", 5, red()), *spin("R2", 7, red())]
    shown = [n for n, (payload, _) in enumerate(said) if isinstance(payload, SHOWS)][:2]
    said += [said.pop(n) for n in reversed(shown)]
    sealed = houses.sealed("T1", said)
    watched_topic.send(kafka, [sealed[:-2]])
    watched_topic.watched(kafka)
    before = {
        (judged.round_id, judged.version): judged.status for judged in watched_topic.rounds(kafka)
    }

    watched_topic.send(kafka, [sealed[-2:]])
    watched_topic.watched(kafka)

    after = {
        (judged.round_id, judged.version): judged.status for judged in watched_topic.rounds(kafka)
    }
    assert before == {("R1", 1): "void", ("R2", 1): "settled"}
    assert {("R1", 3): "settled", ("R2", 2): "settled"}.items() <= after.items()
    told = Counter(at.state for at in watched_topic.findings(kafka) if at.round_id == "R1")
    assert told["withdrawn"] > 0
    assert "INT-07" in {at.check_id for at in watched_topic.findings(kafka)}
    found = {told_of(finding) for finding in batch_findings.findings([sealed]).values()}
    assert standing(watched_topic.findings(kafka)) == found

    published = watched_topic.findings(kafka), watched_topic.rounds(kafka)
    said_again = watched_topic.watched(kafka, "--group", f"{kafka.prefix}watch.again")

    assert said_again == ""
    assert (watched_topic.findings(kafka), watched_topic.rounds(kafka)) == published


def test_bad_messages_are_buried_with_their_reason_and_hold_nobody_up(kafka: Kafka) -> None:
    sealed = day("SA-SB", rounds=24, faults=4)
    bad = {b"not framed": "not_framed", b"\xc3\x01" + bytes(20): "unknown_schema"}
    half = len(sealed) // 2
    watched_topic.send(kafka, [sealed[:half]])
    with TopicProducer(kafka) as outbox:
        key = sealed[0][0].table_id.encode()
        outbox.send(OutgoingMessage(kafka.topic("events"), key, value) for value in bad)
    watched_topic.send(kafka, [sealed[half:]])

    watched_topic.watched(kafka)

    wanted = {told_of(finding) for finding in batch_findings.findings([sealed]).values()}
    assert standing(watched_topic.findings(kafka)) == wanted
    letters = [letters_of.decode(body) for body in watched_topic.bodies(kafka, "dlq")]
    assert {letter.body: letter.reason for letter in letters} == bad


def test_a_run_until_idle_takes_in_everything_that_is_there(
    kafka: Kafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        kafka_worker, "POLL_S", 0.0
    )  # so short that nothing has come when it is over
    sealed = day("SA-SB", rounds=24, faults=4)
    watched_topic.send(kafka, [sealed])
    worker = kafka_worker.WatchWorker(kafka, print, WatchMetrics(), stopped=lambda: False, idle_s=0)

    worker.run()
    worker.close()

    wanted = {told_of(finding) for finding in batch_findings.findings([sealed]).values()}
    assert standing(watched_topic.findings(kafka)) == wanted


def test_topics_of_unlike_counts_are_told_at_the_start(
    kafka: Kafka, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(admin(kafka)) as client:
        client.create_partitions({kafka.topic("events"): 5})
    for name, value in leading_to(kafka).items():
        monkeypatch.setenv(name, value)

    assert called("watch", "--until-idle", "1") == Code.UNVERIFIED

    told = capsys.readouterr().err
    assert f"{kafka.topic('derived')}: 5 partitions expected as in {kafka.topic('events')}" in told
    assert "next: roundproof kafka check" in told


def test_a_missing_topic_is_told_as_such_after_some_patience(
    kafka: Kafka, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kafka_worker, "AWAY_S", 0.5)
    for name, value in leading_to(replace(kafka, prefix="nobody.")).items():
        monkeypatch.setenv(name, value)

    assert called("watch", "--until-idle", "0") == Code.NOT_FOUND

    told = capsys.readouterr().err
    assert "next: roundproof kafka init" in told
    assert told.count("kafka_away") == 1

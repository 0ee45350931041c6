"""`roundproof kafka`: topics made as a house needs them, and weak ones refused by name."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from kafka.admin import ConfigResource, ConfigResourceType

from audit.cli.errors import Code
from ingest.kafka import topics
from ingest.kafka.client import Kafka, admin
from ingest.kafka.topics import STREAMS, TopicSettings
from tests.broker.fixtures import Secured
from tests.support.command_line import called


@pytest.fixture(autouse=True)
def _set(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line finds the test's own broker."""
    kafka: Kafka = request.getfixturevalue("desk")
    monkeypatch.setenv("ROUNDPROOF_KAFKA", kafka.bootstrap)
    monkeypatch.setenv("ROUNDPROOF_KAFKA_PREFIX", kafka.prefix)


@pytest.fixture
def desk(kafka: Kafka) -> Iterator[Kafka]:
    """A prefix under which no topic is yet."""
    mine = replace(kafka, prefix=f"{kafka.prefix}desk.")
    yield mine
    with closing(admin(mine)) as client:
        there = [name for name in client.list_topics() if name.startswith(mine.prefix)]
        if there:
            client.delete_topics(there)


def test_init_makes_what_is_not_there_and_leaves_the_rest(
    desk: Kafka, capsys: pytest.CaptureFixture[str]
) -> None:
    dry = ("kafka", "init", "--partitions", "3", "--replication", "1", "--dry-run", "--json")
    assert called(*dry) == Code.OK
    would = json.loads(capsys.readouterr().out)
    assert called(*dry[:-2], "--json") == Code.OK
    made = json.loads(capsys.readouterr().out)
    assert called("kafka", "init", "--partitions", "7", "--json") == Code.OK
    again = json.loads(capsys.readouterr().out)

    names = sorted(desk.topic(stream) for stream in STREAMS)
    assert (would["topics"], would["dry_run"]) == (names, True)
    assert (made["topics"], made["dry_run"]) == (names, False)
    assert again["topics"] == []
    with closing(admin(desk)) as client:
        found = {each["name"]: len(each["partitions"]) for each in client.describe_topics(names)}
    assert found == dict.fromkeys(names, 3)


def test_a_topic_that_cannot_be_had_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert called("kafka", "init", "--replication", "3") == Code.UNREACHABLE
    told = capsys.readouterr().err
    assert "replication factor of 3 cannot be reached" in told
    assert "roundproof kafka init --replication 1" in told


def test_a_topic_is_made_with_as_many_partitions_as_its_siblings(
    desk: Kafka, capsys: pytest.CaptureFixture[str]
) -> None:
    topics.init(desk, TopicSettings(2, replication=1))
    with closing(admin(desk)) as client:
        client.delete_topics([desk.topic("events")])
        while desk.topic("events") in client.list_topics():
            pass

    assert called("kafka", "init", "--partitions", "5", "--replication", "1") == Code.USAGE
    told = capsys.readouterr().err
    assert "2 partitions expected as in" in told
    assert "5 asked for" in told

    assert called("kafka", "init", "--replication", "1") == Code.OK
    assert f"{desk.topic('events')} created: 2 partitions" in capsys.readouterr().out


def test_rights_are_refused_where_nobody_guards_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert called("kafka", "init", "--replication", "1", "--acls") == Code.UNREACHABLE
    assert "cannot give rights" in capsys.readouterr().err


def test_a_desk_is_too_weak_for_a_house_unless_told(
    desk: Kafka, capsys: pytest.CaptureFixture[str]
) -> None:
    topics.init(desk, TopicSettings(2, replication=1))

    assert called("kafka", "check") == Code.UNVERIFIED
    told = capsys.readouterr()
    assert f"weak    {desk.topic('events')}: replication at least 3 expected, 1 found" in told.out
    assert "error 4 (verification failed): " in told.err

    assert called("kafka", "check", "--unsafe") == Code.OK
    assert f"warning {desk.topic('events')}: replication" in capsys.readouterr().out

    assert called("kafka", "check", "--json") == Code.UNVERIFIED
    weak = json.loads(capsys.readouterr().out)["weak"]
    assert {row["setting"] for row in weak if row["of"].startswith(desk.prefix)} == {
        "replication", "min.insync.replicas",
    }  # fmt: skip


def test_no_topics_are_as_weak_as_can_be(desk: Kafka, capsys: pytest.CaptureFixture[str]) -> None:
    assert called("kafka", "check") == Code.UNVERIFIED
    told = capsys.readouterr()
    assert f"{desk.topic('events')}: topic one expected, none found" in told.out
    assert "8 topics are missing" in told.err
    assert "next: roundproof kafka init" in told.err


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("retention.ms", "86400000", "at least 34560000000 expected, 86400000 found"),
        ("retention.bytes", "1000000", "-1 expected, 1000000 found"),
        ("cleanup.policy", "compact", "delete expected, compact found"),
        ("max.message.bytes", "1048588", "at least 4259840 expected, 1048588 found"),
        ("unclean.leader.election.enable", "true", "false expected, true found"),
        ("message.timestamp.type", "CreateTime", "LogAppendTime expected, CreateTime found"),
    ],
)
def test_each_weak_setting_is_named(desk: Kafka, setting: str, value: str, told: str) -> None:
    topics.init(desk, TopicSettings(1, replication=1))
    name = desk.topic("events")
    before = {str(complaint) for complaint in topics.check(desk)}
    with closing(admin(desk)) as client:
        client.alter_configs([ConfigResource(ConfigResourceType.TOPIC, name, {setting: value})])
        found: set[str] = set()
        while not found:  # the broker may take a moment to say so itself
            found = {str(complaint) for complaint in topics.check(desk)} - before

    assert found == {f"{name}: {setting} {told}"}


def test_retention_that_never_ends_is_long_enough(desk: Kafka) -> None:
    assert topics._unlimited("-1") > 10**12
    topics.init(desk, TopicSettings(1, replication=1, retention_days=30))

    assert not [
        each for each in topics.check(desk, TopicSettings(retention_days=30)) if _keeps(each)
    ]
    assert (
        len([each for each in topics.check(desk, TopicSettings(retention_days=31)) if _keeps(each)])
        == 8
    )


def _keeps(complaint: topics.WeakSetting) -> bool:
    return complaint.setting == "retention.ms"


def test_topics_share_a_count_of_partitions(desk: Kafka) -> None:
    topics.init(desk, TopicSettings(2, replication=1))
    with closing(admin(desk)) as client:
        client.create_partitions({desk.topic("findings"): 3})
        found: list[str] = []
        while not found:
            found = [str(each) for each in topics.check(desk) if each.setting == "partitions"]

    assert found == [f"{desk.topic('findings')}: partitions 2 as in the events expected, 3 found"]


def test_doctor_tells_of_kafka(
    desk: Kafka, tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    topics.init(desk, TopicSettings(1, replication=1))

    called("doctor", "--home", str(tmp_path))
    strict = capsys.readouterr().out
    called("doctor", "--unsafe", "--home", str(tmp_path))
    at_a_desk = capsys.readouterr().out

    assert f"bad kafka     {desk.topic('readings')}: replication" in strict
    assert f"ok  kafka     8 topics at {desk.bootstrap}" in at_a_desk
    assert "settings weak: fit for tests, not for a casino" in at_a_desk


def test_doctor_says_how_missing_topics_are_made(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    called("doctor", "--unsafe", "--home", str(tmp_path))

    told = capsys.readouterr().out
    assert "bad kafka     8 topics are missing" in told
    assert "next: roundproof kafka init" in told


def test_a_secured_cluster_of_three_is_sound(secured: Secured) -> None:
    assert topics.check(secured.user("admin")) == []
    assert topics.check(secured.user("auditor")) == []

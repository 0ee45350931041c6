"""Checkpoints in Kafka: published once each, sorted by who signed them, and a fork is told."""

import random
import shutil
from pathlib import Path

import pytest

from audit.house import live_seal
from audit.house import seal as house_seal
from ingest.kafka import checkpoint_topic, topics
from ingest.kafka.checkpoint_topic import FINGERPRINT, CheckpointTopic
from ingest.kafka.client import Kafka
from ingest.kafka.event_sorter import Message
from ingest.local.log import LocalLog
from ingest.log import CHECKPOINTS, HOUSE
from ingest.parse.framing import frame
from ingest.seal import keys
from ingest.seal.house import SealBroken
from ingest.seal.note import PublicKey
from tests.support.sealed_houses import ORIGIN, grown, seal, sealed_in_steps


def published(home: Path) -> list[bytes]:
    """The records of a house's stream."""
    return [record.body for record in LocalLog(home / "log").read(CHECKPOINTS, HOUSE)]


def sent(bodies: list[bytes]) -> list[Message]:
    """Records as messages of the topic."""
    return [
        Message("rp.checkpoints", 0, offset, ORIGIN.encode(), frame(body, FINGERPRINT), 0)
        for offset, body in enumerate(bodies)
    ]


def known_keys(home: Path) -> list[PublicKey]:
    return keys.public_keys(home / "keys")


def test_twins_and_foreign_messages_are_passed_over(tmp_path: Path) -> None:
    home = sealed_in_steps(tmp_path / "house", "T1", [5, 9, 12])
    stranger = sealed_in_steps(tmp_path / "stranger", "T1", [7])
    bodies = published(home)
    found = sent([bodies[0], *published(stranger), bodies[1], bodies[0], bodies[1], bodies[2]])
    found.insert(2, found[0]._replace(value=b"noise"))
    found.insert(2, found[0]._replace(value=None))

    topic = CheckpointTopic(found, known_keys(home))

    assert [record.body for record in topic.read(CHECKPOINTS, HOUSE)] == bodies
    assert topic.end(CHECKPOINTS, HOUSE) == 3


def test_a_second_history_with_the_real_key_is_told(tmp_path: Path) -> None:
    home = sealed_in_steps(tmp_path / "house", "T1", [5])
    other = Path(shutil.copytree(home, tmp_path / "other"))
    for place, table in ((home, "T1"), (other, "T2")):
        grown(place, table, 3)
        seal(place)
    both = [*published(home), *published(other)]

    with pytest.raises(SealBroken, match="offset 3: the house signed a second history"):
        CheckpointTopic(sent(both), known_keys(home))


def test_a_record_that_is_missing_is_told(tmp_path: Path) -> None:
    home = sealed_in_steps(tmp_path, "T1", [5, 9, 12])
    bodies = published(home)

    with pytest.raises(SealBroken, match="2 heads expected, 3 found"):
        CheckpointTopic(sent([bodies[0], bodies[2]]), known_keys(home))


def test_a_broker_gets_every_checkpoint_once(tmp_path: Path, kafka: Kafka) -> None:
    topics.init(kafka, topics.TopicSettings(partitions=2, replication=1))
    home = sealed_in_steps(tmp_path, "T1", [5, 9])
    log = LocalLog(home / "log")

    counts = [checkpoint_topic.publish(kafka, log, ORIGIN, home / "seal") for _ in range(2)]
    plan = live_seal.own_log(home, kafka, [])
    grown(home, "T1", random.Random(1).randint(1, 9))
    assert live_seal.seal_once(plan)

    assert counts == [2, 0]
    topic = CheckpointTopic(checkpoint_topic.messages(kafka, ORIGIN), known_keys(home))
    assert [record.body for record in topic.read(CHECKPOINTS, HOUSE)] == published(home)
    (home / "seal" / checkpoint_topic.PUBLISHED).unlink()
    assert checkpoint_topic.publish(kafka, log, ORIGIN, home / "seal") == 3
    again = CheckpointTopic(checkpoint_topic.messages(kafka, ORIGIN), known_keys(home))
    assert again.end(CHECKPOINTS, HOUSE) == 3
    assert house_seal.proofs(home).head.size == 3

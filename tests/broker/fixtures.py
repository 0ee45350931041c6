"""What tests use of a broker, each with topics of its own.

`kafka` is one open node, `secured` three nodes with TLS and users, `cluster` the same to kill.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple

import pytest
from kafka.errors import UnknownTopicOrPartitionError

from ingest.kafka import topics
from ingest.kafka.client import Kafka, admin
from ingest.kafka.topics import TopicSettings
from tests.broker import making
from tests.broker.brokers import Brokers
from tests.broker.sharing import peace, shared, war

THREE = "secured"
GIVEN = "ROUNDPROOF_KAFKA"  # the broker to test against, in place of one of our own
KEPT = "ROUNDPROOF_TEST_KAFKA"
PARTITIONS = 4


class Secured(NamedTuple):
    """Three secured nodes, and topics of one's own there."""

    brokers: Brokers
    prefix: str

    def user(self, role: str, delivery_s: float = 10.0) -> Kafka:
        """How a user of that role reaches the topics."""
        return self.brokers.user(role, self.prefix, delivery_s)

    def kill(self, node: int) -> None:
        """Kill -9 of a node."""
        self.brokers.kill(node)

    def start(self, node: int) -> None:
        """Start a node again, and wait until it serves."""
        self.brokers.start(node)

    def leader_of(self, topic: str, partition: int) -> int:
        """The node that leads a partition now."""
        return self.brokers.leader_of(topic, partition)


def pytest_configure() -> None:
    """Put the given broker aside: a command under test must not find it by itself."""
    if GIVEN in os.environ:
        os.environ[KEPT] = os.environ.pop(GIVEN)


@pytest.fixture(scope="session")
def broker() -> Iterator[str]:
    """The address of a broker: the one given, or the test processes' own."""
    if KEPT in os.environ:
        yield os.environ[KEPT]
        return
    with shared("tests", lambda folder: making.one(folder, quick=True)) as brokers:
        yield brokers.bootstrap


@pytest.fixture
def kafka(broker: str) -> Iterator[Kafka]:
    """A Kafka to oneself: topics under a prefix that nobody else has, gone afterwards."""
    mine = Kafka(broker, prefix=_prefix())
    topics.init(mine, TopicSettings(PARTITIONS, replication=1))
    yield mine
    _delete(mine)


@pytest.fixture(scope="session")
def three() -> Iterator[Brokers]:
    """Three secured nodes, shared by the test processes."""
    with shared(THREE, lambda folder: making.three(folder, quick=True)) as brokers:
        yield brokers


@pytest.fixture(scope="module")
def secured(three: Brokers) -> Iterator[Secured]:
    """The three nodes beside other tests: nobody kills one meanwhile; a module's share topics."""
    with peace(THREE), _own(three) as mine:
        yield mine


@pytest.fixture
def cluster(three: Brokers) -> Iterator[Secured]:
    """The three nodes alone: to kill, and to start again; afterwards all run."""
    with war(THREE), _own(three) as mine:
        try:
            yield mine
        finally:
            three.start()


@contextmanager
def _own(brokers: Brokers) -> Iterator[Secured]:
    mine = Secured(brokers, _prefix())
    owner = mine.user("admin")
    topics.allow(owner)
    topics.init(owner, TopicSettings(PARTITIONS))
    # A node learns in the cluster's order: one that knows the topics knows the rights as well.
    brokers.wait_until_known([owner.topic(stream) for stream in topics.STREAMS])
    yield mine
    _delete(owner)


def _prefix() -> str:
    return f"t{secrets.token_hex(4)}."


def _delete(kafka: Kafka) -> None:
    """Delete every topic of a test, those that it made itself among them."""
    # A topic that a test deleted itself may still be listed by a node that has not heard of it.
    with closing(admin(kafka)) as client, suppress(UnknownTopicOrPartitionError):
        client.delete_topics(
            [each for each in client.list_topics() if each.startswith(kafka.prefix)]
        )

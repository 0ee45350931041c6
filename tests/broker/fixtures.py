"""What tests use of a broker: `kafka`, one open node shared by all, a prefix for each test."""

import os
import secrets
from collections.abc import Iterator

import pytest

from ingest.kafka_client import Kafka, admin
from tests.broker import making
from tests.broker.sharing import shared

GIVEN = "ROUNDPROOF_KAFKA"  # the broker to test against, in place of one of our own
KEPT = "ROUNDPROOF_TEST_KAFKA"
PARTITIONS = 4
STREAMS = ("readings", "events", "dlq", "derived", "findings", "checkpoints", "cases", "access")


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
    mine = Kafka(broker, prefix=f"t{secrets.token_hex(4)}.")
    names = [mine.topic(stream) for stream in STREAMS]
    with admin(mine) as hand:
        hand.create_topics({name: {"num_partitions": PARTITIONS} for name in names})
        hand.wait_for_topics(names)
    yield mine
    with admin(mine) as hand:
        hand.delete_topics(names)

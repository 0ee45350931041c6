"""Dead letters of a house, tried again through its own gateway, for command line and console."""

from collections.abc import Collection, Iterator
from pathlib import Path

from audit.house import open as open_house
from ingest import dead_letter
from ingest.doors import kafka_topic
from ingest.doors import redrive as door
from ingest.kafka.client import Kafka
from ingest.log import LogReader
from schemas.events import DeadLetter


def letters(log: LogReader) -> Iterator[DeadLetter]:
    """Every letter of a log, whole, without the notes of redrives."""
    return (letter for letter in door.read(log) if letter.reason != door.REDRIVEN)


def redriven(
    root: Path, log: LogReader, wanted: Collection[str], kafka: Kafka | None, *, dry_run: bool
) -> tuple[dict[str, str], str]:
    """What became of each wanted letter, and why something still waits for Kafka, if it does."""
    unframe = kafka_topic.confluent(kafka) if kafka else None
    became, open_ids, waits = dict[str, str](), set(wanted), ""
    if not wanted:
        return became, waits
    with open_house.opened(root, kafka) as house:
        gateway = None if dry_run else house.gateway()
        for letter in letters(log):
            letter_id = dead_letter.digest(letter).hex()
            if letter_id in open_ids:
                open_ids.remove(letter_id)
                became[letter_id] = door.redrive(letter, gateway, open_house.now(), unframe)
        if kafka and house.forwarder and not dry_run:
            waits = open_house.forward_all(house.forwarder, kafka.delivery_s).why
    return became, waits

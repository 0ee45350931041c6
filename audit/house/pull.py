"""Kafka's events copied into a folder: for good as the archive, or for one replay."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import typer

from audit.cli import screen, settings
from ingest.service_log import log

if TYPE_CHECKING:
    from ingest.archive.run import ArchiveCounts, Archiver
    from ingest.kafka.client import Kafka
    from ingest.kafka.event_sorter import StrayMessage


@contextmanager
def opened(
    kafka: "Kafka",
    root: Path,
    *,
    buries: bool,
    again: bool = False,
    stopped: Mapping[str, Exception] = MappingProxyType({}),
) -> "Iterator[Archiver]":
    """An archiver for a folder; with `buries`, messages that are not events become dead letters.

    It adds nothing to the tables in `stopped`, nor to other damaged ones.
    """
    from ingest.archive.run import Archiver
    from ingest.archive.store import ArchiveWriter
    from ingest.kafka import confluent_framing
    from ingest.kafka.bury_strays import DeadLetterSender
    from ingest.kafka.consumer import TopicConsumer
    from ingest.kafka.producer import TopicProducer

    with (
        TopicProducer(kafka) as outbox,
        TopicConsumer(kafka, ("events",)) as topic,
        ArchiveWriter(root, anew=again, stopped=stopped) as keeper,
    ):
        letters = DeadLetterSender(kafka, outbox, "archive", lambda: time.time_ns() // 1_000)

        def send_strays(strays: "Sequence[StrayMessage]") -> None:
            if buries:
                letters.send(strays)
            _warn(strays)

        unframe = confluent_framing.framing_of(kafka).unframe
        yield Archiver(root, keeper, topic, send_strays, unframe, again=again)


def pull(ctx: typer.Context, *, again: bool = False) -> "ArchiveCounts":
    """Copy the new events from Kafka into the folder that `replay --from kafka` reads."""
    from replay.batch import source

    root = settings.of(ctx).home / source.FOLDERS[source.KAFKA]
    with (
        opened(settings.must_have_kafka(ctx), root, buries=False, again=again) as archiver,
        screen.progress("pull", archiver.behind(), "messages") as advance,
    ):
        return archiver.until_end(advance)


def _warn(strays: "Sequence[StrayMessage]") -> None:
    """Log how many messages were skipped, and the first of them."""
    why, message = strays[0]
    place = f"{message.topic}/{message.partition}/{message.offset}"
    log.warning("strays_found", count=len(strays), first=place, reason=str(why))

"""Seals a house while a service works: every minute, or after ten thousand new records.

The seal never stops the service: what goes wrong is logged, and the next minute tries again. The
service's readings, rounds or archive are safe without it.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from audit.house import seal
from ingest.archive import index
from ingest.archive.index import ArchiveCorrupt
from ingest.kafka import checkpoint_topic, desk_topics
from ingest.kafka.client import Kafka
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogLocked, LogUnwritable
from ingest.seal import ask_witness
from ingest.seal.keys import KeyUnsafe, NoKey
from ingest.seal.note import NoteWrong
from ingest.seal.sealing import Sealing
from ingest.service_log import log

EVERY_S = 60.0
EVERY_RECORDS = 10_000
LOOKED_EVERY_S = 1.0


class SealPlan(NamedTuple):
    """What is sealed, how its records are counted, and who is told of it."""

    home: Path
    seal: Callable[[Path, int], Sealing]
    counted: Callable[[], int]
    kafka: Kafka | None = None
    witnesses: Sequence[str] = ()  # their addresses
    forwards_desk: bool = False  # whether cases and access records go to Kafka as well


def own_log(home: Path, kafka: Kafka | None, witnesses: Sequence[str]) -> SealPlan:
    """Seal the house's own log."""
    counted = partial(_heads, home)
    return SealPlan(home, seal.seal_now, counted, kafka, witnesses, forwards_desk=True)


def archive(home: Path, kafka: Kafka | None, witnesses: Sequence[str]) -> SealPlan:
    """Seal the house's archive."""
    return SealPlan(home, seal.seal_archive, lambda: _indexed(home), kafka, witnesses)


def any_log(home: Path, kafka: Kafka | None, witnesses: Sequence[str]) -> SealPlan | None:
    """Seal what this machine keeps: its own log, or else its archive; None without either."""
    if (home / "log" / EVENTS).is_dir():
        return own_log(home, kafka, witnesses)._replace(forwards_desk=False)
    return archive(home, kafka, witnesses) if (home / "archive").is_dir() else None


@contextmanager
def sealing(plan: SealPlan | None) -> Iterator[None]:
    """Seal in a thread until the block ends, and once more then; without a key do nothing."""
    if plan is None:
        yield
        return
    try:
        seal.signing_key(plan.home)
    except NoKey:  # `doctor` says so
        yield
        return
    except (KeyUnsafe, NoteWrong) as error:
        log.error("sealing_failed", reason=str(error))
        yield
        return
    stop = threading.Event()
    thread = threading.Thread(target=_run, args=(plan, stop), name="sealer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _run(plan: SealPlan, stop: threading.Event) -> None:
    sealed, at = 0, float("-inf")
    while not stop.wait(LOOKED_EVERY_S):
        found, now = _counted(plan), time.monotonic()
        if found - sealed >= EVERY_RECORDS or (found != sealed and now - at >= EVERY_S):
            if seal_once(plan):
                sealed = found
            at = now
    if _counted(plan) != sealed:
        seal_once(plan)


def seal_once(plan: SealPlan) -> bool:
    """Seal, publish and have it cosigned; whether the sealing came about."""
    try:
        done = plan.seal(plan.home, time.time_ns() // 1_000)
    except LogLocked:
        return False  # another process of this house seals just now
    except Exception as error:  # a thread that dies silently is worse
        log.error("sealing_failed", reason=str(error))
        return False
    for lane, why in done.damaged.items():
        log.error("lane_not_sealed", lane="/".join(lane), reason=str(why))
    if done.head:
        if done.grown:
            log.info("log_sealed", checkpoint=done.head.size, records=done.records)
        _publish(plan, done.head.origin)
        _cosign(plan)
    return not done.damaged


def _publish(plan: SealPlan, origin: str) -> None:
    if plan.kafka is None:
        return
    try:
        own = LocalLog(plan.home / "log")
        checkpoint_topic.publish(plan.kafka, own, origin, plan.home / "seal")
        if plan.forwards_desk:
            desk_topics.forward(plan.kafka, own, own.root)
    except (LogUnwritable, OSError) as error:
        log.warning("checkpoint_not_published", reason=str(error))


def _cosign(plan: SealPlan) -> None:
    for url in plan.witnesses:
        try:
            ask = ask_witness.over_http(url)
            seal.cosign_now(plan.home, ask, time.time_ns() // 1_000)
        except LogLocked:
            log.warning("checkpoint_not_cosigned", witness=url, reason="another process seals")
        except Exception as error:  # a witness may answer anything; a fork is told loudly
            log.error("checkpoint_not_cosigned", witness=url, reason=str(error))


def _counted(plan: SealPlan) -> int:
    try:
        return plan.counted()
    except (OSError, ArchiveCorrupt) as error:
        log.warning("records_not_counted", reason=str(error))
        return 0


def _heads(home: Path) -> int:
    own = LocalLog(home / "log")
    heads = (own.head_of(*lane) for lane in seal.lanes(own))
    return sum(head.end for head in heads if head)


def _indexed(home: Path) -> int:
    return sum(entry.end for entry in index.load(home / "archive").values())

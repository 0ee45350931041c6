"""The network between gateway and broker, cut and slow: nothing is lost, doubled, out of order."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.kafka import topics
from ingest.kafka.client import Kafka
from ingest.kafka.topics import TopicSettings
from tests.broker import making, ports
from tests.broker.brokers import Brokers
from tests.broker.fixtures import PARTITIONS
from tests.broker.making import Site
from tests.support.gateway_process import Devices, Door
from tests.support.kept_events import Kept, said, tell
from tests.support.network import Namespace, Proxy, Wire

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("ROUNDPROOF_FAULTS", "1"))
KINDS = ["namespace" if Namespace.allowed() else "proxy"]
SOME = 100
SLOW_S = 0.05  # a piece each way
DELIVERY_S = 3.0
MEMORY_KIB = 400 * 1024


@contextmanager
def wired(kind: str, folder: Path) -> Iterator[tuple[Wire, Kafka]]:
    """A node of our own behind a network of our own, and how to reach it."""
    if kind == "namespace":
        with Namespace() as space:
            within = ("ip", "netns", "exec", space.name)
            with _running(
                making.one(folder, (), Site(space.far, within=within), quick=True)
            ) as kafka:
                yield space, kafka
        return
    listening = ports.some(2)
    with Proxy(listening[0], SLOW_S if kind == "slow" else 0.0) as proxy:
        site = Site(advertised_port=proxy.port)
        with _running(making.one(folder, listening, site, quick=True)) as kafka:
            yield proxy, replace(kafka, bootstrap=f"{ports.HOST}:{proxy.port}")


@contextmanager
def _running(brokers: Brokers) -> Iterator[Kafka]:
    try:
        brokers.start()
        kafka = brokers.user("admin", delivery_s=DELIVERY_S)
        topics.init(kafka, TopicSettings(PARTITIONS, replication=1))
        yield kafka
    finally:
        brokers.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_network_loses_nothing(kind: str, tmp_path: Path) -> None:
    with (
        wired(kind, tmp_path / "broker") as (wire, kafka),
        Door(tmp_path / "house", kafka) as door,
    ):
        with Devices(door) as devices:
            for _ in range(TIMES):
                devices.wait_for(SOME, "kafka")
                wire.cut()
                began = time.monotonic()
                devices.wait_for(5 * SOME, "spool")
                cut_s = time.monotonic() - began
                tell(f"{kind} cut; {5 * SOME} spooled {cut_s:.1f} s later")
                wire.mend()
            began = time.monotonic()
            devices.wait_for(SOME, "kafka")
        kept = _read(kafka, door, devices)
        tell(f"all in Kafka {time.monotonic() - began:.1f} s after the network was mended")

    assert kept.stall_s() >= cut_s  # it was cut indeed


def test_a_slow_network_loses_nothing_and_fills_no_memory(tmp_path: Path) -> None:
    with (
        wired("slow", tmp_path / "broker") as (_, kafka),
        Door(tmp_path / "house", kafka) as door,
    ):
        with Devices(door) as devices:
            devices.wait_for(SOME * TIMES, "kafka")
            memory = door.memory_kib()
        _read(kafka, door, devices)

    assert memory < MEMORY_KIB


def _read(kafka: Kafka, door: Door, devices: Devices) -> Kept:
    kept = Kept()
    drained_s = kept.read_until(kafka, said(door.home))
    door.stop()
    kept.must_hold(door.home, devices.acknowledged)
    tell(
        f"{len(devices.acknowledged)} acknowledged, {len(kept.good)} events in {kept.messages}"
        f" messages; a device waited {devices.longest_s:.1f} s at most; all read {drained_s:.1f} s"
        f" after the last word"
    )
    return kept

"""Nodes of three killed under load: nothing acknowledged is lost, doubled or out of order."""

import os
import time
from pathlib import Path

import pytest

from ingest.kafka.client import partition_of
from tests.broker.fixtures import PARTITIONS, Secured
from tests.broker.nodes import until
from tests.support.gateway_process import Devices, Door
from tests.support.kept_events import Kept, said, tell

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("ROUNDPROOF_FAULTS", "1"))
PARTITION = partition_of("T0", PARTITIONS)
STALL_S = 10.0  # that a single lost node may hold up its cluster
UNDER_WAY_S = 1.0  # what was sent before the second died may be appended yet
DELIVERY_S = 3.0  # so that a gateway soon knows that Kafka is away
SOME = 100  # acknowledgements


def test_a_killed_leader_or_follower_loses_nothing(cluster: Secured, tmp_path: Path) -> None:
    topic = cluster.user("admin").topic("events")
    with Door(tmp_path / "house", cluster.user("gateway")) as door:
        with Devices(door) as devices:
            devices.wait_for(SOME, "kafka")
            for kind in ["leader", "follower"] * TIMES:
                began, leader = time.monotonic(), cluster.leader_of(topic, PARTITION)
                node = leader if kind == "leader" else leader % 3 + 1
                cluster.kill(node)
                devices.wait_for(SOME, "kafka")
                until(lambda n=node: cluster.leader_of(topic, PARTITION) != n, 30, "a leader")  # type: ignore[misc]
                cluster.start(node)
                cluster.brokers.wait_until_in_step([topic])
                tell(f"{kind} {node} killed; whole again after {time.monotonic() - began:.1f} s")
            devices.wait_for(SOME, "kafka")
        kept = _read(cluster, door, devices)

    assert kept.stall_s() <= STALL_S


def test_two_of_three_down_and_back_loses_nothing(cluster: Secured, tmp_path: Path) -> None:
    topic = cluster.user("admin").topic("events")
    with Door(tmp_path / "house", cluster.user("gateway", DELIVERY_S)) as door:
        with Devices(door) as devices:
            for _ in range(TIMES):
                devices.wait_for(SOME, "kafka")
                began = time.monotonic()
                for node in (1, 2):
                    cluster.kill(node)
                devices.wait_for(5 * SOME, "spool")
                down_s = time.monotonic() - began
                tell(f"two nodes killed; {5 * SOME} spooled {down_s:.1f} s later")
                began = time.monotonic()
                cluster.brokers.start()
                cluster.brokers.wait_until_in_step([topic])
                tell(f"both started; whole again after {time.monotonic() - began:.1f} s")
        kept = _read(cluster, door, devices)

    assert kept.stall_s() >= down_s - UNDER_WAY_S  # they were down indeed


def test_everything_killed_and_started_again_loses_nothing(
    cluster: Secured, tmp_path: Path
) -> None:
    with Door(tmp_path / "house", cluster.user("gateway", DELIVERY_S)) as door:
        with Devices(door) as devices:
            for _ in range(TIMES):
                devices.wait_for(SOME, "kafka")
                door.kill()
                for node in cluster.brokers.nodes:
                    cluster.kill(node)
                began = time.monotonic()
                door.start()
                devices.wait_for(SOME, "spool")
                took_s = time.monotonic() - began
                tell(f"{SOME} readings taken {took_s:.1f} s after the gateway's death")
                cluster.brokers.start()
                tell(f"the nodes serve {time.monotonic() - began:.1f} s after theirs")
        _read(cluster, door, devices)


def _read(cluster: Secured, door: Door, devices: Devices) -> Kept:
    kept = Kept()
    drained_s = kept.read_until(cluster.user("auditor"), said(door.home))
    door.stop()
    kept.must_hold(door.home, devices.acknowledged)
    tell(
        f"{len(devices.acknowledged)} acknowledged, {len(kept.good)} events in"
        f" {kept.messages} messages; nothing appended for {kept.stall_s():.1f} s at most, to the"
        f" first table's partition {kept.stall_s(PARTITION):.1f} s; a device waited"
        f" {devices.longest_s:.1f} s at most; all read {drained_s:.1f} s after the last word"
    )
    return kept

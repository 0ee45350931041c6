"""Nodes of three killed while a watcher judges: it finds what it finds when nothing happens.

It takes minutes, so `make faults` runs it and `make test` does not.
"""

import os
import time
from itertools import pairwise

from replay.batch.source import Sealed
from tests.audit.watch.test_kafka_worker import assert_each_once, days, expected, standing
from tests.broker.fixtures import Secured
from tests.support import watched_topic
from tests.support.kept_events import tell

TIMES = int(os.environ.get("ROUNDPROOF_FAULTS", "1"))
NEVER_S = "600"  # longer than the nodes are disturbed


def test_findings_do_not_depend_on_what_became_of_the_nodes(cluster: Secured) -> None:
    events = cluster.user("admin").topic("events")
    killed = ["leader", "follower"] * TIMES

    with watched_topic.watcher(cluster.user("watch"), "--until-idle", NEVER_S) as watcher:
        for n, kind in enumerate(killed):
            watched_topic.send(cluster.user("gateway"), part(n, len(killed) + 1))
            leader = cluster.leader_of(events, 0)
            node = leader if kind == "leader" else leader % 3 + 1
            began = time.monotonic()
            cluster.kill(node)
            watched_topic.send(
                cluster.user("gateway"), part(n, len(killed) + 1)
            )  # twins, as after doubt
            cluster.start(node)
            cluster.brokers.wait_until_in_step([events])
            tell(f"{kind} {node} killed; whole again after {time.monotonic() - began:.1f} s")
        watched_topic.send(cluster.user("gateway"), part(len(killed), len(killed) + 1))
        watcher.terminate()
        _, err = watcher.communicate(timeout=60)
    watched_topic.watched(cluster.user("watch"))  # what the first had not come to

    assert watcher.returncode == 0, err
    assert standing(watched_topic.findings(cluster.user("auditor"))) == expected()
    assert_each_once(cluster.user("auditor"))


def part(n: int, of: int) -> list[tuple[Sealed, ...]]:
    """One part of so many of every table's day."""
    found = []
    for sealed in days():
        borders = [at * len(sealed) // of for at in range(of + 1)]
        start, end = list(pairwise(borders))[n]
        found.append(sealed[start:end])
    return found

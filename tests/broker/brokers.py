"""A set of nodes that make one Kafka: one open node, or three secured ones."""

import json
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from ingest.kafka.client import Kafka, admin, translated
from ingest.log import LogUnwritable
from tests.broker import ports
from tests.broker.nodes import STARTING_S, Node, until
from tests.broker.places import BrokerTrouble

LAYOUT = "brokers.json"
CA = "ca.crt"
PAUSE_S = 0.2  # between two questions

Answer = TypeVar("Answer")


class Brokers:
    """The nodes of a folder, which any process may find again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._layout: dict[str, Any] = json.loads((folder / LAYOUT).read_text("utf-8"))
        self.nodes = {
            number: Node(
                folder / f"node-{number}", self._layout["host"], port, self._layout["within"]
            )
            for number, port in enumerate(self._layout["ports"], 1)
        }

    @classmethod
    def found(cls, folder: Path) -> "Brokers | None":
        """The nodes of the folder, when there are any."""
        return cls(folder) if (folder / LAYOUT).exists() else None

    @property
    def bootstrap(self) -> str:
        """The addresses a client starts with."""
        return ",".join(node.address for node in self.nodes.values())

    @property
    def running(self) -> bool:
        """Whether every node's process lives."""
        return all(node.running() for node in self.nodes.values())

    def user(self, name: str, prefix: str = "rp.", delivery_s: float = 10.0) -> Kafka:
        """How that user reaches these nodes; open ones know no users."""
        users = self._layout["users"]
        if not users:
            return Kafka(self.bootstrap, prefix=prefix, delivery_s=delivery_s)
        return Kafka(
            self.bootstrap,
            protocol="SASL_SSL",
            user=name,
            password=users[name],
            ca=self.folder / CA,
            prefix=prefix,
            delivery_s=delivery_s,
        )

    def start(self, number: int | None = None) -> None:
        """Start a node, or all that do not run, and wait until all that run serve."""
        for node in [self.nodes[number]] if number else self.nodes.values():
            if not node.running():
                node.start(quick=self._layout["quick"])
        self.wait_until_served()

    def stop(self) -> None:
        """Stop every node in good order."""
        with ThreadPoolExecutor() as pool:
            list(pool.map(Node.end, self.nodes.values()))

    def kill(self, number: int) -> None:
        """Kill -9 of a node."""
        self.nodes[number].end(signal.SIGKILL)

    def leader_of(self, topic: str, partition: int) -> int:
        """The node that leads a partition now."""

        def leader(client: Any) -> int:
            told = {each["partition_index"]: each for each in _partitions(client, [topic])}
            return int(told[partition]["leader_id"])

        return self._ask(leader, f"the leader of {topic}")

    def wait_until_in_step(self, topics: Sequence[str]) -> None:
        """Wait until every replica of these topics is in step with its leader."""

        def in_step(client: Any) -> bool | None:
            told = _partitions(client, topics)
            return (
                all(len(each["isr_nodes"]) == len(each["replica_nodes"]) for each in told) or None
            )

        self._ask(in_step, f"the replicas of {', '.join(topics)}")

    def wait_until_known(self, topics: Sequence[str]) -> None:
        """Wait until each node keeps its replicas of these topics."""

        def known(client: Any) -> bool | None:
            told = client.describe_log_dirs(list(topics), brokers=list(self.nodes))
            kept = [
                {topic["name"] for place in node["log_dirs"] for topic in place["topics"]}
                for node in told
            ]
            return all(names >= set(topics) for names in kept) or None

        self._ask(known, f"all nodes to keep {', '.join(topics)}")

    def wait_until_served(self) -> None:
        """Wait until each running node listens and the cluster counts it as its own."""
        running = {number: node for number, node in self.nodes.items() if node.running()}
        if not running:
            raise BrokerTrouble(f"{self.folder}: no node runs:\n{self.nodes[1].last_words()}")
        for node in running.values():
            until(lambda n=node: _listens(n), STARTING_S, f"{node.folder} to listen")  # type: ignore[misc]

        def counted(client: Any) -> bool | None:
            told = client.describe_cluster()["brokers"]
            serving = {each["broker_id"] for each in told if not each["is_fenced"]}
            return set(running) <= serving or None

        self._ask(counted, f"nodes {sorted(running)} to serve")

    def _ask(self, question: Callable[[Any], Answer | None], what: str) -> Answer:
        """Ask the cluster until there is an answer, on one connection for as long as it lasts."""
        deadline = time.monotonic() + STARTING_S
        user = self.user("admin", delivery_s=3)
        while time.monotonic() < deadline:
            with suppress(LogUnwritable), translated(what), closing(admin(user)) as client:
                while time.monotonic() < deadline:
                    answer = question(client)
                    if answer is not None:
                        return answer
                    time.sleep(PAUSE_S)
            time.sleep(PAUSE_S)
        raise BrokerTrouble(f"waited {STARTING_S} s in vain for {what}")


def _listens(node: Node) -> bool:
    if not node.running():
        raise BrokerTrouble(f"{node.folder}: the node ended while starting:\n{node.last_words()}")
    return ports.answers(node.host, node.port)


def _partitions(client: Any, topics: Sequence[str]) -> list[dict[str, Any]]:
    return [each for topic in client.describe_topics(topics) for each in topic["partitions"]]

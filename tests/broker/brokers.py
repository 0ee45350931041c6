"""A set of nodes that make one Kafka: one open node, or three secured ones."""

import json
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from ingest.kafka_client import Kafka, admin, translated
from ingest.log import LogUnwritable
from tests.broker import ports
from tests.broker.nodes import STARTING_S, Node, until
from tests.broker.places import BrokerTrouble

LAYOUT = "brokers.json"
CA = "ca.crt"


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
        told = {each["partition_index"]: each for each in self._partitions([topic])}
        return int(told[partition]["leader_id"])

    def wait_until_in_step(self, topics: Sequence[str]) -> None:
        """Wait until every replica of these topics is in step with its leader."""

        def in_step() -> bool:
            told = self._partitions(topics)
            return all(len(each["isr_nodes"]) == len(each["replica_nodes"]) for each in told)

        until(in_step, STARTING_S, f"the replicas of {', '.join(topics)}")

    def wait_until_known(self, topics: Sequence[str]) -> None:
        """Wait until each node keeps its replicas of these topics."""

        def known() -> bool:
            with self._admin() as client:
                told = client.describe_log_dirs(list(topics), brokers=list(self.nodes))
            kept = [
                {topic["name"] for place in node["log_dirs"] for topic in place["topics"]}
                for node in told
            ]
            return all(names >= set(topics) for names in kept)

        until(known, STARTING_S, f"all nodes to keep {', '.join(topics)}")

    def wait_until_served(self) -> None:
        """Wait until each running node listens and the cluster counts it as its own."""
        running = {number: node for number, node in self.nodes.items() if node.running()}
        if not running:
            raise BrokerTrouble(f"{self.folder}: no node runs:\n{self.nodes[1].last_words()}")
        for node in running.values():
            until(lambda n=node: _listens(n), STARTING_S, f"{node.folder} to listen")  # type: ignore[misc]
        until(
            lambda: set(running) <= self._counted(), STARTING_S, f"nodes {sorted(running)} to serve"
        )

    def _partitions(self, topics: Sequence[str]) -> list[dict[str, Any]]:
        """What the cluster says of these topics; asked again where a dead node was asked."""
        told: list[dict[str, Any]] = []

        def asked() -> bool:
            with suppress(LogUnwritable), translated("look at topics"), self._admin() as client:
                told.extend(client.describe_topics(topics))
            return bool(told)

        until(asked, STARTING_S, "an answer of the cluster")
        return [partition for topic in told for partition in topic["partitions"]]

    @contextmanager
    def _admin(self) -> Iterator[Any]:
        with closing(admin(self.user("admin", delivery_s=3))) as client:
            yield client

    def _counted(self) -> set[int]:
        told: list[dict[str, Any]] = []
        with suppress(LogUnwritable), translated("look at nodes"), self._admin() as client:
            told = client.describe_cluster()["brokers"]
        return {each["broker_id"] for each in told if _serves(each)}


def _listens(node: Node) -> bool:
    if not node.running():
        raise BrokerTrouble(f"{node.folder}: the node ended while starting:\n{node.last_words()}")
    return ports.answers(node.host, node.port)


def _serves(broker: Mapping[str, object]) -> bool:
    return not broker["is_fenced"]

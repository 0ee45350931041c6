"""A set of nodes that make one Kafka: one open node, or three secured ones."""

import json
import signal
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from tests.broker import ports
from tests.broker.nodes import STARTING_S, Node, until
from tests.broker.places import BrokerTrouble

LAYOUT = "brokers.json"


class Brokers:
    """The nodes of a folder, which any process may find again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._layout: dict[str, Any] = json.loads((folder / LAYOUT).read_text("utf-8"))
        self.nodes = {
            int(number): Node(folder / f"node-{number}", port)
            for number, port in self._layout["ports"].items()
        }

    @classmethod
    def found(cls, folder: Path) -> "Brokers | None":
        """The nodes of the folder, when there are any."""
        return cls(folder) if (folder / LAYOUT).exists() else None

    @property
    def bootstrap(self) -> str:
        """The addresses a client starts with."""
        return ",".join(f"{ports.HOST}:{node.port}" for node in self.nodes.values())

    @property
    def running(self) -> bool:
        """Whether every node's process lives."""
        return all(node.running() for node in self.nodes.values())

    def start(self) -> None:
        """Start the nodes that do not run, and wait until all of them serve."""
        for node in self.nodes.values():
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

    def admin(self, **more: object) -> KafkaAdminClient:
        """kafka-python's admin client, as the user who may do everything."""
        return KafkaAdminClient(bootstrap_servers=self.bootstrap.split(","), **more)

    def wait_until_served(self) -> None:
        """Wait until each node listens and the cluster counts all of them as its own."""
        for node in self.nodes.values():
            until(lambda n=node: _listens(n), STARTING_S, f"{node.folder} to listen")  # type: ignore[misc]
        until(self._all_counted, STARTING_S, f"{len(self.nodes)} node(s) at {self.bootstrap}")

    def _all_counted(self) -> bool:
        try:
            with self.admin(bootstrap_timeout_ms=2_000, request_timeout_ms=5_000) as admin:
                serving = [each for each in admin.describe_cluster()["brokers"] if _serves(each)]
        except KafkaError:
            return False
        return len(serving) == len(self.nodes)


def _listens(node: Node) -> bool:
    if not node.running():
        raise BrokerTrouble(f"{node.folder}: the node ended while starting:\n{node.last_words()}")
    return ports.answers(node.port)


def _serves(broker: Mapping[str, object]) -> bool:
    return not broker.get("is_fenced", False)

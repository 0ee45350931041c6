"""New nodes in a folder: their ports, settings and storage."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.broker import ports
from tests.broker.brokers import LAYOUT, Brokers
from tests.broker.nodes import Node, cluster_id

ONE = Path(__file__).with_name("one.properties")


def one(folder: Path, wanted: Sequence[int] = (), *, quick: bool) -> Brokers:
    """One open node, formatted and not yet started; what the folder held is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    port, controller_port = ports.free(list(wanted)) if wanted else ports.some(2)
    node = Node(folder / "node-1", port)
    node.write(
        ONE,
        {
            "node": 1,
            "host": ports.HOST,
            "port": port,
            "controller_port": controller_port,
            "voters": f"1@{ports.HOST}:{controller_port}",
        },
    )
    node.format(cluster_id(), {})
    return _sealed(folder, {"ports": {"1": port}, "quick": quick})


def _sealed(folder: Path, layout: dict[str, object]) -> Brokers:
    """The layout is written last: a folder without it was never finished."""
    file = folder / LAYOUT
    file.touch(0o600)
    file.write_text(json.dumps(layout), "utf-8")
    return Brokers(folder)

"""compose.yaml: the same nodes in Docker's words, written from the same settings.

`python -m tests.broker.compose` writes the file anew after a change of the settings.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from tests.broker.jars import POM
from tests.broker.making import ONE, THREE, USERS, voters
from tests.broker.ports import CLUSTER, DESK, HOST
from tests.broker.settings import properties

FILE = Path(__file__).resolve().parents[2] / "compose.yaml"
PAPERS = ".kafka/docker"
ANYWHERE = "0.0.0.0"  # inside the container; outside only the own machine reaches it
DATA, TLS = "/var/lib/kafka/data", "/etc/kafka/tls"
CLUSTER_ID = "cm91bmRwcm9vZi1rYWZrYQ"
HEAP = "-Xms128m -Xmx384m"

HEAD = f"""\
# The Kafka of `make kafka` and `make kafka-cluster` for people with Docker.
# Written by python -m tests.broker.compose from tests/broker/*.properties.
#
#   docker compose up kafka                                one open node at {HOST}:{DESK[0]}
#
#   python -m tests.broker papers                          certificates and passwords, once
#   docker compose --env-file {PAPERS}/node.env --profile cluster up
"""


def text() -> str:
    """The whole file."""
    services = {"kafka": _one()} | {"kafka-network": _network()}
    services |= {f"kafka-{number}": _three(number) for number in (1, 2, 3)}
    return HEAD + "\n" + "\n".join(_yaml({"services": services})) + "\n"


def environment(template: Path, values: Mapping[str, object]) -> dict[str, str]:
    """A node's settings as the image wants to hear them."""
    filled = Template(template.read_text("utf-8")).substitute(values)
    return {_spoken(name): value for name, value in properties(filled).items()}


def values(pairs: tuple[int, ...], number: int) -> dict[str, object]:
    """What stands in the braces of the settings, in a container."""
    port, controller_port = pairs[2 * number - 2 : 2 * number]
    passwords = {f"{user}_password": f"${{{user.upper()}_PASSWORD-}}" for user in USERS}
    return {
        "node": number,
        "host": HOST,
        "bind": ANYWHERE,
        "port": port,
        "advertised_port": port,
        "controller_port": controller_port,
        "voters": voters(pairs),
        "data": DATA,
        "tls": TLS,
        **passwords,
    }


def _one() -> dict[str, object]:
    return {
        "image": _image(),
        "ports": [f"{HOST}:{DESK[0]}:{DESK[0]}"],
        "environment": {
            "CLUSTER_ID": CLUSTER_ID,
            "KAFKA_HEAP_OPTS": HEAP,
            **environment(ONE, values(DESK, 1)),
        },
    }


def _network() -> dict[str, object]:
    """The three nodes share one address, as they do at a desk; this keeps it while nodes die."""
    return {
        "image": _image(),
        "profiles": ["cluster"],
        "entrypoint": ["sleep", "infinity"],
        "ports": [f"{HOST}:{port}:{port}" for port in CLUSTER[::2]],
    }


def _three(number: int) -> dict[str, object]:
    return {
        "image": _image(),
        "profiles": ["cluster"],
        "network_mode": "service:kafka-network",
        "user": "root",  # only their owner may read the papers
        "entrypoint": ["bash", "/node.sh"],
        "volumes": [
            "./tests/broker/node.sh:/node.sh:ro",
            f"./{PAPERS}:{TLS}:ro",
        ],
        "environment": {
            "CLUSTER_ID": CLUSTER_ID,
            "USERS_FILE": f"{TLS}/users",
            "KAFKA_HEAP_OPTS": HEAP,
            **environment(THREE, values(CLUSTER, number)),
        },
    }


def _image() -> str:
    found = re.search(r"kafka_2.13</artifactId>\s*<version>([^<]+)", POM.read_text("utf-8"))
    assert found
    return f"apache/kafka:{found[1]}"


def _spoken(name: str) -> str:
    return "KAFKA_" + name.upper().replace("_", "__").replace("-", "___").replace(".", "_")


def _yaml(value: Mapping[str, object], indent: str = "") -> Iterator[str]:
    for name, each in value.items():
        if isinstance(each, Mapping):
            yield f"{indent}{name}:"
            yield from _yaml(each, indent + "  ")
        elif isinstance(each, list):
            yield f"{indent}{name}: {json.dumps(each)}"
        else:
            yield f"{indent}{name}: {json.dumps(str(each))}"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")

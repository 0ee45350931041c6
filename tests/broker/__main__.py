"""`python -m tests.broker start|cluster|stop|status|tools|papers`: a Kafka at the desk."""

import sys
from collections.abc import Callable, Iterator

from tests.broker import making, tools
from tests.broker.brokers import CA, Brokers
from tests.broker.places import ROOT, BrokerTrouble, locked
from tests.broker.ports import CLUSTER, DESK

ONE, THREE = ROOT / "one", ROOT / "three"
DOCKER = ROOT / "docker"


def main(words: list[str]) -> int:
    """Do what was asked; 2 when it was not understood, 6 when there is no broker to be had."""
    if len(words) != 1 or words[0] not in COMMANDS:
        sys.stderr.write(f"one of {', '.join(COMMANDS)} expected, {' '.join(words)!r} found\n")
        return 2
    try:
        with locked(ROOT / "desk.lock"):
            COMMANDS[words[0]]()
    except BrokerTrouble as error:
        sys.stderr.write(f"{error}\n")
        return 6
    return 0


def start() -> None:
    """One open node, as it was left or new; prints its address."""
    brokers = Brokers.found(ONE) or making.one(ONE, DESK, quick=False)
    brokers.start()
    sys.stdout.write(f"{brokers.bootstrap}\n")
    sys.stderr.write(f"export ROUNDPROOF_KAFKA={brokers.bootstrap}\n")


def cluster() -> None:
    """Three secured nodes, as they were left or new; prints their addresses."""
    brokers = Brokers.found(THREE) or making.three(THREE, CLUSTER, quick=False)
    brokers.start()
    sys.stdout.write(f"{brokers.bootstrap}\n")
    hints = {
        "ROUNDPROOF_KAFKA": brokers.bootstrap,
        "ROUNDPROOF_KAFKA_PROTOCOL": "SASL_SSL",
        "ROUNDPROOF_KAFKA_CA": THREE / CA,
        "ROUNDPROOF_KAFKA_USER": "admin",
        "ROUNDPROOF_KAFKA_PASSWORD_FILE": THREE / "passwords" / "admin",
    }
    sys.stderr.writelines(f"export {name}={value}\n" for name, value in hints.items())


def papers() -> None:
    """Certificates and passwords for the nodes of compose.yaml."""
    if not DOCKER.exists():
        making.papers(DOCKER)
    sys.stdout.write(f"{DOCKER}\n")


def stop() -> None:
    """Stop what was started here; its data stays."""
    for brokers in _found():
        brokers.stop()


def status() -> None:
    """Say what is there and whether it runs."""
    for brokers in _found():
        states = "\t".join(
            f"node {number} {'running' if node.running() else 'stopped'}"
            for number, node in brokers.nodes.items()
        )
        sys.stdout.write(f"{brokers.folder.name}\t{brokers.bootstrap}\t{states}\n")


def _found() -> Iterator[Brokers]:
    return filter(None, map(Brokers.found, (ONE, THREE)))


COMMANDS: dict[str, Callable[[], None]] = {
    "tools": tools.ensure,
    "start": start,
    "cluster": cluster,
    "papers": papers,
    "stop": stop,
    "status": status,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

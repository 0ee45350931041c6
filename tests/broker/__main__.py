"""`python -m tests.broker start|cluster|stop|status`: a Kafka to work with at a desk."""

import sys
from collections.abc import Callable

from tests.broker import making
from tests.broker.brokers import Brokers
from tests.broker.places import ROOT, BrokerTrouble, locked

DESK = ROOT / "one"
WANTED = (29_092, 29_093)


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
    brokers = Brokers.found(DESK) or making.one(DESK, WANTED, quick=False)
    brokers.start()
    sys.stdout.write(f"{brokers.bootstrap}\n")
    sys.stderr.write(f"export ROUNDPROOF_KAFKA={brokers.bootstrap}\n")


def stop() -> None:
    """Stop what was started here; its data stays."""
    for brokers in filter(None, [Brokers.found(DESK)]):
        brokers.stop()


def status() -> None:
    """Say what runs."""
    for brokers in filter(None, [Brokers.found(DESK)]):
        state = "running" if brokers.running else "stopped"
        sys.stdout.write(f"{brokers.folder.name}\t{state}\t{brokers.bootstrap}\n")


COMMANDS: dict[str, Callable[[], None]] = {"start": start, "stop": stop, "status": status}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Brokers shared by all test processes: started by the first, ended when the last is gone.

Every process holds a shared lock while it uses them. A keeper, started with them, waits for the
lock alone: it comes when the users have ended, in good order or by kill -9, and stops the nodes.
`python -m tests.broker.sharing NAME` is that keeper.
"""

import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.broker.brokers import Brokers
from tests.broker.nodes import spawned
from tests.broker.places import ROOT, locked


@contextmanager
def shared(name: str, make: Callable[[Path], Brokers]) -> Iterator[Brokers]:
    """The brokers of that name, made and started when nobody uses them yet."""
    with locked(_users(name), shared=True):
        with locked(ROOT / f"{name}.starting"), peace(name):
            brokers = Brokers.found(ROOT / name)
            if brokers is None or not brokers.running:
                if brokers is not None:
                    brokers.stop()
                brokers = make(ROOT / name)
            # Before the nodes, so that whatever becomes of this process, they are stopped.
            spawned([sys.executable, "-m", __name__, name], ROOT / f"{name}.keeper.log")
            brokers.start()
        yield brokers


@contextmanager
def peace(name: str) -> Iterator[None]:
    """A time in which nobody kills a node: one that does not run then was left by nobody's will."""
    with locked(ROOT / f"{name}.peace", shared=True):
        yield


@contextmanager
def war(name: str) -> Iterator[None]:
    """A time in which nodes may be killed, because nobody else uses them."""
    with locked(ROOT / f"{name}.peace"):
        yield


def keep(name: str) -> None:
    """Wait until the brokers have no user, then stop them; one keeper is enough."""
    post = os.open(ROOT / f"{name}.keeper", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(post, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    with locked(_users(name)):
        brokers = Brokers.found(ROOT / name)
        if brokers is not None:
            brokers.stop()
            shutil.rmtree(ROOT / name)


def _users(name: str) -> Path:
    return ROOT / f"{name}.users"


if __name__ == "__main__":
    keep(sys.argv[1])

"""Ports that nobody listens on."""

import random
import socket
from collections.abc import Iterator, Sequence

HOST = "127.0.0.1"
DESK = (29_092, 29_093)  # of one node for clients and for controllers
CLUSTER = (31_092, 31_093, 31_192, 31_193, 31_292, 31_293)
# Below the range that outgoing connections draw from, so that a node that is started again
# finds its port as it left it.
LOWEST, HIGHEST = 20_000, 32_000


def free(wanted: Sequence[int]) -> list[int]:
    """The wanted ports where they are free, others in place of those that are taken."""
    others = _others(set(wanted))
    return [port if is_free(port) else next(others) for port in wanted]


def some(count: int) -> list[int]:
    """So many free ports."""
    others = _others(set())
    return [next(others) for _ in range(count)]


def is_free(port: int) -> bool:
    """Whether a node could listen there now."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
        except OSError:
            return False
        return True


def answers(host: str, port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as trial:
        trial.settimeout(1)
        return trial.connect_ex((host, port)) == 0


def _others(but: set[int]) -> Iterator[int]:
    for port in random.sample(range(LOWEST, HIGHEST), HIGHEST - LOWEST):
        if port not in but and is_free(port):
            yield port
    raise OSError(f"no free port between {LOWEST} and {HIGHEST}")

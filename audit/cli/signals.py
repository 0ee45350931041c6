"""Ending a service on SIGINT or SIGTERM: it finishes what it is doing first."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class SignalReceived(Exception):
    """A signal came while the service was only waiting."""


_interrupted: list[bool] = []  # whether SIGINT ended a service of this process


def begin() -> None:
    """Forget the signals of an earlier command in this process."""
    _interrupted.clear()


def interrupted() -> bool:
    """Whether SIGINT, rather than SIGTERM, ended a service."""
    return bool(_interrupted)


@contextmanager
def stopping(waits: Callable[[], bool] = lambda: False) -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether SIGINT or SIGTERM came; a second one kills the process.

    While `waits()` holds there is nothing to finish, so the first signal raises SignalReceived.
    """
    received: list[int] = []

    def receive(number: int, _: object) -> None:
        received.append(number)
        if number == signal.SIGINT:
            _interrupted.append(True)
        for each in before:
            signal.signal(each, signal.SIG_DFL)
        if waits():
            raise SignalReceived

    before = {each: signal.signal(each, receive) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(received)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

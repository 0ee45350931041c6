"""Ending a service when it is asked to: what is under way is finished first."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Asked(Exception):
    """The end was asked for while nothing but waiting was under way."""


_interrupted: list[bool] = []  # whether SIGINT ended a service of this process


def begin() -> None:
    """Forget what ended a service before: another command begins."""
    _interrupted.clear()


def interrupted() -> bool:
    """Whether a service ended because somebody interrupted it, rather than by SIGTERM."""
    return bool(_interrupted)


@contextmanager
def stopping(waits: Callable[[], bool] = lambda: False) -> Iterator[Callable[[], bool]]:
    """Whether SIGINT or SIGTERM came; a second one ends the process at once.

    While `waits` holds there is nothing to finish, so the first one raises Asked where it is.
    """
    asked: list[int] = []

    def ask(number: int, _: object) -> None:
        asked.append(number)
        if number == signal.SIGINT:
            _interrupted.append(True)
        for each in before:
            signal.signal(each, signal.SIG_DFL)
        if waits():
            raise Asked

    before = {each: signal.signal(each, ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

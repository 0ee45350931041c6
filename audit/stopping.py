"""Ending a service when it is asked to: what is under way is finished first."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Asked(Exception):
    """The end was asked for while nothing but waiting was under way."""


@contextmanager
def stopping(waits: Callable[[], bool] = lambda: False) -> Iterator[Callable[[], bool]]:
    """Whether SIGINT or SIGTERM came; a second one ends the process at once.

    While `waits` holds there is nothing to finish, so the first one raises Asked where it is.
    """
    asked: list[int] = []

    def ask(number: int, _: object) -> None:
        asked.append(number)
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

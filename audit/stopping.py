"""Ending a service when it is asked to: what is under way is finished first."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Whether SIGINT or SIGTERM came; a second one ends the process at once."""
    asked: list[int] = []

    def ask(number: int, _: object) -> None:
        asked.append(number)
        for each in before:
            signal.signal(each, signal.SIG_DFL)

    before = {each: signal.signal(each, ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

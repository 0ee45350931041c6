"""Log lines for operators, written by structlog, which the first line imports.

Most commands write none, and importing structlog takes longer than many of them run.
"""

from collections.abc import Callable
from typing import Any

_waiting: list[Callable[[], None]] = []  # what sets structlog up before its first line


class ServiceLog:
    """Writes one line an event: its name in the past tense, and a key for all that varies."""

    def info(self, event: str, **keys: object) -> None:
        """Something happened that an operator may want to follow."""
        _structlog().info(event, **keys)

    def warning(self, event: str, **keys: object) -> None:
        """Something needs a look."""
        _structlog().warning(event, **keys)

    def error(self, event: str, **keys: object) -> None:
        """Something failed."""
        _structlog().error(event, **keys)

    def exception(self, event: str, **keys: object) -> None:
        """Something failed that nobody foresaw; the line has the traceback of the error."""
        _structlog().exception(event, **keys)


log = ServiceLog()


def set_up_by(configure: Callable[[], None] | None) -> None:
    """Call this function before the next line, in place of one that was not called yet."""
    _waiting[:] = [configure] if configure else []


def _structlog() -> Any:
    import structlog

    while _waiting:
        _waiting.pop()()
    return structlog.get_logger()

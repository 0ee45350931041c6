"""Prints the notices of a camera's source without flooding the screen."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.sources.types import Notice

REPEATING = {"dropped", "reconnecting"}  # kinds that come in large numbers
SUMMARY_EVERY_S = 60.0


class NoticePrinter:
    """Prints the first notice of a kind at once; counts repeats and sums them up every minute."""

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._said_s: dict[str, float] = {}
        self._since: dict[str, int] = {}
        self._latest: dict[str, Notice] = {}

    def take(self, notice: "Notice") -> None:
        """Print or count one notice."""
        kind, now = notice.kind, self._clock()
        if kind not in REPEATING or kind not in self._said_s:
            self._said_s[kind] = now
            self._say(f"frame {notice.number:,}: {notice.text}")
            return
        self._since[kind] = self._since.get(kind, 0) + 1
        self._latest[kind] = notice
        if now - self._said_s[kind] >= SUMMARY_EVERY_S:
            self._said_s[kind] = now
            self._sum(kind)

    def close(self) -> None:
        """Print the counts that are still open."""
        for kind in sorted(self._since):
            self._sum(kind)

    def _sum(self, kind: str) -> None:
        count, latest = self._since.pop(kind), self._latest[kind]
        self._say(f"frame {latest.number:,}: {latest.text} ({count:,} times more, {kind})")

"""What a camera's source has to tell while it is watched: a line now and then, and no flood."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.sources.types import Notice

REPEATING = {"dropped", "reconnecting"}  # kinds that come again and again, and mean one thing
SUMMARY_EVERY_S = 60.0


class NoticePrinter:
    """Says the first notice of a kind at once, and of those that repeat only how many came."""

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._said_s: dict[str, float] = {}
        self._since: dict[str, int] = {}
        self._latest: dict[str, Notice] = {}

    def take(self, notice: "Notice") -> None:
        """One more notice."""
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
        """Say what was only counted so far."""
        for kind in sorted(self._since):
            self._sum(kind)

    def _sum(self, kind: str) -> None:
        count, latest = self._since.pop(kind), self._latest[kind]
        self._say(f"frame {latest.number:,}: {latest.text} ({count:,} times more, {kind})")

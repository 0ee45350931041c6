"""What is new, for open browsers: a number that grows when the file is swapped or Kafka speaks.

A page that listens asks again for its own rows, so a stream carries no evidence; who listens is
recorded once. There are places for so many listeners and no more, and one person takes few of them.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable

from audit.console.snapshot import NothingDerived, Snapshot

PLACES = 200
PLACES_OF_ONE = 20  # open pages of one person
RESERVED_S = 10.0
POLL_S = 0.2
BEAT_S = 15.0


class Feed:
    """Tells listeners that something is new."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot, self._said, self._lock = snapshot, 0, threading.Lock()
        self.listeners = Counter[str]()
        self._reserved: list[tuple[str, float]] = []

    def reserve(self, who: str) -> bool:
        """Keep a place for a line that is about to open; False where there is none left.

        Whoever does not come keeps it for a moment only.
        """
        now = time.monotonic()
        self._reserved = [each for each in self._reserved if now - each[1] < RESERVED_S]
        coming = Counter(name for name, _ in self._reserved)
        if self.listeners.total() + coming.total() >= PLACES:
            return False
        if self.listeners[who] + coming[who] >= PLACES_OF_ONE:
            return False
        self._reserved.append((who, now))
        return True

    def say(self) -> None:
        """Something is new beside the file: the live service published a finding."""
        with self._lock:
            self._said += 1

    def version(self) -> str:
        """What changes when something is new."""
        try:
            swapped = self._snapshot.swapped()
        except NothingDerived:
            return f"none.{self._said}"
        return f"{swapped.inode}.{int(swapped.written_at * 1000)}.{self._said}"

    async def news(self, who: str, gone: Callable[[], object]) -> AsyncIterator[str]:
        """The version now, and each newer one; a comment now and then keeps the line open."""
        come = next((each for each in self._reserved if each[0] == who), None)
        if come:
            self._reserved.remove(come)
        self.listeners[who] += 1
        try:
            known, quiet = "", 0.0
            while not await _is(gone):
                version = self.version()
                if version != known:
                    known, quiet = version, 0.0
                    yield f"event: news\ndata: {version}\n\n"
                elif quiet >= BEAT_S:
                    quiet = 0.0
                    yield ": still here\n\n"
                await asyncio.sleep(POLL_S)
                quiet += POLL_S
        finally:
            self.listeners[who] -= 1


async def _is(gone: Callable[[], object]) -> bool:
    found = gone()
    return bool(await found) if asyncio.iscoroutine(found) else bool(found)

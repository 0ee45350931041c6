"""What is new, for open browsers: a number that grows when the file is swapped or Kafka speaks.

A page that listens asks again for its own rows, so a stream carries no evidence; who listens is
recorded once. There are places for so many listeners and no more.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

from audit.console.snapshot import NothingDerived, Snapshot

PLACES = 200
POLL_S = 0.2
BEAT_S = 15.0


class Feed:
    """Tells listeners that something is new."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot, self._said, self._lock = snapshot, 0, threading.Lock()
        self.listeners = 0

    @property
    def full(self) -> bool:
        """Whether there is no place left."""
        return self.listeners >= PLACES

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

    async def news(self, gone: Callable[[], object]) -> AsyncIterator[str]:
        """The version now, and each newer one; a comment now and then keeps the line open."""
        self.listeners += 1
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
            self.listeners -= 1


async def _is(gone: Callable[[], object]) -> bool:
    found = gone()
    return bool(await found) if asyncio.iscoroutine(found) else bool(found)

"""Slows down whoever guesses passwords, without locking out whoever knows theirs elsewhere.

Attempts count against the account and against the peer's address. Five in a minute are free; after
that each attempt must wait twice as long as the one before, up to a quarter of an hour.
"""

from collections.abc import Callable

from audit.console.store import ConsoleStore

FREE = 5
FREE_OF_PEER = 20  # a whole desk may sit behind one address
WINDOW_S = 60.0
LONGEST_S = 900.0
KEPT_S = 3_600.0


class Throttle:
    """Failed sign-ins of the last hour."""

    def __init__(self, store: ConsoleStore, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    def wait_s(self, name: str, peer: str) -> float:
        """Seconds until another attempt is looked at; 0 for now."""
        with self._store.reading() as db:
            waits = [
                self._wait(
                    [at for (at,) in db.execute("select at from attempts where who = ?", (who,))],
                    free,
                )
                for who, free in ((_account(name), FREE), (_peer(peer), FREE_OF_PEER))
            ]
        return max(waits, default=0.0)

    def failed(self, name: str, peer: str) -> None:
        """Note a failed attempt."""
        now = self._now()
        with self._store.writing() as db:
            db.execute("delete from attempts where at < ?", (now - KEPT_S,))
            rows = [(_account(name), now), (_peer(peer), now)]
            db.executemany("insert into attempts values (?, ?)", rows)

    def succeeded(self, name: str) -> None:
        """Forget the failed attempts of an account; those of the peer stay."""
        with self._store.writing() as db:
            db.execute("delete from attempts where who = ?", (_account(name),))

    def _wait(self, times: list[float], free: int) -> float:
        recent = sorted(at for at in times if at > self._now() - KEPT_S)
        if len(recent) < free:
            return 0.0
        over = len(recent) - free
        pause = min(WINDOW_S * 2 ** min(over // free, 8), LONGEST_S)
        left: float = recent[-free] + pause - self._now()
        return max(0.0, left)


def _account(name: str) -> str:
    return f"account {name[:64]}"


def _peer(address: str) -> str:
    return f"peer {address}"

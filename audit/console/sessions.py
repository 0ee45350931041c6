"""Sessions: a random id in a cookie, its hash in the file, a token against forged requests."""

import hashlib
import secrets
from collections.abc import Callable
from typing import NamedTuple

from audit.console.accounts import Account, Accounts
from audit.console.store import ConsoleStore

IDLE_S = 15 * 60.0
LONGEST_S = 12 * 3600.0
PROVEN_S = 5 * 60.0  # an export asks for the password again after this
SEEN_EVERY_S = 20.0  # how exactly the last look is remembered


class ConsoleSession(NamedTuple):
    """A signed-in person."""

    account: Account
    csrf: str
    opened_at: float
    proven_at: float


class Sessions:
    """Every open session of a house."""

    def __init__(self, store: ConsoleStore, accounts: Accounts, now: Callable[[], float]) -> None:
        self._store, self._accounts, self._now = store, accounts, now

    def open(self, account: Account) -> str:
        """Begin a session; what is returned goes into the cookie and nowhere else."""
        token, now = secrets.token_urlsafe(32), self._now()
        with self._store.writing() as db:
            db.execute("delete from sessions where opened_at < ?", (now - LONGEST_S,))
            db.execute(
                "insert into sessions values (?, ?, ?, ?, ?, ?)",
                (_hash(token), account.name, secrets.token_urlsafe(24), now, now, now),
            )
        return token

    def find(self, token: str) -> ConsoleSession | None:
        """The session of a cookie, unless it ended; looking keeps it open."""
        now = self._now()
        with self._store.reading() as db:
            row = db.execute(
                "select * from sessions where id_hash = ? and seen_at > ? and opened_at > ?",
                (_hash(token), now - IDLE_S, now - LONGEST_S),
            ).fetchone()
        account = self._accounts.account(row["name"]) if row else None
        if account is None or not account.active:
            return None
        if now - row["seen_at"] > SEEN_EVERY_S:
            self._set(token, "seen_at", now)
        return ConsoleSession(account, row["csrf"], row["opened_at"], row["proven_at"])

    def prove(self, token: str) -> None:
        """Note that the password was given again."""
        self._set(token, "proven_at", self._now())

    def freshly_proven(self, session: ConsoleSession) -> bool:
        """Whether the password was given a short while ago."""
        return self._now() - session.proven_at < PROVEN_S

    def close(self, token: str) -> None:
        """End a session."""
        with self._store.writing() as db:
            db.execute("delete from sessions where id_hash = ?", (_hash(token),))

    def _set(self, token: str, column: str, value: float) -> None:
        assert column in ("seen_at", "proven_at")
        with self._store.writing() as db:
            db.execute(
                f"update sessions set {column} = ? where id_hash = ?",  # noqa: S608  (our own names)
                (value, _hash(token)),
            )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

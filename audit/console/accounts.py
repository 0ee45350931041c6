"""Accounts of the console: who signs in, with which role, proven by password and one-time code."""

import hashlib
import re
import secrets
import sqlite3
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from pyotp import random_base32
from pyotp.totp import TOTP

from audit.console.roles import NEEDS_CODE, SHORTEST, SHORTEST_ALONE, AccountRole
from audit.console.store import ConsoleStore
from schemas.ranks import LADDER, OFFICES

NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,31}")
LANGUAGES = ("en", "vi")
INVITED_S = 24 * 3600.0
STEP_S = 30
ISSUER = "Roundproof"


class Account(NamedTuple):
    """One account, without its secrets."""

    name: str
    role: AccountRole
    person: str
    rank: str
    pit: str
    language: str
    active: bool
    ready: bool  # has used its invitation


class AccountRefused(Exception):
    """Something about an account that cannot be; the text says what was expected."""


class Accounts:
    """Every account of a house."""

    def __init__(self, store: ConsoleStore, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    def invite(
        self, name: str, role: AccountRole, *, person: str = "", rank: str = "", pit: str = ""
    ) -> str:
        """Make an account, or renew its invitation; the token opens its first sign-in once."""
        if not NAME.fullmatch(name):
            expected = "1 to 32 letters, digits, dots, dashes and underscores expected"
            raise AccountRefused(f"account name: {expected}, {name!r} found")
        ranks = (*LADDER, *OFFICES)
        if rank and rank not in ranks:
            raise AccountRefused(f"rank: one of {', '.join(ranks)} expected, {rank!r} found")
        token = secrets.token_urlsafe(24)
        with self._store.writing() as db:
            db.execute(
                "insert into accounts (name, password, role, person, rank, pit)"
                " values (?, '', ?, ?, ?, ?)"
                " on conflict (name) do update set role = excluded.role, person = excluded.person,"
                " rank = excluded.rank, pit = excluded.pit, password = '', secret = ''",
                (name, role, person, rank, pit),
            )
            db.execute("delete from invitations where name = ?", (name,))
            db.execute("delete from sessions where name = ?", (name,))
            db.execute(
                "insert into invitations values (?, ?, ?)",
                (_hash(token), name, self._now() + INVITED_S),
            )
        return token

    def invited(self, token: str) -> Account | None:
        """The account whose invitation this token is, if it can still be used."""
        with self._store.reading() as db:
            row = db.execute(
                "select accounts.* from invitations join accounts using (name)"
                " where token_hash = ? and expires_at > ?",
                (_hash(token), self._now()),
            ).fetchone()
        return row and _account(row)

    def accept(
        self, token: str, password: str, secret: str = "", code: str = "", *, is_demo: bool = False
    ) -> Account:
        """Use an invitation: set the password and, where the role needs it, the one-time codes.

        Only the people of the demo, who see simulated data, go without codes.
        """
        account = self.invited(token)
        if account is None:
            raise AccountRefused("the invitation was used, replaced, or is older than a day")
        with_code = bool(secret)
        if account.role in NEEDS_CODE and not with_code and not is_demo:
            raise AccountRefused(f"the role {account.role} signs in with one-time codes")
        _require_long(password, SHORTEST if with_code else SHORTEST_ALONE)
        step = self._matching_step(secret, code, 0) if with_code else 0
        if with_code and not step:
            raise AccountRefused("the code does not fit the key: check the clock of the device")
        with self._store.writing() as db:
            db.execute(
                "update accounts set password = ?, secret = ?, last_code = ? where name = ?",
                (_hasher().hash(password), secret, step, account.name),
            )
            db.execute("delete from invitations where name = ?", (account.name,))
        return account._replace(ready=True)

    def proven(self, name: str, password: str, code: str = "") -> Account | None:
        """The account, if the password and the code are right; a code counts once."""
        with self._store.reading() as db:
            row = db.execute("select * from accounts where name = ?", (name,)).fetchone()
        right = _verified(row["password"] if row else "", password)
        if row is None or not right or not row["active"]:
            return None
        if row["secret"]:
            step = self._matching_step(row["secret"], code, row["last_code"])
            if not step or not self._use_code(name, step):
                return None
        return _account(row)

    def account(self, name: str) -> Account | None:
        """One account."""
        with self._store.reading() as db:
            row = db.execute("select * from accounts where name = ?", (name,)).fetchone()
        return row and _account(row)

    def all(self) -> list[Account]:
        """Every account, by name."""
        with self._store.reading() as db:
            return [_account(row) for row in db.execute("select * from accounts order by name")]

    def set_language(self, name: str, language: str) -> None:
        """Remember the language of a person's pages."""
        assert language in LANGUAGES, language
        with self._store.writing() as db:
            db.execute("update accounts set language = ? where name = ?", (language, name))

    def set_active(self, name: str, *, active: bool) -> None:
        """Close an account and end its sessions, or open it again."""
        with self._store.writing() as db:
            db.execute("update accounts set active = ? where name = ?", (active, name))
            if not active:
                db.execute("delete from sessions where name = ?", (name,))

    def _matching_step(self, secret: str, code: str, after: int) -> int:
        """The time step of a right code that is newer than the last one used; 0 for a wrong one."""
        now = int(self._now()) // STEP_S
        totp = TOTP(secret)
        for step in (now, now - 1, now + 1):
            if step > after and secrets.compare_digest(totp.generate_otp(step), code):
                return step
        return 0

    def _use_code(self, name: str, step: int) -> bool:
        with self._store.writing() as db:
            found = db.execute(
                "update accounts set last_code = ? where name = ? and last_code < ?",
                (step, name, step),
            )
            return found.rowcount == 1


def new_secret() -> str:
    """A secret for one-time codes."""
    return random_base32()


def secret_uri(name: str, secret: str) -> str:
    """What an authenticator app reads from the square code."""
    return TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def _require_long(password: str, shortest: int) -> None:
    if len(password) < shortest:
        raise AccountRefused(
            f"password: {shortest} characters or more expected, {len(password)} found"
        )


def _account(row: sqlite3.Row) -> Account:
    return Account(
        row["name"],
        AccountRole(row["role"]),
        row["person"],
        row["rank"],
        row["pit"],
        row["language"],
        bool(row["active"]),
        bool(row["password"]),
    )


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


@cache
def _nobody() -> str:
    """A hash that no password fits: an unknown name takes as long as a wrong password."""
    return _hasher().hash(secrets.token_urlsafe())


def _verified(kept: str, password: str) -> bool:
    try:
        return _hasher().verify(kept or _nobody(), password) and bool(kept)
    except (VerificationError, InvalidHashError):
        return False


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

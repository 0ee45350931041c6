"""The console's own SQLite file: accounts, sessions, sign-in attempts, packs, remarks on rounds.

It holds no evidence, and nothing that opens an account: passwords are kept as argon2id, session ids
and invitations as hashes.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE = "console.sqlite"
MODE = 0o600

TABLES = """
create table if not exists accounts (
    name       text primary key,
    password   text not null,           -- argon2id; empty until the invitation is used
    role       text not null,
    person     text not null default '',-- id of the person on the floor, such as T01-M1
    rank       text not null default '',-- rank for rulings and decisions
    pit        text not null default '',-- prefix of the tables a supervisor sees; empty for all
    language   text not null default 'en',
    secret     text not null default '',-- of the one-time codes; empty until set up
    last_code  integer not null default 0, -- time step of the last code, which counts once
    active     integer not null default 1
);
create table if not exists invitations (
    token_hash text primary key,
    name       text not null references accounts (name),
    expires_at real not null
);
create table if not exists sessions (
    id_hash    text primary key,
    name       text not null references accounts (name),
    csrf       text not null,
    opened_at  real not null,
    seen_at    real not null,
    proven_at  real not null            -- when the password was last given
);
create table if not exists oidc_pending (
    state_hash text primary key,
    nonce      text not null,
    verifier   text not null,
    after      text not null,           -- the page that was asked for
    redirect   text not null,
    begun_at   real not null
);
create table if not exists oidc_subjects (
    issuer  text not null,
    subject text not null,              -- the provider's own name of a person, which never changes
    name    text not null references accounts (name),
    primary key (issuer, subject)
);
create table if not exists attempts (
    who text not null,                  -- account name or address of the peer
    at  real not null
);
create table if not exists queries (
    name    text primary key,
    title   text not null,
    about   text not null,
    sql     text not null,
    by_whom text not null
);
create table if not exists packs (
    pack_id     text primary key,
    case_id     text not null,
    party       text not null,           -- player of a party edition; empty for the full one
    sha256      text not null,           -- of the zip, which lies beside this file
    size        integer not null,
    steps       integer not null,        -- how many steps the case had
    built_by    text not null,
    built_at    real not null,
    code        integer not null,        -- exit code of the verifier: 0 is verified
    said        text not null,           -- what the verifier printed
    asked_by    text not null default '',-- who asks to hand it out
    asked_at    real not null default 0,
    reason      text not null default '',
    approved_by text not null default '',-- the second person
    approved_at real not null default 0
);
create table if not exists remarks (
    table_id text not null,
    round_id text not null,
    at_us    integer not null,          -- the moment of the round that it marks
    kind     text not null,             -- marker or reviewed
    note     text not null,
    by_whom  text not null,
    made_at  real not null
);
create index if not exists remarks_by_round on remarks (table_id, round_id);
create index if not exists attempts_by_who on attempts (who, at);
"""


class ConsoleStore:
    """Short transactions; each call opens a connection of its own, so threads may share it."""

    def __init__(self, home: Path) -> None:
        folder = home / "console"
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        self.path = folder / FILE
        if not self.path.exists():
            self.path.touch(mode=MODE)
        with self.writing() as db:
            db.executescript(TABLES)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are kept if the block succeeds."""
        db = sqlite3.connect(self.path, timeout=10, isolation_level=None)
        try:
            db.row_factory = sqlite3.Row
            db.execute("pragma journal_mode = wal")
            db.execute("pragma foreign_keys = on")
            db.execute("begin immediate")
            yield db
            if db.in_transaction:
                db.execute("commit")
        except BaseException:
            if db.in_transaction:
                db.execute("rollback")
            raise
        finally:
            db.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that only reads."""
        db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=10)
        try:
            db.row_factory = sqlite3.Row
            yield db
        finally:
            db.close()

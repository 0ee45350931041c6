"""Sessions of the console and the throttle of its sign-in."""

from pathlib import Path

import pytest

from audit.console.accounts import Accounts
from audit.console.roles import AccountRole
from audit.console.sessions import IDLE_S, LONGEST_S, PROVEN_S, Sessions
from audit.console.store import ConsoleStore
from audit.console.throttle import FREE, FREE_OF_PEER, Throttle
from audit.console.throttle import LONGEST_S as LONGEST_PAUSE_S


class Clock:
    """A clock that a test sets."""

    at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(tmp_path: Path, clock: Clock) -> Accounts:
    people = Accounts(ConsoleStore(tmp_path), clock)
    people.accept(people.invite("op-1", AccountRole.SURVEILLANCE), "fifteen letters.")
    return people


@pytest.fixture
def sessions(tmp_path: Path, people: Accounts, clock: Clock) -> Sessions:
    return Sessions(ConsoleStore(tmp_path), people, clock)


def _open(sessions: Sessions, people: Accounts) -> str:
    account = people.account("op-1")
    assert account
    return sessions.open(account)


def test_a_session_ends_after_a_quarter_of_an_hour_without_a_look(
    sessions: Sessions, people: Accounts, clock: Clock
) -> None:
    token = _open(sessions, people)

    clock.at += IDLE_S - 1
    assert sessions.find(token)
    clock.at += IDLE_S - 1
    assert sessions.find(token)
    clock.at += IDLE_S
    assert sessions.find(token) is None


def test_a_session_ends_after_twelve_hours_however_busy(
    sessions: Sessions, people: Accounts, clock: Clock
) -> None:
    token, begun = _open(sessions, people), clock.at

    while clock.at + 600 < begun + LONGEST_S:
        clock.at += 600
        assert sessions.find(token)
    clock.at = begun + LONGEST_S
    assert sessions.find(token) is None


def test_sessions_have_ids_and_tokens_of_their_own(sessions: Sessions, people: Accounts) -> None:
    first, second = _open(sessions, people), _open(sessions, people)
    one, other = sessions.find(first), sessions.find(second)

    assert one
    assert other
    assert first != second
    assert one.csrf != other.csrf
    assert sessions.find("") is None
    assert sessions.find(first + "x") is None


def test_signing_out_and_closing_the_account_end_a_session(
    sessions: Sessions, people: Accounts
) -> None:
    first, second = _open(sessions, people), _open(sessions, people)

    sessions.close(first)
    assert sessions.find(first) is None
    people.set_active("op-1", active=False)
    assert sessions.find(second) is None


def test_the_password_is_fresh_for_five_minutes(
    sessions: Sessions, people: Accounts, clock: Clock
) -> None:
    token = _open(sessions, people)
    clock.at += PROVEN_S
    stale = sessions.find(token)
    sessions.prove(token)
    fresh = sessions.find(token)

    assert stale
    assert not sessions.freshly_proven(stale)
    assert fresh
    assert sessions.freshly_proven(fresh)


def test_a_guesser_gets_five_tries_a_minute_and_then_fewer(tmp_path: Path, clock: Clock) -> None:
    throttle = Throttle(ConsoleStore(tmp_path), clock)
    tries = 0

    for _ in range(6 * 60):  # an hour, one attempt every ten seconds
        if not throttle.wait_s("op-1", "10.0.0.9"):
            throttle.failed("op-1", "10.0.0.9")
            tries += 1
        clock.at += 10

    # Five each after pauses of 1, 2, 4, 8, 15, 15 and 15 minutes.
    assert FREE < tries <= 8 * FREE
    assert throttle.wait_s("op-1", "10.0.0.9") <= LONGEST_PAUSE_S


def test_guessing_one_account_pauses_no_other(tmp_path: Path, clock: Clock) -> None:
    throttle = Throttle(ConsoleStore(tmp_path), clock)

    for _ in range(FREE):
        throttle.failed("op-1", "10.0.0.9")

    assert throttle.wait_s("op-1", "10.0.0.8") > 0
    assert throttle.wait_s("op-2", "10.0.0.9") == 0


def test_a_peer_that_tries_many_accounts_is_paused(tmp_path: Path, clock: Clock) -> None:
    throttle = Throttle(ConsoleStore(tmp_path), clock)

    for n in range(FREE_OF_PEER):
        throttle.failed(f"op-{n}", "10.0.0.9")

    assert throttle.wait_s("somebody", "10.0.0.9") > 0
    assert throttle.wait_s("somebody", "10.0.0.8") == 0


def test_the_right_password_ends_the_pause_of_the_account(tmp_path: Path, clock: Clock) -> None:
    throttle = Throttle(ConsoleStore(tmp_path), clock)
    for _ in range(FREE):
        throttle.failed("op-1", "10.0.0.9")

    throttle.succeeded("op-1")

    assert throttle.wait_s("op-1", "10.0.0.8") == 0

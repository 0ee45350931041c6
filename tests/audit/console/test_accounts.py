"""Accounts of the console: invitations, passwords, one-time codes."""

import stat
from pathlib import Path

import pytest
from pyotp.totp import TOTP

from audit.console import accounts
from audit.console.accounts import INVITED_S, AccountRefused, Accounts
from audit.console.roles import AccountRole
from audit.console.store import ConsoleStore

LONG = "fifteen letters."


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(tmp_path: Path, clock: Clock) -> Accounts:
    return Accounts(ConsoleStore(tmp_path), clock)


def _auditor(people: Accounts, clock: Clock) -> str:
    secret = accounts.new_secret()
    code = TOTP(secret).at(int(clock.at))
    people.accept(people.invite("aud-1", AccountRole.AUDITOR), LONG, secret, code)
    clock.at += 60
    return secret


def test_an_invitation_opens_an_account_once(people: Accounts) -> None:
    token = people.invite("op-1", AccountRole.SURVEILLANCE)

    people.accept(token, LONG)

    assert people.proven("op-1", LONG)
    assert people.proven("op-1", LONG + "x") is None
    assert people.invited(token) is None
    with pytest.raises(AccountRefused, match="was used"):
        people.accept(token, LONG)


def test_an_invitation_ends_after_a_day(people: Accounts, clock: Clock) -> None:
    token = people.invite("op-1", AccountRole.SURVEILLANCE)
    clock.at += INVITED_S

    assert people.invited(token) is None


def test_a_new_invitation_replaces_password_and_old_invitation(people: Accounts) -> None:
    first = people.invite("op-1", AccountRole.SURVEILLANCE)
    people.accept(first, LONG)

    people.invite("op-1", AccountRole.SURVEILLANCE)

    assert people.proven("op-1", LONG) is None


@pytest.mark.parametrize("role", [AccountRole.INVESTIGATOR, AccountRole.AUDITOR, AccountRole.ADMIN])
def test_sensitive_roles_need_one_time_codes(people: Accounts, role: AccountRole) -> None:
    token = people.invite("x", role)

    with pytest.raises(AccountRefused, match="one-time codes"):
        people.accept(token, LONG)


def test_a_short_password_is_refused(people: Accounts) -> None:
    token = people.invite("op-1", AccountRole.SURVEILLANCE)

    with pytest.raises(AccountRefused, match="15 characters or more expected, 14 found"):
        people.accept(token, LONG[:14])


def test_a_code_is_needed_and_counts_once(people: Accounts, clock: Clock) -> None:
    secret = _auditor(people, clock)
    code = TOTP(secret).at(int(clock.at))

    assert people.proven("aud-1", LONG) is None
    assert people.proven("aud-1", LONG, "000000" if code != "000000" else "000001") is None
    assert people.proven("aud-1", LONG, code)
    assert people.proven("aud-1", LONG, code) is None


def test_a_closed_account_does_not_sign_in(people: Accounts) -> None:
    people.accept(people.invite("op-1", AccountRole.SURVEILLANCE), LONG)

    people.set_active("op-1", active=False)

    assert people.proven("op-1", LONG) is None


def test_nobody_signs_in_before_the_invitation_was_used(people: Accounts) -> None:
    people.invite("op-1", AccountRole.SURVEILLANCE)

    assert people.proven("op-1", "") is None


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 33, "<b>"])
def test_a_strange_name_is_refused(people: Accounts, name: str) -> None:
    with pytest.raises(AccountRefused, match="account name"):
        people.invite(name, AccountRole.SURVEILLANCE)


def test_the_file_is_private_and_holds_no_password(people: Accounts, tmp_path: Path) -> None:
    token = people.invite("op-1", AccountRole.SURVEILLANCE)
    people.accept(token, LONG)
    files = list((tmp_path / "console").iterdir())

    assert files
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0
        assert LONG.encode() not in file.read_bytes()
        assert token.encode() not in file.read_bytes()

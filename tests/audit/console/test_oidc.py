"""Signing in at a real OpenID Connect provider on loopback: the whole flow, and every lie in it."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient

from audit.console.app import ConsolePlace, make_app
from audit.console.oidc import OidcClient, OidcRefused, require_private
from audit.console.roles import AccountRole
from tests.support.console_desks import DeskRecords
from tests.support.oidc_provider import CLIENT, SECRET, OidcProvider, provided

NOT_THIS = "did not work"


@pytest.fixture(scope="module")
def known() -> Iterator[OidcProvider]:
    with provided() as provider:
        yield provider


@pytest.fixture
def provider(known: OidcProvider) -> OidcProvider:
    """The provider, honest again."""
    known.begin_anew()
    return known


@pytest.fixture
def records() -> DeskRecords:
    return DeskRecords()


@pytest.fixture
def client(tmp_path: Path, provider: OidcProvider, records: DeskRecords) -> Iterator[TestClient]:
    oidc = OidcClient(provider.issuer, CLIENT, SECRET)
    app = make_app(ConsolePlace(tmp_path, "UTC", oidc=oidc), records)
    for name, role in (
        ("op-1", AccountRole.SURVEILLANCE),
        ("op-2", AccountRole.SURVEILLANCE),
        ("aud-1", AccountRole.AUDITOR),
    ):
        app.state.accounts.invite(name, role)
    with TestClient(app, follow_redirects=False) as client:
        yield client


def _at_provider(client: TestClient, after: str = "/") -> str:
    """Go to the provider; the address that it sends the browser back to."""
    sent = client.get("/sign-in/oidc", params={"next": after})
    assert sent.status_code == 303
    back = httpx.get(sent.headers["location"], trust_env=False).headers["location"]
    return back.removeprefix("http://testserver")


def _signed_in(client: TestClient) -> int:
    return client.get(_at_provider(client)).status_code


def test_somebody_signs_in_and_goes_where_they_wanted(
    client: TestClient, records: DeskRecords
) -> None:
    answer = client.get(_at_provider(client, "/account?x=1"))

    assert answer.status_code == 200
    assert 'content="0; url=/account?x=1"' in answer.text
    cookies = answer.headers.get_list("set-cookie")
    assert any("roundproof=" in each and "samesite=strict" in each.lower() for each in cookies)
    assert client.get("/account").status_code == 200
    assert records[0] == ("op-1", "signed in", "console by provider", "")


def test_the_browser_goes_with_state_nonce_and_challenge(client: TestClient) -> None:
    first, second = (
        parse_qs(urlsplit(client.get("/sign-in/oidc").headers["location"]).query) for _ in range(2)
    )

    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) >= 43
        assert first[name] != second[name]
    assert first["code_challenge_method"] == ["S256"]
    assert first["redirect_uri"] == ["http://testserver/sign-in/oidc/back"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"nonce": "another"}, "nonce"),
        ({"aud": "another-client"}, "aud"),
        ({"aud": [CLIENT, "another"]}, "this console alone"),
        ({"azp": "another-client"}, "this console alone"),
        ({"iss": "https://another.example"}, "iss"),
        ({"exp": int(time.time()) - 120}, "expired"),
        ({"iat": 4_000_000_000}, "in the future"),
        ({"sub": None}, "sub"),
        ({"preferred_username": "nobody"}, "no open account"),
        ({"preferred_username": ["op-1"]}, "no open account"),
    ],
)
def test_a_token_with_a_wrong_claim_opens_nothing(
    client: TestClient,
    provider: OidcProvider,
    records: DeskRecords,
    wrong: dict[str, Any],
    why: str,
) -> None:
    provider.wrong = wrong
    answer = client.get(_at_provider(client))

    assert answer.status_code == 401
    assert NOT_THIS in answer.text
    assert why in records[-1][3]
    assert client.get("/account").status_code == 303


def test_a_token_by_another_key_opens_nothing(client: TestClient, provider: OidcProvider) -> None:
    provider.signed_by = "k2"

    assert _signed_in(client) == 401


def test_a_state_counts_once_and_in_its_own_browser(client: TestClient) -> None:
    back = _at_provider(client)
    cookie = client.cookies.get("roundproof-oidc", path="/sign-in/oidc/back")
    client.cookies.clear()

    assert client.get(back).status_code == 401
    client.cookies.set("roundproof-oidc", cookie or "", path="/sign-in/oidc/back")
    assert client.get(back).status_code == 200
    client.cookies.set("roundproof-oidc", cookie or "", path="/sign-in/oidc/back")
    assert client.get(back).status_code == 401


def test_a_code_of_another_sign_in_opens_nothing(client: TestClient) -> None:
    one = parse_qs(urlsplit(_at_provider(client)).query)
    other = parse_qs(urlsplit(_at_provider(client)).query)
    asked = {"state": other["state"][0], "code": one["code"][0]}

    assert client.get("/sign-in/oidc/back", params=asked).status_code == 401


def test_the_name_belongs_to_the_first_person_who_brought_it(
    client: TestClient, provider: OidcProvider
) -> None:
    assert _signed_in(client) == 200
    provider.person["sub"] = "s-2"
    assert _signed_in(client) == 401
    provider.person |= {"sub": "s-1", "preferred_username": "op-2"}
    client.get(_at_provider(client))

    assert "op-1" in client.get("/account").text


def test_a_sensitive_role_needs_a_second_factor_at_the_provider(
    client: TestClient, provider: OidcProvider
) -> None:
    provider.person |= {"sub": "s-9", "preferred_username": "aud-1"}
    assert _signed_in(client) == 401
    provider.person["amr"] = ["pwd", "otp"]

    assert _signed_in(client) == 200


def test_a_closed_account_stays_closed(client: TestClient) -> None:
    assert _signed_in(client) == 200
    client.app.state.accounts.set_active("op-1", active=False)  # type: ignore[attr-defined]

    assert _signed_in(client) == 401


def test_a_description_that_leads_elsewhere_is_refused(
    client: TestClient, provider: OidcProvider
) -> None:
    provider.described = {"issuer": "https://another.example"}
    assert client.get("/sign-in/oidc").status_code == 401
    provider.described = {"token_endpoint": "http://another.example/token"}
    assert client.get("/sign-in/oidc").status_code == 401


def test_without_a_provider_there_is_no_such_door(tmp_path: Path) -> None:
    with TestClient(make_app(ConsolePlace(tmp_path, "UTC"), DeskRecords())) as client:
        assert client.get("/sign-in/oidc").status_code == 404
        assert client.get("/sign-in/oidc/back?code=1").status_code == 404
        assert "organisation" not in client.get("/sign-in").text


@pytest.mark.parametrize(
    "url", ["http://id.example", "ftp://127.0.0.1", "", "https://", "http://["]
)
def test_secrets_cross_no_network_in_the_clear(url: str) -> None:
    with pytest.raises(OidcRefused, match="https address"):
        require_private(url)

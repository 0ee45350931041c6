"""The doors of the console: sessions, roles, forged requests, hosts, headers."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from audit.checks import findings
from audit.console.app import OPEN, ConsolePlace, actions, make_app
from audit.console.headers import BODY_BYTES
from audit.console.roles import GRANTED, AccountRole, Action
from replay.tables.duckdb_file import FILE, project

PASSWORD = "fifteen letters."
STAYS_OPEN = "/live"  # a line of events; the browser tests listen to it


class Records(list[tuple[str, str, str, str]]):
    """Access records in memory."""

    def __call__(self, who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
        del role
        self.append((who, did, subject, refused))


@pytest.fixture
def records() -> Records:
    return Records()


@pytest.fixture
def client(tmp_path: Path, records: Records) -> Iterator[TestClient]:
    app = make_app(ConsolePlace(tmp_path, "Asia/Ho_Chi_Minh"), records)
    for name, role in (("op-1", AccountRole.SURVEILLANCE), ("sup-1", AccountRole.SUPERVISOR)):
        app.state.accounts.accept(app.state.accounts.invite(name, role), PASSWORD)
    with TestClient(app, follow_redirects=False) as client:
        yield client


def _sign_in(client: TestClient, name: str = "op-1", **more: str) -> int:
    form = {"name": name, "password": PASSWORD, **more}
    return client.post("/sign-in", data=form).status_code


def _session(client: TestClient) -> str:
    answer = client.post("/sign-in", data={"name": "op-1", "password": PASSWORD})
    token = answer.cookies["roundproof"]
    client.cookies.clear()
    client.cookies.set("roundproof", token)
    return token


def test_every_route_names_its_action() -> None:
    found = actions()

    assert len(found) > 8
    assert {path for (_, path), action in found.items() if action is None} == set(OPEN)


@pytest.mark.parametrize("role", AccountRole)
def test_each_role_gets_what_the_table_grants_and_nothing_else(
    client: TestClient, role: AccountRole
) -> None:
    app = client.app.state  # type: ignore[attr-defined]
    session = app.sessions.open(_account(client, role))
    client.cookies.set("roundproof", session)
    looked = [
        (path, action)
        for (method, path), action in actions().items()
        if method == "GET" and action and "{" not in path and path != STAYS_OPEN
    ]

    assert looked
    for path, action in looked:
        refused = client.get(path).status_code == 403
        assert refused == (action not in GRANTED[role]), (path, action)


def _account(client: TestClient, role: AccountRole):  # type: ignore[no-untyped-def]
    people = client.app.state.accounts  # type: ignore[attr-defined]
    people.invite(f"x-{role}", role)
    return people.account(f"x-{role}")


def test_nobody_sees_a_page_without_a_session(client: TestClient) -> None:
    answer = client.get("/queue?severity=S1")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/sign-in?ended=1&next=/queue%3Fseverity%3DS1"
    assert client.get("/api/findings").status_code == 401


def test_a_refused_attempt_is_recorded(client: TestClient, records: Records) -> None:
    session = client.app.state.sessions.open(_account(client, AccountRole.ADMIN))  # type: ignore[attr-defined]
    client.cookies.set("roundproof", session)

    assert client.get("/floor").status_code == 403
    assert records[-1] == ("x-admin", "viewed", "/floor", "role admin may not see_floor")


def test_wrong_name_and_wrong_password_read_the_same(client: TestClient) -> None:
    one = client.post("/sign-in", data={"name": "op-1", "password": "x" * 15})
    other = client.post("/sign-in", data={"name": "nobody", "password": "x" * 15})

    assert one.status_code == other.status_code == 401
    assert one.text == other.text


def test_the_sixth_wrong_password_in_a_minute_waits(client: TestClient, records: Records) -> None:
    answers = [
        client.post("/sign-in", data={"name": "op-1", "password": "x" * 15}) for _ in range(6)
    ]

    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert records[-1][3] == "too many attempts"
    assert _sign_in(client, "sup-1") == 303


def test_a_new_session_id_at_every_sign_in(client: TestClient) -> None:
    client.cookies.set("roundproof", "chosen-by-somebody-else")

    first, second = (_session(client) for _ in range(2))

    assert len({"chosen-by-somebody-else", first, second}) == 3
    client.cookies.clear()
    client.cookies.set("roundproof", first)
    assert client.get("/account").status_code == 303


def test_the_cookie_is_hidden_from_scripts_and_other_sites(client: TestClient) -> None:
    answer = client.post("/sign-in", data={"name": "op-1", "password": PASSWORD})
    cookie = answer.headers["set-cookie"].lower()

    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize(
    "after", ["//evil.example/x", "https://evil.example", "\\\\evil.example", "/\\evil.example"]
)
def test_signing_in_leads_to_no_other_site(client: TestClient, after: str) -> None:
    answer = client.post("/sign-in", data={"name": "op-1", "password": PASSWORD, "next": after})

    assert answer.headers["location"] == "/"


def test_a_form_without_the_token_is_refused(client: TestClient) -> None:
    _sign_in(client)

    assert client.post("/account/language", data={"language": "vi"}).status_code == 403
    found = client.app.state.sessions.find(client.cookies["roundproof"])  # type: ignore[attr-defined]
    form = {"language": "vi", "csrf": found.csrf}
    assert client.post("/account/language", data=form).status_code == 303
    foreign = {"sec-fetch-site": "cross-site"}
    assert client.post("/account/language", data=form, headers=foreign).status_code == 403
    other = {"origin": "https://evil.example"}
    assert client.post("/account/language", data=form, headers=other).status_code == 403


def test_a_foreign_host_name_is_refused(client: TestClient) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        assert client.get("/sign-in", headers={"host": host}).status_code == 421
    assert client.get("/sign-in", headers={"host": "127.0.0.1:8080"}).status_code == 200
    assert client.get("/sign-in", headers={"host": "[::1]:8080"}).status_code == 200


def test_every_answer_carries_the_headers(client: TestClient) -> None:
    for path in ("/sign-in", "/floor", "/nothing-here", "/static/console.css"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_large_body_is_refused(client: TestClient) -> None:
    assert client.post("/sign-in", content=b"x" * (BODY_BYTES + 1)).status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * (BODY_BYTES // 32)

    form = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/sign-in", content=chunks(), headers=form).status_code == 413


def test_signing_out_ends_the_session(client: TestClient) -> None:
    _sign_in(client)
    token = client.cookies["roundproof"]
    found = client.app.state.sessions.find(token)  # type: ignore[attr-defined]

    client.post("/account/sign-out", data={"csrf": found.csrf})

    client.cookies.set("roundproof", token)
    assert client.get("/account").status_code == 303


def test_an_invitation_sets_the_password_and_signs_in(client: TestClient) -> None:
    token = client.app.state.accounts.invite("new-1", AccountRole.SURVEILLANCE)  # type: ignore[attr-defined]

    assert client.get(f"/welcome/{token}").status_code == 200
    differing = client.post(f"/welcome/{token}", data={"password": PASSWORD, "again": "y"})
    assert differing.status_code == 400
    both = {"password": PASSWORD, "again": PASSWORD}
    assert client.post(f"/welcome/{token}", data=both).status_code == 303
    assert client.get("/account").status_code == 200
    assert client.get(f"/welcome/{token}").status_code == 404


def test_an_empty_house_says_what_to_do(client: TestClient) -> None:
    _sign_in(client)
    answer = client.get("/floor")

    assert answer.status_code == 503
    assert "run roundproof replay" in answer.text


def test_a_changed_file_is_named_and_not_shown(
    client: TestClient, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path, dirs_exist_ok=True)
    project(tmp_path, also=findings.filler(tmp_path))
    _sign_in(client)
    assert client.get("/floor").status_code == 200
    body = bytearray((tmp_path / FILE).read_bytes())
    body[5_000] ^= 1
    (tmp_path / FILE).write_bytes(body)

    told = client.get("/floor")

    assert told.status_code == 409
    assert "audit.duckdb: SHA-256" in told.text


def test_roles_see_what_reliability_says() -> None:
    assert Action.RUN_SQL not in GRANTED[AccountRole.SURVEILLANCE]
    assert Action.SEE_ACCESS in GRANTED[AccountRole.AUDITOR]
    assert not GRANTED[AccountRole.ADMIN] & {
        Action.SEE_ROUNDS,
        Action.SEE_CASES,
        Action.BUILD_PACKS,
    }


def test_an_unforeseen_error_is_logged_and_told_in_short(
    tmp_path: Path, records: Records, capsys: pytest.CaptureFixture[str]
) -> None:
    app = make_app(ConsolePlace(tmp_path, "UTC"), records)

    @app.get("/broken")
    def broken() -> None:
        secret = "x" * 10_000
        raise RuntimeError(f"the first words {len(secret)}")

    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/broken")

    assert answer.status_code == 500
    assert "the first words" not in answer.text
    said = capsys.readouterr()
    assert "the first words" in said.out + said.err
    assert "xxxx" not in said.out + said.err

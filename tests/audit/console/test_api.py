"""The console's data: behind the same rules, described, and never a server error."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Err

from audit.console.app import ConsolePlace, actions, make_app
from audit.console.roles import AccountRole

EXAMPLES = int(os.environ.get("ROUNDPROOF_EXAMPLES", "4"))
PAGES_AS_DATA = {
    *("access", "account", "accounts", "cases", "checks", "dealers", "devices", "findings"),
    *("floor", "health", "rounds", "rules", "sql", "topics"),
}


def _record(who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
    del who, role, did, subject, refused


@pytest.fixture(scope="module")
def clients(console_house: Path) -> Iterator[dict[AccountRole, TestClient]]:
    """Somebody of each role, signed in."""
    app = make_app(ConsolePlace(console_house, "Asia/Ho_Chi_Minh"), _record)
    found = {}
    for role in AccountRole:
        app.state.accounts.invite(f"api-{role}", role)
        client = TestClient(app, follow_redirects=False, raise_server_exceptions=False)
        session = app.state.sessions.open(app.state.accounts.account(f"api-{role}"))
        client.cookies.set("roundproof", session)
        found[role] = client
    yield found
    for client in found.values():
        client.close()


def _description(clients: dict[AccountRole, TestClient]) -> dict[str, Any]:
    found: dict[str, Any] = clients[AccountRole.ADMIN].get("/api/openapi.json").json()
    return found


def test_every_page_has_its_data_and_all_of_it_is_described(
    clients: dict[AccountRole, TestClient],
) -> None:
    described = set(_description(clients)["paths"])

    assert {path.split("/")[2] for path in described} >= PAGES_AS_DATA
    assert described == {path for _, path in actions() if path.startswith("/api/")}


def test_nobody_reads_data_or_its_description_without_a_session(console_house: Path) -> None:
    app = make_app(ConsolePlace(console_house, "UTC"), _record)
    with TestClient(app) as stranger:
        for method, path in actions():
            if method == "GET" and path.startswith("/api/"):
                assert stranger.get(path.replace("{", "").replace("}", "")).status_code == 401, path


def test_no_question_makes_a_server_error(clients: dict[AccountRole, TestClient]) -> None:
    schema = schemathesis.openapi.from_dict(_description(clients))
    asked = 0

    def never_fails(case: Any) -> None:
        nonlocal asked
        asked += 1
        for role in (AccountRole.AUDITOR, AccountRole.ADMIN):
            answer = clients[role].request(
                case.method, case.formatted_path, params=case.query or None
            )
            assert answer.status_code < 500, (case.formatted_path, case.query, answer.text)

    for result in schema.get_all_operations():
        assert not isinstance(result, Err), result
        FEW_EXAMPLES(given(case=result.ok().as_strategy())(never_fails))()

    assert asked >= len(PAGES_AS_DATA)


FEW_EXAMPLES: Any = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

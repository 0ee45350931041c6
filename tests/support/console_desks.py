"""People at desks of the console: an account of each rank, and a client that is signed in."""

import shutil
from pathlib import Path

from fastapi import FastAPI
from fastapi.testclient import TestClient

from audit.console.app import ConsolePlace, make_app
from audit.console.roles import AccountRole

PASSWORD = "fifteen letters."
# Account: role, person on the floor, rank.
PEOPLE = {
    "inspector": (AccountRole.SUPERVISOR, "X-I1", "dealer_inspector"),
    "pit": (AccountRole.SUPERVISOR, "X-M1", "pit_manager"),
    "shift": (AccountRole.SUPERVISOR, "X-M2", "shift_manager"),
    "cage": (AccountRole.SUPERVISOR, "X-C1", "cage_cashier"),
    "operator": (AccountRole.SURVEILLANCE, "X-V1", "surveillance_operator"),
    "investigator": (AccountRole.INVESTIGATOR, "X-N1", "surveillance_director"),
    "auditor": (AccountRole.AUDITOR, "X-A1", "internal_auditor"),
    "nobody": (AccountRole.SUPERVISOR, "X-0", ""),
}


class DeskRecords(list[tuple[str, str, str, str]]):
    """Access records in memory: who, what they did, to what, why it was refused."""

    def __call__(self, who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
        del role
        self.append((who, did, subject, refused))


class SeatedPerson:
    """Somebody who is signed in, as their browser."""

    def __init__(self, app: FastAPI, name: str) -> None:
        account = app.state.accounts.account(name)
        self.client = TestClient(app, follow_redirects=False)
        token = app.state.sessions.open(account)
        self.client.cookies.set("roundproof", token)
        self._csrf = app.state.sessions.find(token).csrf

    def get(self, path: str) -> str:
        """A page's text; it must be there."""
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[-400:])
        return answer.text

    def status(self, path: str) -> int:
        """Whether a page may be seen."""
        return self.client.get(path).status_code

    def post(self, path: str, files: object = None, **form: object) -> tuple[int, str]:
        """Send a form: the answer's status, and where it leads or what it says."""
        given = {"csrf": self._csrf, **form}
        answer = self.client.post(path, data=given, files=files)  # type: ignore[arg-type]  # httpx's own union
        return answer.status_code, answer.headers.get("location", answer.text)


def console_over(house: Path, home: Path, records: DeskRecords) -> FastAPI:
    """A console over a copy of a house, with an account of everybody."""
    shutil.copytree(house, home, dirs_exist_ok=True)
    app = make_app(ConsolePlace(home, "Asia/Ho_Chi_Minh"), records)
    for name, (role, person, rank) in PEOPLE.items():
        app.state.accounts.invite(name, role, person=person, rank=rank)
    return app

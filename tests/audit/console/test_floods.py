"""Floods: a thousand listeners and a thousand guesses stay within limits, and others go on."""

import asyncio
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient

from audit.console.app import ConsolePlace, make_app
from audit.console.live import PLACES, PLACES_OF_ONE, Feed
from audit.console.roles import AccountRole
from audit.console.snapshot import Snapshot
from audit.console.throttle import FREE, FREE_OF_PEER
from tests.support.console_desks import DeskRecords
from tests.support.console_house import Served

THOUSAND = 1_000
PASSWORD = "fifteen letters."


@pytest.mark.slow
def test_a_thousand_listeners_take_the_places_of_one_and_others_go_on(console: Served) -> None:
    state = console.app.state
    one, other = (state.sessions.open(state.accounts.account(name)) for name in ("op-1", "sup-1"))

    answers, page, line = asyncio.run(_flood(console, one, other))

    assert answers == {200: PLACES_OF_ONE, 503: THOUSAND - PLACES_OF_ONE}
    assert page == 200
    assert line == 200
    ended = time.monotonic() + 20
    while state.feed.listeners.total() and time.monotonic() < ended:
        time.sleep(0.1)
    assert state.feed.listeners.total() == 0


async def _flood(console: Served, one: str, other: str) -> tuple[dict[int, int], int, int]:
    """A thousand lines of one person, and what another one gets meanwhile."""
    gate = asyncio.Semaphore(100)
    opened = await asyncio.gather(*(_line(console, one, gate) for _ in range(THOUSAND)))
    async with httpx.AsyncClient(base_url=console.address, cookies={"roundproof": other}) as web:
        page = await web.get("/floor")
    status, writer = await _line(console, other, gate)
    for each in (*(writer for _, writer in opened), writer):
        each.close()
    return dict(Counter(status for status, _ in opened)), page.status_code, status


async def _line(
    console: Served, token: str, gate: asyncio.Semaphore
) -> tuple[int, asyncio.StreamWriter]:
    """Open a line of news and keep it open; the status of the answer."""
    parts = urlsplit(console.address)
    async with gate:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        asked = f"GET /live HTTP/1.1\r\nhost: {parts.netloc}\r\ncookie: roundproof={token}\r\n\r\n"
        writer.write(asked.encode())
        return int((await reader.readline()).split()[1]), writer


def test_there_are_places_for_so_many_people(tmp_path: Path) -> None:
    feed = Feed(Snapshot(tmp_path))
    for n in range(PLACES):
        assert feed.reserve(f"op-{n}")

    assert not feed.reserve("somebody")


def test_a_thousand_guesses_of_one_password_are_five_and_lock_nobody_else_out(
    tmp_path: Path,
) -> None:
    records = DeskRecords()
    app = make_app(ConsolePlace(tmp_path, "UTC"), records)
    for name in ("op-1", "op-2"):
        app.state.accounts.accept(
            app.state.accounts.invite(name, AccountRole.SURVEILLANCE), PASSWORD
        )
    with TestClient(app, follow_redirects=False) as client:
        guesses = [{"name": "op-1", "password": f"guess {n:010}"} for n in range(THOUSAND)]
        answers = Counter(client.post("/sign-in", data=each).status_code for each in guesses)
        other = client.post("/sign-in", data={"name": "op-2", "password": PASSWORD})

    assert answers == {401: FREE, 429: THOUSAND - FREE}
    assert other.status_code == 303
    assert sum(refused != "" for _, _, _, refused in records) == THOUSAND


def test_guessing_at_many_accounts_from_one_place_ends_soon(tmp_path: Path) -> None:
    app = make_app(ConsolePlace(tmp_path, "UTC"), DeskRecords())
    with TestClient(app, follow_redirects=False) as client:
        answers = Counter(
            client.post(
                "/sign-in", data={"name": f"op-{n % 100}", "password": "x" * 15}
            ).status_code
            for n in range(300)
        )

    assert answers == {401: FREE_OF_PEER, 429: 300 - FREE_OF_PEER}

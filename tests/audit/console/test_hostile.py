"""Hostile text in every place that takes text: no script runs, no query breaks, no file is read."""

import inspect
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import duckdb
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from playwright.sync_api import BrowserContext, sync_playwright

from audit.console.app import EVERY
from replay.tables.duckdb_file import FILE
from tests.browser.axe import grave
from tests.support import hostile_house
from tests.support.console_desks import PEOPLE, DeskRecords, SeatedPerson, console_over
from tests.support.console_house import Served, served
from tests.support.hostile_house import HOSTILE, TABLE, WAGERS

pytestmark = pytest.mark.slow
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PAGES = {
    "operator": ("/floor", "/queue", "/queue?state=all&order=table", "/checks/BET-06"),
    "investigator": ("/cases", "/dealers", "/health", "/devices", f"/find?table={TABLE}"),
    "auditor": (
        "/access",
        "/topics?stream=dlq",
        f"/topics?stream=events&partition={TABLE}",
        "/sql",
    ),
}
RUNS = "main script:not([type]), main [onerror], main [onload], main [onmouseover]"
PLAIN = f"{TABLE}-20260301-{hostile_house.ROUNDS:04}"  # a round whose id is one
STAYS_OPEN = "/live"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_house.made(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def console(house: Path) -> Iterator[Served]:
    """The console over it, where people wrote hostile text too."""
    with served(house, recording=True) as found:
        for name, (role, _, rank) in PEOPLE.items():
            found.app.state.accounts.invite(name, role, person=HOSTILE[1], rank=rank)
        _written(found.app, house)
        yield found


def _written(app: FastAPI, house: Path) -> None:
    """Titles, notes, reasons, claims: all that a person may type."""
    auditor, operator = (SeatedPerson(app, name) for name in ("auditor", "operator"))
    people = app.state.accounts
    people.invite("plain", "investigator", person="X-9", rank="pit_manager")
    plain = SeatedPerson(app, "plain")
    for text in HOSTILE:
        query = {"title": text[:100], "about": text, "sql": f"select {_literal(text)} as answer"}
        assert auditor.post("/sql/saved", **query)[0] == 303
        where = f"/t/{TABLE}/r/{quote(HOSTILE[0], safe='')}/remarks"
        assert operator.post(where, kind="marker", at_us=1, note=text)[0] == 303
    claim = {"table": TABLE, "round": PLAIN, "player": "P1", "claim": HOSTILE[0]}
    status, place = plain.post("/cases", **claim)
    assert status == 303, place
    with duckdb.connect(str(house / FILE), read_only=True) as db:
        ((finding,),) = db.execute("select min(finding_id) from findings").fetchall()
    plain.post(f"/queue/{finding}/reviews", verb="ack")
    plain.post(f"/queue/{finding}/reviews", verb="explain", reason=HOSTILE[0])


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''").replace("\0", "") + "'"


@pytest.fixture(scope="module")
def browser_of(console: Served) -> Iterator[dict[str, BrowserContext]]:
    """A browser's window for each person, signed in."""
    program = shutil.which("chromium")
    assert program, "chromium expected; make test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        found = {}
        for name in PAGES:
            token = console.app.state.sessions.open(console.app.state.accounts.account(name))
            found[name] = browser.new_context(base_url=console.address)
            cookie = {"name": "roundproof", "value": token, "url": console.address}
            found[name].add_cookies([cookie])  # type: ignore[list-item]  # its own typed dict
        yield found
        browser.close()


def test_no_page_runs_what_people_and_devices_wrote(
    browser_of: dict[str, BrowserContext], console: Served
) -> None:
    rounds = [f"/t/{TABLE}/r/{quote(each, safe='')}" for each in HOSTILE]
    (case,) = (each for each in _cases(console) if each)
    shown = {
        **PAGES,
        "investigator": (*PAGES["investigator"], *rounds, f"/cases/{quote(case, safe='')}"),
        "auditor": (*PAGES["auditor"], *(f"/sql?{_asked(text)}" for text in HOSTILE[:5])),
    }
    wrong: list[str] = []
    own = urlsplit(console.address).netloc
    for name, addresses in shown.items():
        page = browser_of[name].new_page()
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("request", lambda asked: _own(asked.url, own, wrong))
        for address in addresses:
            answer = page.goto(address)
            assert answer is not None
            assert answer.status == 200, (address, page.inner_text("main")[:300])
            assert page.evaluate("typeof window.pwned") == "undefined", address
            assert (
                page.locator("main script:not([type]), main [onerror], main [onload]").count() == 0
            )
        page.close()

    assert wrong == []


def _own(url: str, own: str, wrong: list[str]) -> None:
    if urlsplit(url).netloc not in ("", own):
        wrong.append(url)


def _cases(console: Served) -> list[str]:
    from audit.cases import case_log

    return list(case_log.load(console.home).cases)


def _asked(text: str) -> str:
    return f"q={quote(f'select {_literal(text)} as answer', safe='')}"


def test_forty_wagers_of_twelve_digits_are_all_on_the_sheet(
    browser_of: dict[str, BrowserContext], console: Served
) -> None:
    page = browser_of["investigator"].new_page()
    page.goto(f"/t/{TABLE}/r/{quote(HOSTILE[1], safe='')}")
    page.wait_for_selector("body[data-ready]")
    with duckdb.connect(str(console.home / FILE), read_only=True) as db:
        ((wagers,),) = db.execute(
            "select count(*) from dues where round_id = ?", [HOSTILE[1]]
        ).fetchall()

    assert wagers > WAGERS
    assert page.locator(".sheet tbody tr").count() == wagers
    assert re.search(r"\d{3},\d{3},\d{3},\d{3}", page.locator(".sheet").inner_text())
    assert grave(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def _asks() -> Iterator[tuple[str, str]]:
    """Every question of every page: its address, and the name of a field that takes text."""
    for router in EVERY:
        for route in router.routes:
            if not isinstance(route, APIRoute) or "GET" not in (route.methods or ()):
                continue
            if route.path == STAYS_OPEN:
                continue
            for name, field in inspect.signature(route.endpoint).parameters.items():
                if field.annotation in (str, "str"):
                    yield route.path, name


def test_no_field_breaks_a_query_or_reads_a_file(house: Path, tmp_path: Path) -> None:
    app = console_over(house, tmp_path / "house", DeskRecords())
    person = SeatedPerson(app, "auditor")
    fields = list(_asks())
    before = _rows(tmp_path / "house")

    assert len(fields) > 40
    for path, name in fields:
        for text in HOSTILE[7:12]:
            place = path.replace("{" + name + "}", quote(text, safe=""))
            place = place.replace("{form}", "csv").replace("{table_id}", TABLE)
            asked = {} if "{" + name + "}" in path else {name: text}
            answer = person.client.get(place, params=asked)
            assert answer.status_code < 500, (place, asked, answer.text[-300:])
            assert "root:" not in answer.text, (place, asked)
    assert _rows(tmp_path / "house") == before


def _rows(home: Path) -> list[tuple[int]]:
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        return db.execute(
            "select count(*) from rounds union all select count(*) from findings"
        ).fetchall()

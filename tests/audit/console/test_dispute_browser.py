"""A dispute in a real browser, by keys alone: from the round to a pack that verifies.

Everybody works at one server over a copy of the day that the other tests of the console share.
"""

import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from audit.cases import case_log
from audit.console.app import PLACES
from audit.console.roles import GRANTED, AccountRole
from replay.tables.duckdb_file import FILE
from tests.support import sealed_houses
from tests.support.console_desks import PEOPLE
from tests.support.console_house import Served, served

pytestmark = pytest.mark.slow
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SCREEN: ViewportSize = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program, "chromium expected; make test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def desks(console_house: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The console over a copy of the day, with an account of every rank."""
    home = tmp_path_factory.mktemp("desks") / "house"
    shutil.copytree(console_house, home)
    sealed_houses.key_made(home)
    with served(home) as found:
        for name, (role, person, rank) in PEOPLE.items():
            found.app.state.accounts.invite(name, role, person=person, rank=rank)
        yield found


class Typist:
    """Somebody at a desk who has a keyboard and no mouse."""

    def __init__(self, browser: Browser, desks: Served, name: str) -> None:
        token = desks.app.state.sessions.open(desks.app.state.accounts.account(name))
        context = browser.new_context(
            viewport=SCREEN, base_url=desks.address, accept_downloads=True
        )
        context.add_cookies([{"name": "roundproof", "value": token, "url": desks.address}])
        self.page: Page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "console",
            lambda said: self.wrong.append(said.text) if said.type == "error" else None,
        )

    def tab_to(self, selector: str) -> None:
        """Press Tab until the focus is there."""
        for _ in range(150):
            if self.page.evaluate("(s) => document.activeElement?.matches(s) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector}: not reached with Tab on {self.page.url}")

    def types(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.tab_to(selector)
        self.page.keyboard.type(text)

    def presses(self, key: str, leads_to: str) -> None:
        """Press a key that opens another page."""
        with self.page.expect_navigation(url=leads_to):
            self.page.keyboard.press(key)

    def submits(self, form: str, **fields: str) -> None:
        """Fill in a form and send it; the page comes back."""
        for name, text in fields.items():
            self.types(f"{form} [name={name}]", text)
        self.tab_to(f"{form} button")
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        assert self.page.locator("#refused").count() == 0, self.page.locator(
            "#refused"
        ).inner_text()


Seat = Callable[[str], Typist]


@pytest.fixture
def seat(browser: Browser, desks: Served) -> Iterator[Seat]:
    """Somebody sits down at a browser of their own, which closes with the test."""
    seated: list[Typist] = []

    def sit(name: str) -> Typist:
        seated.append(Typist(browser, desks, name))
        return seated[-1]

    yield sit
    for person in seated:
        person.page.context.close()


def _wrongly_paid(home: Path) -> tuple[str, str, str]:
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        found = db.execute(
            "select table_id, round_id, subject from findings where check_id = 'PAY-01'"
            " order by all limit 1"
        ).fetchone()
    assert found is not None
    return found[0], found[1], found[2]


def test_from_the_round_to_a_verified_pack_by_keys_alone(
    seat: Seat, desks: Served, tmp_path: Path
) -> None:
    _, round_id, wager = _wrongly_paid(desks.home)
    inspector, pit, shift, investigator, auditor = (
        seat(name) for name in ("inspector", "pit", "shift", "investigator", "auditor")
    )

    # Find the round, play it, see the mismatch.
    inspector.page.goto("/floor")
    inspector.page.keyboard.press("g")
    inspector.page.keyboard.type(round_id)
    inspector.presses("Enter", f"**/r/{round_id}")
    inspector.page.wait_for_selector("body[data-ready]")
    inspector.page.keyboard.press("Home")
    assert inspector.page.locator(".steps li.future").count() > 0
    inspector.page.keyboard.press("End")
    assert inspector.page.locator(".sheet tr.hit").count() == 1

    # Open a case, answer, escalate.
    inspector.presses("e", "**/cases/new*")
    inspector.page.keyboard.type("it was not paid as the card of odds says")
    inspector.tab_to(f"[name=wager][value='{wager}']")
    inspector.page.keyboard.press("Space")
    inspector.tab_to("#raise button")
    inspector.presses("Enter", "**/cases/*-D1")
    where = inspector.page.url
    inspector.submits("#form-say", answer="it was paid as posted")
    inspector.submits("#form-escalate", to="X-M1")

    # Inform, promise, take both accounts, recompute, decide.
    pit.page.goto(where)
    assert "no notice found" in pit.page.locator("#missing").inner_text()
    pit.submits("#form-inform", to="X-V1")
    pit.submits("#form-promise", within="2h")
    for party, who, text in (("p", "P1", "eight to one"), ("h", "D1", "five to one")):
        pit.page.keyboard.press("s")
        pit.tab_to("#form-statement [name=party]")
        pit.page.keyboard.press(party)
        pit.submits("#form-statement", by=who, text=text)
    pit.tab_to("[action$='/steps/recompute'] button")
    with pit.page.expect_navigation():
        pit.page.keyboard.press("Enter")
    pit.submits("#form-decide", facts="paid otherwise than posted", reasons="the odds are posted")
    assert "X-M1 decided it" in pit.page.locator("#form-confirm").inner_text()

    # A second person confirms.
    shift.page.goto(where)
    shift.submits("#form-confirm")
    (case,) = case_log.load(desks.home).cases.values()
    assert case.stage == "confirmed"
    assert case.confirmation is not None
    assert case.confirmation.person_id == "X-M2"

    # Build the pack and verify it; another person lets it out.
    investigator.page.goto(where)
    investigator.presses("b", "**/pack")
    investigator.presses("b", "**/pack")
    assert "VERIFIED" in investigator.page.locator(".said").inner_text()
    investigator.page.keyboard.press("x")
    investigator.page.keyboard.type("regulator, request 17")
    investigator.presses("Enter", "**/pack")
    auditor.page.goto(f"{where}/pack")
    auditor.presses("a", "**/pack")
    auditor.tab_to("a[href$='.zip']")
    with auditor.page.expect_download() as download:
        auditor.page.keyboard.press("Enter")
    download.value.save_as(tmp_path / "pack.zip")

    assert "manifest.json" in zipfile.ZipFile(tmp_path / "pack.zip").namelist()
    for person in (inspector, pit, shift, investigator, auditor):
        assert person.wrong == []


def test_a_finding_is_cleared_with_keys_and_leaves_every_open_list(
    seat: Seat,
) -> None:
    operator, other = seat("operator"), seat("investigator")
    for person in (operator, other):
        person.page.goto("/queue")
        person.page.wait_for_function("document.querySelectorAll('[data-row]').length > 1")
    cleared = operator.page.locator("tr.selected").get_attribute("data-id")
    operator.page.keyboard.press("a")
    operator.page.wait_for_selector("#life:has-text('acknowledged')")
    operator.page.keyboard.press("x")
    operator.types("#detail [name=reason]", "a fallen stack was squared up")
    operator.page.keyboard.press("Enter")

    for person in (operator, other):
        person.page.wait_for_selector(f"tr[data-id='{cleared}']", state="detached")
        assert person.page.locator("tr.selected").count() == 1
        assert person.wrong == []


@pytest.mark.parametrize("role", AccountRole)
def test_each_role_sees_its_places_and_is_told_of_the_others(
    seat: Seat, desks: Served, role: AccountRole
) -> None:
    desks.app.state.accounts.invite(f"only-{role}", role)
    page = seat(f"only-{role}").page
    page.goto("/account")
    shown = {link.get_attribute("href") for link in page.locator(".rail a").all()}

    assert shown == {href for _, href, _, action in PLACES if action in GRANTED[role]}
    for _, href, _, action in PLACES:
        answer = page.goto(href)
        assert answer is not None
        refused = action not in GRANTED[role]
        assert (answer.status == 403) == refused, href
        assert ("The attempt was recorded" in page.content()) == refused, href

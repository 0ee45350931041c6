"""The console in a real browser: signing in, the queue by keys, every game's player."""

import shutil
from collections.abc import Iterator

import duckdb
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from replay.tables.duckdb_file import FILE
from tests.browser.axe import grave
from tests.support.console_house import PASSWORD, Served

pytestmark = pytest.mark.slow
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program, "chromium expected; make test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, console: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=console.address)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto("/sign-in")
    page.fill("[name=name]", "op-1")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/floor")
    yield page
    context.close()
    assert wrong == []


def test_the_floor_shows_every_table_with_its_felt(page: Page, console: Served) -> None:
    with duckdb.connect(str(console.home / FILE), read_only=True) as db:
        tables = {
            name for (name,) in db.execute("select distinct table_id from table_days").fetchall()
        }

    page.wait_for_load_state("networkidle")
    shown = set(page.locator(".tile-head b").all_inner_texts())
    loaded = page.evaluate(
        "[...document.querySelectorAll('.tile-felt img')].filter((i) => i.naturalWidth).length"
    )

    assert shown == tables
    assert loaded == len(tables)


def test_the_queue_is_walked_and_opened_with_keys(page: Page) -> None:
    page.goto("/queue")
    first = page.locator("tr.selected").get_attribute("data-id")

    page.keyboard.press("j")
    second = page.locator("tr.selected").get_attribute("data-id")
    page.wait_for_selector(f"#detail:has-text('{second}')")
    page.keyboard.press("k")
    back = page.locator("tr.selected").get_attribute("data-id")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*/r/*")

    assert first != second
    assert back == first


def _rounds(console: Served) -> dict[str, tuple[str, str]]:
    with duckdb.connect(str(console.home / FILE), read_only=True) as db:
        rows = db.execute(
            "select game, table_id, max(round_id) from rounds"
            " where status = 'settled' and game <> '' group by game, table_id order by all"
        ).fetchall()
    return {game: (table, name) for game, table, name in rows}


def test_the_player_of_every_game_shows_the_whole_round(page: Page, console: Served) -> None:
    rounds = _rounds(console)

    assert len(rounds) == 15
    for game, (table, name) in rounds.items():
        page.goto(f"/t/{table}/r/{name}")
        page.wait_for_selector("body[data-ready]")
        page.keyboard.press("End")
        with duckdb.connect(str(console.home / FILE), read_only=True) as db:
            asked = [table, name]
            wagers = db.execute(
                "select count(*) from dues where table_id = $1 and round_id = $2", asked
            ).fetchone()
            cards = db.execute(
                "select count(*) from cards where table_id = $1 and round_id = $2", asked
            ).fetchone()
            events = db.execute(
                "select count(*) from events where table_id = $1 and round_id = $2", asked
            ).fetchone()
        assert wagers is not None
        assert cards is not None
        assert events is not None
        assert page.locator(".sheet tbody tr").count() == max(1, wagers[0]), game
        assert _witnessed(page, cards[0]) == cards[0], game
        assert page.locator(".tl-mark").count() == events[0], game
        assert page.locator("[data-count]").inner_text() == f"{events[0]}/{events[0]}", game
        assert page.locator(".felt svg").count() == 1, game
        assert page.locator(".steps li.future").count() == 0, game


def _witnessed(page: Page, cards: int) -> int:
    """How many cards the table of witnesses shows, in rows of one card or of one hand."""
    rows = page.locator(".witnesses tbody tr td:nth-child(2)")
    return min(cards, rows.locator(".card-text").count())


def test_every_wager_card_and_result_is_in_the_picture(page: Page, console: Served) -> None:
    for game, (table, name) in _rounds(console).items():
        page.goto(f"/t/{table}/r/{name}")
        page.wait_for_selector("body[data-ready]")
        page.keyboard.press("End")
        with duckdb.connect(str(console.home / FILE), read_only=True) as db:
            rows = {part: db.execute(sql, [table, name]).fetchall() for part, sql in LYING.items()}

        stakes, lying = dict(rows["wagers"]), set()
        for pile in _drawn(page, "amount"):
            known = dict(rows["reserves"]) if "reserve" in pile else stakes
            wagers = pile["wagers"].split()
            lying |= set(wagers)
            assert int(pile["amount"]) == sum(known[wager] for wager in wagers), (game, pile)
        assert lying == stakes.keys(), game
        cards = sorted((each["card"], each["face"]) for each in _drawn(page, "card"))
        assert cards == rows["cards"], game
        pockets = {each["pocket"] for each in _drawn(page, "pocket")}
        assert pockets == {pocket for (pocket,) in rows["spins"]}, game
        # The tray is drawn first; the dice behind it are printed on the cloth.
        thrown = [each.get("die") or each["token"] for each in _drawn(page, "die", "token")]
        for (faces,) in rows["shakes"]:
            expected = sorted(faces.split("-"))
            assert sorted(thrown[: len(expected)]) == expected, game


LYING = {
    "wagers": "select wager_id, stake from dues where table_id = $1 and round_id = $2",
    "reserves": "select wager_id, reserve_taken + reserve_returned from dues"
    " where table_id = $1 and round_id = $2",
    "cards": "select hand || '.' || slot, card from cards"
    " where table_id = $1 and round_id = $2 order by all",
    "spins": "select pocket::varchar from spins"
    " where table_id = $1 and round_id = $2 and pocket is not null",
    "shakes": "select max_by(faces, n) from shakes where table_id = $1 and round_id = $2"
    " having count(*) > 0",
}


def _drawn(page: Page, *names: str) -> list[dict[str, str]]:
    """What the elements of the felt say they draw."""
    chosen = ", ".join(f"[data-felt] [data-{name}]" for name in names)
    found: list[dict[str, str]] = page.locator(chosen).evaluate_all(
        "(all) => all.map((each) => ({...each.dataset}))"
    )
    return found


def test_stepping_back_hides_what_had_not_happened(page: Page, console: Served) -> None:
    table, name = _rounds(console)["TB"]
    page.goto(f"/t/{table}/r/{name}")
    page.wait_for_selector("body[data-ready]")

    page.keyboard.press("End")
    whole = page.locator("[data-felt]").inner_html()
    page.keyboard.press("Home")
    begun = page.locator("[data-felt]").inner_html()
    page.keyboard.press(".")
    count = page.locator("[data-count]").inner_text()

    assert whole != begun
    assert count.startswith("2/")
    assert page.locator(".steps li.future").count() > 0


def test_a_link_leads_to_its_moment(page: Page, console: Served) -> None:
    table, name = _rounds(console)["RO"]
    page.goto(f"/t/{table}/r/{name}")
    page.wait_for_selector("body[data-ready]")
    page.keyboard.press("Home")
    for _ in range(5):
        page.keyboard.press(".")
    page.keyboard.press("c")
    page.wait_for_function("location.search.includes('at=')")
    clock = page.locator("[data-clock]").inner_text()

    page.goto(page.url)
    page.wait_for_selector("body[data-ready]")

    assert page.locator("[data-clock]").inner_text()[:8] == clock[:8]


def test_no_page_has_a_serious_violation_of_access(page: Page, console: Served) -> None:
    with duckdb.connect(str(console.home / FILE), read_only=True) as db:
        unknown = db.execute(
            "select table_id, round_id from rounds where status = 'unknown' limit 1"
        ).fetchone()
    rounds = [*_rounds(console).values(), unknown]
    players = [f"/t/{found[0]}/r/{found[1]}" for found in rounds if found]

    for address in (*PLAIN, *players):
        page.goto(address)
        assert grave(page) == [], address


PLAIN = (
    *("/floor", "/queue", "/queue?table=T99", "/find?table=T01", "/cases", "/checks/PAY-01"),
    *("/devices", "/dealers", "/rules", "/rules/TB", "/health", "/account"),
)


def test_the_keys_are_listed(page: Page) -> None:
    page.goto("/queue")
    page.keyboard.press("?")

    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()


def test_the_page_speaks_vietnamese_when_asked(page: Page) -> None:
    page.goto("/queue")
    page.click("button[value=vi]")
    page.wait_for_load_state()

    assert page.locator("h1").inner_text() == "Phát hiện"
    page.click("button[value=en]")
    page.wait_for_load_state()
    assert page.locator("h1").inner_text() == "Findings"

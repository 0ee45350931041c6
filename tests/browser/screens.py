"""`python -m tests.browser.screens`: a picture of every screen of the console, for docs/console.

The demo's day is simulated, derived, checked and disputed (shown_house.py), the console is served
over it, and Chromium takes the pictures: in English on the dark theme, in Vietnamese on the light
one. `--all` takes every combination, `--only` a few screens.
"""

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import cv2
import duckdb
import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from audit.cases import case_log
from audit.console import stills
from replay.tables.duckdb_file import FILE
from tests.browser import shown_house
from tests.browser.tools import ensure
from tests.support.console_house import Served, served
from vision.clips.record import RECORD

DOCS = Path(__file__).parents[2] / "docs" / "console"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
COMBINATIONS = tuple(product(("en", "vi"), ("dark", "light")))
KEPT = (("en", "dark"), ("vi", "light"))
QUALITY = 62
REFUSED = ("not-allowed", "not-found")
LINES = """select
    time_bucket(interval 10 minutes, opened_at) as ten_minutes,
    count(*) as rounds,
    count(distinct table_id) as tables
from rounds
where gaming_day = '2026-03-01' and opened_at is not null
group by 1
order by 1"""
PICTURES_LOADED = """() => Promise.all([...document.images].map((each) => {
    each.loading = "eager";
    return each.decode().catch(() => null);
}))"""


class Screen(NamedTuple):
    """One screen: who looks, at which address, and what they do there first."""

    name: str
    who: str
    address: str  # may name a round: {TB} stands for /t/…/r/… of a round of that game
    keys: tuple[str, ...] = ()
    width: int = 1440
    height: int = 900
    leads_on: bool = False  # the keys open another page


SCREENS = (
    Screen("sign-in", "", "/sign-in"),
    Screen("cases", "pm-1", "/cases?state=all"),
    Screen("case", "pm-1", "/cases/{open}"),
    Screen("case-decided", "pm-1", "/cases/{decided}"),
    Screen("raise-dispute", "pm-1", "/cases/new?table={table}&round={round}"),
    Screen("pack", "pm-1", "/cases/{decided}/pack", ("b",), leads_on=True),
    Screen("floor", "op-1", "/floor"),
    Screen("floor-wall", "op-1", "/floor", ("f",), 2560, 1440),
    Screen("queue", "op-1", "/queue"),
    Screen("queue-empty", "op-1", "/queue?table=T99"),
    Screen("find", "op-1", "/find?table=T01"),
    Screen("player-finding", "op-1", "{finding}"),
    Screen("player-camera", "op-1", "{filmed}"),
    Screen("player-unknown", "op-1", "{unknown}"),
    Screen("player-what-if", "op-1", "{TB}?set={change}"),
    Screen("player-keys", "op-1", "{RO}", ("?",)),
    Screen("player-narrow", "sup-1", "{TB}", ("End",), 768, 1600),
    Screen("player-wall", "op-1", "{NN}", ("End",), 2560, 1440),
    *(
        Screen(f"player-{game.lower()}", "op-1", f"{{{game}}}", ("End",))
        for game in (
            *("NN", "TB", "TH", "RO", "SA-AB", "SA-BC", "SA-BJ", "SA-DT"),
            *("SA-FPC", "SA-HL", "SA-PD", "SA-RO", "SA-SB", "SA-TP", "SA-XD"),
        )
    ),
    Screen("sql", "aud-1", "/sql?saved=findings_by_dealer"),
    Screen("sql-lines", "aud-1", "/sql?q={lines}"),
    Screen("sql-refused", "aud-1", "/sql?q=drop+table+rounds"),
    Screen("checks", "op-1", "/checks/PAY-01"),
    Screen("wheel", "op-1", "/devices/R01"),
    Screen("dice", "op-1", "/devices/{dice}"),
    Screen("shoe", "op-1", "/devices/{shoe}"),
    Screen("dealers", "op-1", "/dealers"),
    Screen("rules", "op-1", "/rules"),
    Screen("rulebook", "op-1", "/rules/TB"),
    Screen("health", "op-1", "/health"),
    Screen("access", "aud-1", "/access"),
    Screen("log", "aud-1", "/topics?stream=events&partition=T01"),
    Screen("letters", "admin-1", "/topics?stream=dlq"),
    Screen("accounts", "admin-1", "/accounts"),
    Screen("account", "op-1", "/account"),
    Screen("not-allowed", "op-1", "/sql"),
    Screen("not-found", "op-1", "/t/T01/r/nowhere"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the pictures."""
    asked = _asked(arguments)
    ensure()
    program = shutil.which("chromium")
    assert program
    asked.out.mkdir(parents=True, exist_ok=True)
    with (
        _house(asked.home) as console,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for name, picture in _pictures(browser, console, asked):
            (asked.out / f"{name}.webp").write_bytes(picture)
        browser.close()


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DOCS)
    parser.add_argument("--home", type=Path, help="a house that is there; else one is made")
    parser.add_argument("--all", action="store_true", help="every combination of every screen")
    parser.add_argument("--only", default="", help="names of screens, with commas")
    parser.add_argument("--as", dest="combination", help="one combination: en-dark")
    return parser.parse_args(arguments)


@contextmanager
def _house(home: Path | None) -> Iterator[Served]:
    """A console over a house: one that is named, or one that is made and goes away."""
    with tempfile.TemporaryDirectory() as folder:
        place = home or shown_house.made(Path(folder))
        with served(place, recording=True) as console:
            yield console


def _pictures(
    browser: Browser, console: Served, asked: argparse.Namespace
) -> Iterator[tuple[str, bytes]]:
    wanted = asked.only.split(",") if asked.only else [screen.name for screen in SCREENS]
    addresses = _addresses(console.home)
    for language, theme in COMBINATIONS:
        if asked.combination and asked.combination != f"{language}-{theme}":
            continue
        contexts = _contexts(browser, console, language, theme)
        for screen in SCREENS:
            kept = asked.all or asked.combination
            if screen.name in wanted and (kept or (language, theme) in KEPT):
                page = contexts(screen.who).new_page()
                yield f"{screen.name}-{language}-{theme}", _taken(page, screen, addresses)
                page.close()


def _contexts(
    browser: Browser, console: Served, language: str, theme: str
) -> Callable[[str], BrowserContext]:
    """A browser's window for each person, signed in, in a language and a theme."""

    @cache
    def context(who: str) -> BrowserContext:
        made = browser.new_context(base_url=console.address, locale=language)
        cookies = {"theme": theme, "lang": language}
        if who:
            people = console.app.state.accounts
            people.set_language(who, language)
            cookies["roundproof"] = console.app.state.sessions.open(people.account(who))
        host = console.address
        made.add_cookies([{"name": k, "value": v, "url": host} for k, v in cookies.items()])
        return made

    return context


def _taken(page: Page, screen: Screen, addresses: Mapping[str, str]) -> bytes:
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    answer = page.goto(screen.address.format_map(addresses))
    assert answer is not None
    refused = screen.name in REFUSED
    assert answer.ok != refused, (screen.name, answer.status)
    if screen.name.startswith("player"):
        page.wait_for_selector("body[data-ready]")
    for key in screen.keys:
        with page.expect_navigation() if screen.leads_on else nullcontext():
            page.keyboard.press(key)
    page.evaluate(PICTURES_LOADED)
    pixels = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    done, packed = cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    assert done
    return packed.tobytes()


def _addresses(home: Path) -> Mapping[str, str]:
    """A round of every game, one with a finding, one that is unknown, and a change of a card."""
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        games = db.execute(
            "select game, min_by((table_id, round_id), (stakes < 3, table_id, round_id)) from ("
            " select game, table_id, round_id, (select count(*) from dues where"
            " dues.table_id = rounds.table_id and dues.round_id = rounds.round_id) as stakes"
            " from rounds where status = 'settled' and game <> '') group by game"
        ).fetchall()
        finding = db.execute(
            "select table_id, round_id from findings where round_id is not null"
            " order by severity, player_minor + house_minor desc, finding_id limit 1"
        ).fetchone()
        unknown = db.execute(
            "select table_id, round_id from rounds order by status <> 'unknown', round_id limit 1"
        ).fetchone()
    found = {game: _player(*place) for game, place in games}
    assert finding
    assert unknown
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        (dice,), (shoe,) = (
            db.execute(f"select min(table_id) from {name}").fetchall()[0]
            for name in ("shakes", "cards")
        )
    closed, opened = _cases(home)
    return found | {
        "dice": dice,
        "shoe": shoe,
        "decided": closed,
        "open": opened,
        "lines": quote(LINES),
        "table": finding[0],
        "round": finding[1],
        "finding": _player(*finding),
        "unknown": _player(*unknown),
        "filmed": _filmed(home),
        "change": "card:player.1=9S",
    }


def _cases(home: Path) -> tuple[str, str]:
    """A dispute that was decided, and one that is open."""
    known = sorted(case_log.load(home).cases.values(), key=lambda case: -len(case.steps))
    return known[0].case_id, known[-1].case_id


def _filmed(home: Path) -> str:
    """The round whose clip the demo keeps."""
    clip = next((home / stills.FOLDER).glob(f"*/*/{RECORD}"))
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        place = db.execute(
            "select table_id, round_id from rounds where round_id = ?", [clip.parent.name]
        ).fetchone()
    assert place
    return _player(*place)


def _player(table_id: str, round_id: str) -> str:
    return f"/t/{quote(table_id)}/r/{quote(round_id)}"


if __name__ == "__main__":
    main()

"""The queue while `watch` runs: findings enter an open browser as they are published."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from audit.console.published import LiveFindings
from audit.watch.published import RAISED
from ingest.kafka.client import Kafka
from schemas.events import Finding
from tests.support import watched_topic
from tests.support.console_house import PASSWORD, Served, served
from tests.support.live_days import day

pytestmark = pytest.mark.slow
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def told(name: str, state: str) -> Finding:
    return Finding(
        finding_id=name, version=1, state=state, check_id="PAY-01", severity="S1", title="paid",
        table_id="T1", day_seq=0, subject="W1", certain=True, expected="1", found="2",
        clauses=("TB:5.1.1",), evidence=("T1/c/1",), house_minor=1, player_minor=0, appended_at=1,
    )  # fmt: skip


def test_the_last_word_on_a_finding_counts_and_news_are_told() -> None:
    said: list[int] = []
    live = LiveFindings(Kafka("127.0.0.1:1"), lambda: said.append(1))
    live.learn([told("PAY-01-a", "raised"), told("PAY-01-b", "raised")])
    live.learn([told("PAY-01-a", "withdrawn")])
    live.learn([])

    assert [finding.finding_id for finding in live.standing()] == ["PAY-01-b"]
    assert len(said) == 2


@pytest.fixture
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program, "chromium expected; make test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def watching(console_house: Path, tmp_path: Path, kafka: Kafka) -> Iterator[Served]:
    shutil.copytree(console_house, tmp_path / "house")
    with served(tmp_path / "house", kafka) as found:
        yield found


def test_findings_enter_an_open_queue_while_watch_runs(
    browser: Browser, watching: Served, kafka: Kafka
) -> None:
    context = browser.new_context(base_url=watching.address)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto("/sign-in")
    page.fill("[name=name]", "op-1")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/floor")
    page.goto("/queue")
    chosen = page.locator("tr.selected").get_attribute("data-id")

    watched_topic.send(kafka, [day("RO", rounds=24, faults=4)])
    with watched_topic.watcher(kafka) as watcher:
        page.wait_for_selector("tr.fresh", timeout=120_000)
        watcher.communicate(timeout=300)

    last = {finding.finding_id: finding for finding in watched_topic.findings(kafka)}
    standing = {name for name, finding in last.items() if finding.state == RAISED}
    table = next(iter(last.values())).table_id
    assert standing
    assert page.locator("tr.selected").get_attribute("data-id") == chosen
    page.goto(f"/queue?table={table}&order=table")
    page.wait_for_function(
        "(n) => document.querySelector('.page-head .quiet').innerText.startsWith(n + ' ')",
        arg=str(len(standing)),
    )
    shown = {row.get_attribute("data-id") for row in page.locator("tr[data-row]").all()}
    assert shown <= standing
    page.keyboard.press("j")
    context.close()
    assert wrong == []

"""The queue's own acts: taking note of a finding, judging it, closing it, opening it again."""

import html
import json
import re
from pathlib import Path

import duckdb
import pytest
from fastapi import FastAPI

from audit.checks import catalogue, reviews, titles
from audit.console.questions import queue
from replay.tables.duckdb_file import FILE
from tests.support.console_desks import DeskRecords, SeatedPerson, console_over


@pytest.fixture
def records() -> DeskRecords:
    return DeskRecords()


@pytest.fixture
def app(console_house: Path, tmp_path: Path, records: DeskRecords) -> FastAPI:
    return console_over(console_house, tmp_path / "house", records)


@pytest.fixture
def finding(app: FastAPI) -> str:
    with duckdb.connect(str(app.state.place.home / FILE), read_only=True) as db:
        found = db.execute(
            "select finding_id from findings where check_id = 'PAY-01' order by all limit 1"
        ).fetchone()
    assert found is not None
    return str(found[0])


def test_a_finding_goes_from_new_to_closed_and_back(
    app: FastAPI, finding: str, records: DeskRecords, tmp_path: Path
) -> None:
    person = SeatedPerson(app, "operator")
    where = f"/queue/{finding}/reviews"
    noted = person.post(where, verb="ack")
    given = person.post(where, verb="assign", to="X-V2")
    cleared = person.post(where, verb="explain", reason="squared up")
    hidden = person.get("/queue")
    found = person.get("/queue?state=cleared")
    closed = person.post(where, verb="close", reason="done")
    opened = person.post(where, verb="reopen", reason="another camera")

    assert [status for status, _ in (noted, given, cleared, closed, opened)] == [200] * 5
    assert "owner X-V1" in noted[1]
    assert "owner X-V2" in given[1]
    assert f'data-id="{finding}"' not in hidden
    assert f'data-id="{finding}"' in found
    assert f'data-id="{finding}"' in person.get("/queue")
    assert ("operator", "findings explain", finding, "") in records
    verbs = [made.verb for made in reviews.load(tmp_path / "house").made]
    assert verbs == ["ack", "assign", "explain", "close", "reopen"]


def test_whoever_dealt_or_supervised_the_round_clears_nothing(
    app: FastAPI, finding: str, records: DeskRecords, tmp_path: Path
) -> None:
    with duckdb.connect(str(tmp_path / "house" / FILE), read_only=True) as db:
        found = db.execute(
            "select round.dealer_id from findings join rounds as round using (table_id, round_id)"
            " where finding_id = ?",
            [finding],
        ).fetchone()
    assert found is not None
    people = app.state.accounts
    people.invite("own", "surveillance", person=found[0], rank="surveillance_operator")
    own = SeatedPerson(app, "own")
    status, page = own.post(f"/queue/{finding}/reviews", verb="false", reason="no")

    assert status == 403
    assert "was on duty in this round (R20)" in page
    assert records[-1][3].startswith(f"finding {finding}: false is refused")
    assert own.post(f"/queue/{finding}/reviews", verb="ack")[0] == 200


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"verb": "close", "reason": "x"}, 403),
        ({"verb": "explain", "reason": " "}, 403),
        ({"verb": "assign", "to": "no/id"}, 403),
        ({"verb": "burn"}, 400),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    app: FastAPI, finding: str, tmp_path: Path, form: dict[str, str], status: int
) -> None:
    said = SeatedPerson(app, "operator").post(f"/queue/{finding}/reviews", **form)

    assert said[0] == status
    assert reviews.load(tmp_path / "house").made == ()


def test_a_role_that_may_only_look_has_no_buttons_and_is_refused(
    app: FastAPI, finding: str
) -> None:
    person = SeatedPerson(app, "auditor")
    page = person.get(f"/queue/{finding}")

    assert "Acknowledge" not in page
    assert person.post(f"/queue/{finding}/reviews", verb="ack")[0] == 403


def test_the_panel_says_how_often_the_check_was_right(app: FastAPI, finding: str) -> None:
    person = SeatedPerson(app, "operator")
    person.post(f"/queue/{finding}/reviews", verb="confirm", reason="seen")

    assert "This check was right in 1 of 1 findings" in person.get(f"/queue/{finding}")


def test_the_rail_counts_what_is_open_to_whom_it_concerns(app: FastAPI, finding: str) -> None:
    app.state.accounts.invite("admin", "admin")
    person, administrator = SeatedPerson(app, "operator"), SeatedPerson(app, "admin")
    before = _badge(person.get("/rules"))
    listed = json.loads(person.get("/api/findings"))["total"]
    person.post(f"/queue/{finding}/reviews", verb="explain", reason="squared up")

    assert before == listed
    assert _badge(person.get("/rules")) == before - 1
    assert _badge(administrator.get("/rules")) == 0


def _badge(page: str) -> int:
    found = re.search(r'class="badge"[^>]*>(\d+)<', page)
    return int(found[1]) if found else 0


def test_a_finding_is_noted_from_its_round(app: FastAPI, finding: str) -> None:
    with duckdb.connect(str(app.state.place.home / FILE), read_only=True) as db:
        found = db.execute(
            "from findings select table_id, round_id where finding_id = ?", [finding]
        )
        table, name = found.fetchall()[0]
    where, act = f"/t/{table}/r/{name}", f'action="/queue/{finding}/reviews"'
    person, onlooker = SeatedPerson(app, "operator"), SeatedPerson(app, "auditor")
    before = person.get(where)
    person.post(f"/queue/{finding}/reviews", verb="ack")
    after = person.get(where)

    assert act in before
    assert act not in onlooker.get(where)
    assert act not in after
    assert ">acknowledged</span>" in after


def test_the_floor_counts_no_finding_that_somebody_cleared(app: FastAPI, finding: str) -> None:
    person = SeatedPerson(app, "operator")

    def grave() -> int:
        return sum(table["s1"] for table in json.loads(person.get("/api/floor"))["tables"])

    before = grave()
    person.post(f"/queue/{finding}/reviews", verb="explain", reason="squared up")

    assert grave() == before - 1


def test_a_long_queue_is_read_page_by_page(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    person = SeatedPerson(app, "operator")
    whole = [row["finding_id"] for row in json.loads(person.get("/api/findings"))["findings"]]
    monkeypatch.setattr(queue, "PAGE", 2)
    first, second = person.get("/queue?order=money"), person.get("/queue?skip=2")

    assert re.findall(r'data-id="([^"]+)"', first) == whole[:2]
    assert re.findall(r'data-id="([^"]+)"', second) == whole[2:4]
    assert "skip=2" in first
    assert "Earlier rows" in second


@pytest.mark.parametrize("check_id", ["RNG-02", "SHOE-02"])  # a per cent sign; the unseen
def test_a_check_tells_of_itself_in_the_language_of_its_reader(app: FastAPI, check_id: str) -> None:
    check = catalogue.checks()[check_id]
    said = [text for text in (check.why, check.benign, check.budget, check.unseen) if text]
    person = SeatedPerson(app, "operator")
    in_english = html.unescape(person.get(f"/checks/{check_id}"))
    person.post("/account/language", language="vi")
    in_vietnamese = html.unescape(person.get(f"/checks/{check_id}"))

    for text in said:
        assert text in in_english
        assert text not in in_vietnamese
        assert titles.about("vi")[text] in in_vietnamese


def test_a_finding_tells_what_is_harmless_in_the_language_of_its_reader(
    app: FastAPI, finding: str
) -> None:
    benign = catalogue.checks()["PAY-01"].benign
    person = SeatedPerson(app, "operator")
    person.post("/account/language", language="vi")
    shown = html.unescape(person.get(f"/queue/{finding}"))

    assert benign not in shown
    assert titles.about("vi")[benign] in shown

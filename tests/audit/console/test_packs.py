"""The pack builder: contents by clause, building, verifying, and handing out by two people."""

from pathlib import Path

import duckdb
import pytest
from fastapi import FastAPI

from replay.tables.duckdb_file import FILE
from tests.support import sealed_houses
from tests.support.console_desks import DeskRecords, SeatedPerson, console_over


@pytest.fixture
def records() -> DeskRecords:
    return DeskRecords()


@pytest.fixture
def app(console_house: Path, tmp_path: Path, records: DeskRecords) -> FastAPI:
    app = console_over(console_house, tmp_path / "house", records)
    sealed_houses.key_made(tmp_path / "house")
    return app


@pytest.fixture
def case(app: FastAPI, tmp_path: Path) -> str:
    with duckdb.connect(str(tmp_path / "house" / FILE), read_only=True) as db:
        found = db.execute(
            "select table_id, round_id from findings where check_id = 'PAY-01' order by all limit 1"
        ).fetchone()
    assert found is not None
    person = SeatedPerson(app, "inspector")
    _, where = person.post("/cases", table=found[0], round=found[1], claim="paid short")
    return where


def _draft(app: FastAPI, case: str, party: str = "") -> str:
    """The address of the newest draft, which is built for it."""
    status, where = SeatedPerson(app, "investigator").post(f"{case}/pack", party=party)
    assert status == 303, where[-2000:]
    drafts = app.state.drafts.of_case(case.rpartition("/")[2])
    return f"{case}/pack/{drafts[0].pack_id}"


def test_what_clause_8_4_names_and_the_case_lacks_is_named(app: FastAPI, case: str) -> None:
    page = SeatedPerson(app, "auditor").get(f"{case}/pack")

    assert "No house procedure was put into the case." in page
    assert "account was not taken." in page
    assert "no draft yet" in page


def test_a_pack_is_handed_out_by_two_people(app: FastAPI, case: str, records: DeskRecords) -> None:
    draft = _draft(app, case)
    one, two = SeatedPerson(app, "investigator"), SeatedPerson(app, "auditor")
    early = one.client.get(f"{draft}.zip").status_code
    unasked = two.post(f"{draft}/approve")[0]
    silent = one.post(f"{draft}/ask", reason=" ")[0]
    asked = one.post(f"{draft}/ask", reason="regulator, request 17")[0]
    own = one.post(f"{draft}/approve")
    approved = two.post(f"{draft}/approve")[0]
    body = one.client.get(f"{draft}.zip")

    assert (early, unasked, silent, asked, approved) == (403, 403, 403, 303, 303)
    assert own[0] == 403
    assert "a second person expected, investigator asked for it" in own[1]
    assert body.content[:2] == b"PK"
    assert body.headers["content-type"] == "application/zip"
    assert records[-1][:2] == ("investigator", "downloaded pack")
    assert "VERIFIED" in one.get(f"{case}/pack")
    assert one.client.get(f"{draft}/report.vi.pdf").content[:4] == b"%PDF"


def test_built_again_it_is_the_same_and_stays_approved(app: FastAPI, case: str) -> None:
    draft = _draft(app, case)
    SeatedPerson(app, "investigator").post(f"{draft}/ask", reason="court")
    SeatedPerson(app, "auditor").post(f"{draft}/approve")

    assert _draft(app, case) == draft
    assert SeatedPerson(app, "auditor").status(f"{draft}.zip") == 200


def test_an_altered_pack_is_named_and_not_handed_out(app: FastAPI, case: str) -> None:
    draft = _draft(app, case)
    person = SeatedPerson(app, "investigator")
    path = app.state.drafts.path(draft.rpartition("/")[2])
    body = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(body.replace(b"TB:", b"TH:", 1))
    person.post(f"{draft}/verify")
    status, page = person.post(f"{draft}/ask", reason="court")

    assert status == 403
    assert "a verified pack expected" in page
    assert "ALTERED" in page


def test_a_players_edition_withholds_the_others(app: FastAPI, case: str) -> None:
    person = SeatedPerson(app, "investigator")
    page = person.get(f"{case}/pack")
    player = page.partition("?party=")[2].partition('"')[0]
    draft = _draft(app, case, player)
    shown = person.get(f"{case}/pack?party={player}")

    assert "as salted hashes" in shown
    assert 'class="blacked"' in shown
    assert 'class="blacked"' not in page
    assert draft.rpartition("/")[2] in shown


@pytest.mark.parametrize("name", ["pit", "operator"])
def test_other_roles_neither_see_nor_build_packs(app: FastAPI, case: str, name: str) -> None:
    person = SeatedPerson(app, name)

    assert person.status(f"{case}/pack") == 403
    assert person.post(f"{case}/pack")[0] == 403


def test_without_a_key_it_is_said_what_is_missing(app: FastAPI, case: str, tmp_path: Path) -> None:
    for file in (tmp_path / "house" / "keys").iterdir():
        file.unlink()
    status, page = SeatedPerson(app, "investigator").post(f"{case}/pack")

    assert status == 409
    assert "a signing key expected" in page

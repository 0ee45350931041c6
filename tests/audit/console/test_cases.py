"""The dispute desk: the steps of clause 8 from forms, who may take them, what is refused."""

from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from fastapi import FastAPI

from audit.cases import case_log
from audit.cases.case import Case
from replay.tables.duckdb_file import FILE
from schemas import events as e
from tests.support.console_desks import DeskRecords, SeatedPerson, console_over


class Floor(NamedTuple):
    """A console over a house with a wager that was paid wrongly."""

    app: FastAPI
    home: Path
    records: DeskRecords
    table: str
    round: str
    wager: str

    def seated(self, name: str) -> SeatedPerson:
        return SeatedPerson(self.app, name)

    @property
    def case(self) -> Case:
        (case,) = case_log.load(self.home).cases.values()
        return case


@pytest.fixture
def floor(console_house: Path, tmp_path: Path) -> Floor:
    records = DeskRecords()
    app = console_over(console_house, tmp_path / "house", records)
    with duckdb.connect(str(tmp_path / "house" / FILE), read_only=True) as db:
        found = db.execute(
            "select table_id, round_id, subject from findings where check_id = 'PAY-01'"
            " order by all limit 1"
        ).fetchone()
    assert found is not None
    return Floor(app, tmp_path / "house", records, *found)


def _raised(floor: Floor) -> str:
    status, where = floor.seated("inspector").post(
        "/cases",
        table=floor.table,
        round=floor.round,
        wager=floor.wager,
        claim="it was paid wrongly",
        amount="300,000",
    )
    assert status == 303
    return where


GATHERING: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("inspector", "say", {"answer": "it is right", "accepted": "no"}),
    ("inspector", "escalate", {"to": "X-M1", "to_rank": "pit_manager"}),
    ("pit", "inform", {"to": "X-V1", "how": "phone"}),
    ("pit", "promise", {"within": "2h", "language": "vi"}),
    ("pit", "statement", {"party": "player", "by": "P1", "text": "no", "signature": "signed"}),
    ("pit", "statement", {"party": "house", "by": "D1", "text": "yes", "signature": "signed"}),
    ("operator", "recompute", {}),
)
DECISION = {"outcome": "upheld", "option": "as-posted", "facts": "paid short", "reasons": "posted"}


def _gathered(floor: Floor) -> str:
    where = _raised(floor)
    for name, verb, form in GATHERING:
        status, said = floor.seated(name).post(f"{where}/steps/{verb}", **form)
        assert status == 303, (verb, said[-2000:])
    return where


def test_a_dispute_goes_from_its_raising_to_its_closing(floor: Floor) -> None:
    where = _gathered(floor)
    decided = floor.seated("pit").post(f"{where}/rulings/decide", **DECISION)[0]
    confirmed = floor.seated("shift").post(f"{where}/rulings/confirm")[0]
    paid = floor.seated("cage").post(f"{where}/steps/settle", reference="slip 1")[0]
    told = floor.seated("pit").post(
        f"{where}/steps/tell", agrees="yes", right_told="yes", how="in-person"
    )[0]
    closed = floor.seated("pit").post(f"{where}/steps/close", reason="paid")[0]

    assert (decided, confirmed, paid, told, closed) == (303,) * 5
    assert floor.case.stage == "closed"
    assert floor.case.raised.amount == 300_000
    assert floor.case.raised.wagers == (floor.wager,)
    assert floor.case.last(e.CorrectionPaid) is not None
    assert floor.case.case_id not in floor.seated("pit").get("/cases")
    assert floor.case.case_id in floor.seated("pit").get("/cases?state=closed")


@pytest.mark.parametrize(
    ("name", "path", "clause", "said"),
    [
        ("inspector", "rulings/decide", "8.4", "pit manager and above"),
        ("nobody", "rulings/decide", "8.4", "no rank found"),
        ("operator", "steps/tell", "8.5", "pit manager and above"),
    ],
)
def test_a_step_that_a_rank_may_not_take_is_refused_with_its_clause(
    floor: Floor, name: str, path: str, clause: str, said: str
) -> None:
    where = _gathered(floor)
    given = DECISION | {"agrees": "yes", "how": "phone"}
    status, page = floor.seated(name).post(f"{where}/{path}", **given)

    assert status == 403
    assert f":{clause}</span> <b>Refused:</b>" in page
    assert said in page
    assert floor.records[-1][1] == f"case {path.partition('/')[2]}"
    assert "is refused" in floor.records[-1][3]


def test_whoever_decided_does_not_confirm(floor: Floor) -> None:
    where = _gathered(floor)
    floor.seated("pit").post(f"{where}/rulings/decide", **DECISION)
    status, page = floor.seated("pit").post(f"{where}/rulings/confirm")

    assert status == 403
    assert "a second person expected, X-M1 decided it" in page


def test_staff_of_the_round_decide_nothing(floor: Floor) -> None:
    where = _gathered(floor)
    manager = floor.case.raised.staff["pit_manager"]
    floor.app.state.accounts.invite("own", "supervisor", person=manager, rank="pit_manager")
    status, page = floor.seated("own").post(f"{where}/rulings/decide", **DECISION)

    assert status == 403
    assert "was on duty at the table as pit manager" in page


def test_a_decision_says_what_is_missing_and_has_no_button(floor: Floor) -> None:
    page = floor.seated("pit").get(_raised(floor))

    assert "Missing before this can be signed" in page
    assert "the account of the player expected, none found" in page
    assert '<button class="btn large" disabled>Sign decision</button>' in page


def test_a_refusal_keeps_what_was_written_and_speaks_vietnamese(floor: Floor) -> None:
    where = _raised(floor)
    floor.app.state.accounts.set_language("cage", "vi")
    form = {"answer": "as said", "accepted": "no"}
    status, page = floor.seated("cage").post(f"{where}/steps/say", **form)

    assert status == 403
    assert "Bị từ chối:" in page
    assert "thu ngân" in page


def test_a_file_is_taken_into_evidence_under_its_hash(floor: Floor) -> None:
    where = _raised(floor)
    files = {"file": ("clip.mp4", b"moving pictures", "video/mp4")}
    status, _ = floor.seated("operator").post(
        f"{where}/uploads", files=files, source="camera 3", basis="8.4.6"
    )

    ((_, added),) = floor.case.all(e.EvidenceAdded)
    assert status == 303
    assert (added.name, added.size, added.media_type) == ("clip.mp4", 15, "video/mp4")
    assert (floor.home / "evidence" / added.sha256[:2] / added.sha256).read_bytes().startswith(b"m")


def test_a_value_that_cannot_be_is_refused_and_changes_nothing(floor: Floor) -> None:
    where = _gathered(floor)
    before = len(floor.case.steps)
    odd = [
        floor.seated("pit").post(f"{where}/steps/promise", within="soon"),
        floor.seated("pit").post(f"{where}/rulings/decide", **DECISION | {"pay": "W=1"}),
        floor.seated("pit").post(f"{where}/rulings/decide", **DECISION | {"option": "other"}),
        floor.seated("operator").post(f"{where}/uploads", source="x", basis="8.4.6"),
    ]

    assert [status for status, _ in odd] == [400, 400, 403, 400]
    assert len(floor.case.steps) == before


def test_a_claim_with_markup_is_shown_as_text(floor: Floor) -> None:
    _, where = floor.seated("inspector").post(
        "/cases", table=floor.table, round=floor.round, claim="<script>alert(1)</script>"
    )
    page = floor.seated("pit").get(where)

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_supervisor_sees_the_cases_of_their_own_pit(floor: Floor) -> None:
    where = _raised(floor)
    floor.app.state.accounts.invite("far", "supervisor", person="F1", rank="pit_manager", pit="ZZ")
    far = floor.seated("far")

    assert far.status(where) == 403
    assert floor.table not in far.get("/cases")
    assert far.post(f"{where}/steps/recompute")[0] == 403
    assert far.status(f"/cases/new?table={floor.table}&round={floor.round}") == 403


def test_a_case_is_recorded_before_it_is_shown(floor: Floor) -> None:
    where = _raised(floor)
    floor.records.clear()
    floor.seated("pit").get(where)
    floor.seated("pit").get(f"/api{where}")

    name = where.rpartition("/")[2]
    assert floor.records == [("pit", "viewed", name, "")] * 2


def test_the_letter_stands_there_in_both_languages(floor: Floor) -> None:
    where = _gathered(floor)
    floor.seated("pit").post(f"{where}/rulings/decide", **DECISION)
    page = floor.seated("pit").get(where)

    assert "Your claim is upheld. posted" in page
    assert "Yêu cầu của Quý khách được chấp nhận. posted" in page
    assert "a second person has not confirmed" in page


@pytest.mark.parametrize(
    "path", ["/cases/none", "/api/cases/none", "/cases/new?table=T01&round=none"]
)
def test_what_is_not_there_is_said_so(floor: Floor, path: str) -> None:
    assert floor.seated("pit").status(path) == 404

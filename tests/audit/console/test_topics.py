"""The log browser: dead letters with their state, and trying one again."""

import re
from pathlib import Path

from fastapi import FastAPI

from audit.console.roles import AccountRole
from ingest import dead_letter
from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import DEAD_LETTERS, GATEWAY_STREAMS
from schemas.shape import Refused
from tests.support.console_desks import DeskRecords, SeatedPerson, console_over

BODY = b'{"not": "a reading" <script>alert(1)</script>'


def _console(console_house: Path, tmp_path: Path, records: DeskRecords) -> FastAPI:
    app = console_over(console_house, tmp_path / "house", records)
    app.state.accounts.invite("keeper", AccountRole.ADMIN)
    with LocalLog(tmp_path / "house/log", GATEWAY_STREAMS) as log:
        why = Refused("undecodable", "line 1", "JSON", "<b>else</b>")
        letter = dead_letter.letter(
            why, BODY, len(BODY), source="day.jsonl", position=1, received_at=1_772_350_000_000_000
        )
        Gateway(log, lambda: 1_772_350_000_000_000).write_dead_letters([letter])
    return app


def test_a_letter_is_listed_decoded_and_tried_again_by_an_administrator(
    console_house: Path, tmp_path: Path
) -> None:
    records = DeskRecords()
    app = _console(console_house, tmp_path, records)
    keeper, auditor = SeatedPerson(app, "keeper"), SeatedPerson(app, "auditor")

    page = keeper.get(f"/topics?stream={DEAD_LETTERS}")
    (where,) = re.findall(r'action="(/topics/dlq/[0-9a-f]+/redrive)"', page)
    status, told = keeper.post(where)

    assert "&lt;b&gt;else&lt;/b&gt;" in page
    assert "<b>else" not in page
    assert status == 200
    assert "still refused" in told
    assert records[-1][:2] == ("keeper", "redrove dead letter")
    assert auditor.post(where)[0] == 403
    assert " disabled" in auditor.get(f"/topics?stream={DEAD_LETTERS}")
    assert keeper.post("/topics/dlq/00/redrive")[0] == 404

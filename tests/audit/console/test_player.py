"""The round player's answers: every status, what was kept of a camera, remarks, what if."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from fastapi.testclient import TestClient

from audit.console import stills
from audit.console.app import ConsolePlace, make_app
from audit.console.roles import AccountRole
from replay.locate import locate
from replay.tables.duckdb_file import FILE


@pytest.fixture
def client(console_house: Path) -> Iterator[TestClient]:
    app = make_app(ConsolePlace(console_house, "Asia/Ho_Chi_Minh"), _record)
    app.state.accounts.invite("seen-by", AccountRole.SURVEILLANCE)
    with TestClient(app, follow_redirects=False) as client:
        session = app.state.sessions.open(app.state.accounts.account("seen-by"))
        client.cookies.set("roundproof", session)
        yield client


def _record(who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
    del who, role, did, subject, refused


def _round(home: Path, where: str) -> tuple[str, str]:
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        row = db.execute(
            f"select table_id, round_id from rounds where {where} order by all limit 1"
        ).fetchone()
    assert row
    return row[0], row[1]


def _csrf(client: TestClient) -> str:
    state = client.app.state  # type: ignore[attr-defined]
    token: str = state.sessions.find(client.cookies["roundproof"]).csrf
    return token


@pytest.mark.parametrize("status", ["settled", "void", "unknown"])
def test_a_round_of_any_status_opens(client: TestClient, console_house: Path, status: str) -> None:
    table, name = _round(console_house, f"status = '{status}'")

    for language in ("en", "vi"):
        answer = client.get(f"/t/{table}/r/{name}?lang={language}")
        assert answer.status_code == 200
        assert name in answer.text


def test_a_marker_and_a_review_are_kept_with_the_round(
    client: TestClient, console_house: Path
) -> None:
    table, name = _round(console_house, "game = 'RO'")
    form = {"csrf": _csrf(client), "kind": "marker", "at_us": "1772334000000000"}

    marked = client.post(f"/t/{table}/r/{name}/remarks", data=form | {"note": "<b>ball</b> jumped"})
    for _ in range(2):
        client.post(f"/t/{table}/r/{name}/remarks", data=form | {"kind": "reviewed"})

    assert marked.headers["location"] == f"/t/{table}/r/{name}?at=1772334000000"
    kept = client.app.state.remarks.of(table, name)  # type: ignore[attr-defined]
    assert [each.kind for each in kept] == ["marker", "reviewed"]
    assert "&lt;b&gt;ball&lt;/b&gt; jumped" in client.get(f"/t/{table}/r/{name}").text


def test_a_remark_without_the_token_is_refused(client: TestClient, console_house: Path) -> None:
    table, name = _round(console_house, "game = 'RO'")

    answer = client.post(f"/t/{table}/r/{name}/remarks", data={"kind": "reviewed", "at_us": "1"})

    assert answer.status_code == 403


def test_a_still_that_was_kept_is_shown_and_a_changed_one_is_not(
    client: TestClient, console_house: Path
) -> None:
    table, name = _round(console_house, "game = 'TB'")
    round = locate(console_house, f"{table}/{name}").judged.round
    camera = next(each for each in round.events if each.device_kind == "camera")
    folder = console_house / stills.FOLDER / camera.device_id / "one"
    folder.mkdir(parents=True)
    picture = folder / "frame-000000007.jpg"
    picture.write_bytes(b"a picture")
    record = {
        "frames": [{"number": 7, "at_us": camera.occurred_at}],
        "stills": [{"number": 7, "untouched": picture.name}],
        "files": {picture.name: {"sha256": hashlib.sha256(b"a picture").hexdigest()}},
    }
    (folder / "clip.json").write_text(json.dumps(record), "utf-8")

    shown = client.get(f"/t/{table}/r/{name}/still/0")
    beyond = client.get(f"/t/{table}/r/{name}/still/1")
    picture.write_bytes(b"another")
    changed = client.get(f"/t/{table}/r/{name}/still/0")

    assert (shown.content, shown.headers["content-type"]) == (b"a picture", "image/jpeg")
    assert beyond.status_code == 404
    assert changed.status_code == 409


def test_several_things_may_be_supposed_at_once(client: TestClient, console_house: Path) -> None:
    table, name = _round(console_house, "game = 'TB' and status = 'settled'")

    answer = client.get(f"/t/{table}/r/{name}?set=card:player.1=9S+card:player.2=KD")

    assert answer.status_code == 200
    assert "card:player.1=9S card:player.2=KD" in answer.text

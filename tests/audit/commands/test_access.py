"""Every command that shows evidence is on record before it shows it."""

import json
from pathlib import Path

import pytest

from audit.access import access_log
from audit.cli.errors import Code
from schemas.events import AccessRecorded
from tests.support.command_line import called


@pytest.fixture(autouse=True)
def identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDPROOF_PERSON", "V1")
    monkeypatch.setenv("ROUNDPROOF_RANK", "surveillance_operator")


def records(home: Path) -> list[AccessRecorded]:
    return list(access_log.records(home))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("explain", "R1"), ("view", "explain", "round", ("R1",))),
        (("whatif", "R1", "--set", "pocket=4"), ("view", "whatif", "round", ("R1",))),
        (("find", "--table", "T1"), ("query", "find", "round", ())),
        (("findings",), ("query", "findings", "finding", ())),
        (("sql", "select count(*) from rounds"), ("query", "sql", "rows", ())),
        (("dlq", "list"), ("query", "dlq list", "dead_letter", ())),
        (("access", "list"), ("query", "access list", "access", ())),
    ],
)
def test_a_command_is_on_record(
    house: Path, words: tuple[str, ...], expected: tuple[str, str, str, tuple[str, ...]]
) -> None:
    assert called(*words, "--home", str(house)) == Code.OK

    first = records(house)[0]
    assert (first.action, first.command, first.kind, first.subjects) == expected
    assert (first.person_id, first.rank) == ("V1", "surveillance_operator")
    assert first.user


def test_a_question_is_on_record_with_its_text_and_how_many_rows_it_showed(house: Path) -> None:
    called("sql", "select * from wagers", "--home", str(house))

    asked, answered = records(house)
    assert asked.question == answered.question == "select * from wagers"
    assert (asked.rows, asked.answer_to) == (None, None)
    assert (answered.rows, answered.answer_to) == (1, 1)


def test_a_question_that_does_more_than_read_is_on_record_as_refused(house: Path) -> None:
    assert called("sql", "delete from rounds", "--home", str(house)) == Code.NOT_ALLOWED

    asked, refused = records(house)
    assert (asked.action, refused.action, refused.answer_to) == ("query", "refused", 1)
    assert refused.refusal


def test_a_search_is_on_record_with_what_was_searched_for(house: Path) -> None:
    called("find", "--player", "P7", "--amount", "500000", "--home", str(house))

    assert records(house)[0].parameters == {"amount": "500000", "player": "P7", "within": "10m"}


def test_what_was_not_there_was_asked_for_all_the_same(house: Path) -> None:
    assert called("explain", "R99", "--home", str(house)) == Code.NOT_FOUND

    assert records(house)[0].subjects == ("R99",)


def test_without_an_identity_the_user_of_the_system_is_on_record(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROUNDPROOF_PERSON")
    monkeypatch.delenv("ROUNDPROOF_RANK")
    monkeypatch.setenv("LOGNAME", "anna müller")

    called("explain", "R1", "--home", str(house))

    (made,) = records(house)
    assert (made.person_id, made.rank, made.user) == ("anna-m-ller", "", "anna müller")


def test_nothing_is_shown_where_the_record_cannot_be_written(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (house / "log/access").write_text("not a folder")

    assert called("explain", "R1", "--home", str(house)) == Code.NOT_ALLOWED

    shown = capsys.readouterr()
    assert shown.out == ""
    assert "the access record cannot be written, so nothing is shown" in shown.err
    assert "read_only" in shown.err


def test_a_copy_for_reading_only_is_shown_without_records_and_says_so(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDPROOF_READ_ONLY", "true")

    assert called("explain", "R1", "--home", str(house)) == Code.OK

    shown = capsys.readouterr()
    assert shown.out
    assert "this access is not on record" in shown.err
    assert not (house / "log/access").exists()


def test_a_house_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    called("explain", "R1", "--home", str(tmp_path / "nowhere"))

    assert not (tmp_path / "nowhere").exists()


def test_records_are_listed_by_what_is_wanted(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called("explain", "R1", "--home", str(house))
    called("findings", "--home", str(house))
    capsys.readouterr()

    assert called("access", "list", "--subject", "R1", "--json", "--home", str(house)) == Code.OK

    document = json.loads(capsys.readouterr().out)
    assert [record["command"] for record in document["records"]] == ["explain"]
    assert document["total"] == 1
    assert document["records"][0]["recorded_at"].endswith("Z")
    called("access", "list", "--action", "verify", "--home", str(house))
    assert capsys.readouterr().out == "no record matches\n"


def test_a_changed_record_is_told_with_exit_code_4(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        called("explain", "R1", "--home", str(house))
    path = house / "log/access/house/00000000.avro"
    content = bytearray(path.read_bytes())
    content[content.index(b"surveillance_operator")] ^= 1
    path.write_bytes(content)

    assert called("access", "list", "--home", str(house)) == Code.UNVERIFIED
    assert "access records offset 1" in capsys.readouterr().err

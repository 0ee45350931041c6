"""A dispute from the command line: every step, every refusal, what is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from audit.access import access_log
from audit.cases import case_log
from audit.cli.errors import Code
from schemas import events as e
from tests.support import houses
from tests.support.command_line import called

CASE = "R1-D1"
INSPECTOR = ("--person", "I9", "--rank", "dealer_inspector")
MANAGER = ("--person", "M1", "--rank", "pit_manager")
OTHER = ("--person", "M2", "--rank", "shift_manager")
OPERATOR = ("--person", "V1", "--rank", "surveillance_operator")
CASHIER = ("--person", "C1", "--rank", "cage_cashier")
GUEST = ("--person", "G1", "--rank", "guest_relations")
SENIOR = ("--person", "X1", "--rank", "senior_management")
DIRECTOR = ("--person", "V2", "--rank", "surveillance_director")
OFFICER = ("--person", "O1", "--rank", "compliance_officer")

OPEN = ("open", "R1", "--claim", "red was not paid", "--amount", "100000", *INSPECTOR)
SAY = ("say", CASE, "--answer", "black came", "--not-accepted", *INSPECTOR)
ESCALATE = ("escalate", CASE, "--to", "M1", "--to-rank", "pit_manager", *INSPECTOR)
INFORM = ("inform", CASE, "--to", "V1", *MANAGER)
PROMISE = ("promise", CASE, "--within", "2h", "--language", "vi", *MANAGER)
PLAYER = ("statement", CASE, "--party", "player", "--by", "P1", "--text", "it was red", *MANAGER)
HOUSE = ("statement", CASE, "--party", "house", "--by", "D1", "--text", "it was", *MANAGER)
RECOMPUTE = ("recompute", CASE, *OPERATOR)
FOUND = ("--facts", "the ball lay in 3 red", "--reason", "red pays 1:1")
DECIDE = ("decide", CASE, "--outcome", "upheld", "--option", "as-posted", *FOUND, *MANAGER)
CONFIRM = ("confirm", CASE, *OTHER)
SETTLE = ("settle", CASE, "--reference", "slip-17", *CASHIER)
TELL = ("tell", CASE, "--disagrees", "--right-told", *MANAGER)
ASSIST = ("assist", CASE, "--complaint", "C-1", *GUEST)
REVIEW = ("review", CASE, "--stands", "--reason", "as decided", *SENIOR)
CLOSE = ("close", CASE, "--reason", "paid", *MANAGER)
GATHERED = (OPEN, SAY, ESCALATE, INFORM, PROMISE, PLAYER, HOUSE, RECOMPUTE)
WHOLE = (*GATHERED, DECIDE, CONFIRM, SETTLE, TELL, ASSIST, REVIEW, CLOSE)


@pytest.fixture(autouse=True)
def no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PERSON", "RANK", "JURISDICTION", "READ_ONLY"):
        monkeypatch.delenv(f"ROUNDPROOF_{name}", raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    staff = (e.StaffCameOn("D1", "dealer"), None)
    return houses.written(
        tmp_path / "house", "T1", [*houses.opened(), staff, *houses.spin("R1", 3, houses.red())]
    )


def do(home: Path, *steps: tuple[str, ...]) -> list[int]:
    return [called("case", *words, "--home", str(home)) for words in steps]


def shown(home: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert called("case", *words, "--json", "--home", str(home)) == Code.OK
    return json.loads(capsys.readouterr().out)


def test_a_dispute_runs_from_its_raising_to_its_closing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert do(home, *WHOLE) == [Code.OK] * len(WHOLE)

    document = shown(home, capsys, "show", CASE)
    assert document["stage"] == "closed"
    assert [step["step"] for step in document["steps"]] == [
        "open", "say", "escalate", "inform", "promise", "statement", "statement", "recompute",
        "decide", "confirm", "settle", "tell", "assist", "review", "close",
    ]  # fmt: skip
    assert document["raised"]["staff"] == {"dealer": "D1"}
    assert document["next"] == ["notify", "hold", "release"]
    decided = document["steps"][8]["content"]
    assert decided["payments"] == [{"amount": "100000", "player_id": "P1", "wager_id": "W1"}]
    assert decided["clauses"] == ["RO:5.1.j", "RO:6.1.12.1"]
    assert {clock["name"]: clock["state"] for clock in document["clocks"]} == {
        "inform": "kept",
        "promise": "kept",
    }


def test_a_case_is_shown_in_words(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    do(home, *GATHERED, DECIDE)
    capsys.readouterr()

    assert called("case", "show", CASE, "--home", str(home)) == Code.OK

    text = capsys.readouterr().out
    assert text.startswith("R1-D1: decided\nround R1, table T1, gaming day 2026-03-01, RO\n")
    assert "claim, 100,000 VND: red was not paid" in text
    assert "M1 (pit manager) decided: upheld, 100,000 VND on W1 to P1; red pays 1:1" in text
    assert "H1 in force, video, events since" in text
    assert "kept     inform Surveillance by" in text
    assert "may come next: statement, add, recompute, confirm, notify, hold, release" in text


@pytest.mark.parametrize(
    ("done", "words", "said"),
    [
        (
            (OPEN, SAY),
            INFORM,
            ("(RO:8.2): an escalated dispute expected", f"case escalate {CASE}"),
        ),
        (
            (OPEN,),
            ESCALATE,
            ("(RO:8.1): an answer at the table expected first", f"case say {CASE}"),
        ),
        (
            GATHERED[:-2],
            DECIDE,
            (
                "(RO:8.4.5): the account of the house expected, none found",
                f"case statement {CASE} --party house",
            ),
        ),
        (
            GATHERED,
            (*DECIDE[:-4], "--person", "D1", "--rank", "pit_manager"),
            (
                "(RO:8.4.4): somebody else expected to decide it, D1 was on duty",
                "case decide --help",
            ),
        ),
        (
            GATHERED,
            (*DECIDE[:-4], "--person", "S2", "--rank", "pit_supervisor"),
            (
                "(RO:8.4): pit manager and above expected, pit supervisor found",
                "pit manager and above may do it: roundproof case decide --help",
            ),
        ),
        (
            (*GATHERED, DECIDE),
            (*CONFIRM[:-4], *MANAGER),
            ("a second person expected, M1 decided it", "case confirm --help"),
        ),
        (
            (*GATHERED, DECIDE),
            SETTLE,
            ("confirmed by a second person expected", f"case confirm {CASE}"),
        ),
        (
            (OPEN,),
            ("open", "R1", "--claim", "x", "--person", "D2", "--rank", "dealer"),
            ("open is refused (8.1): dealer inspector and above", "case open --help"),
        ),
    ],
)
def test_a_refused_step_says_the_clause_and_what_comes_first(
    home: Path,
    done: tuple[tuple[str, ...], ...],
    words: tuple[str, ...],
    said: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    do(home, *done)
    capsys.readouterr()

    assert do(home, words) == [Code.NOT_ALLOWED]

    screen = capsys.readouterr()
    assert screen.out == ""
    what, following = screen.err.strip().splitlines()
    assert said[0] in what
    assert said[1] in following
    *_, record = access_log.records(home)
    assert (record.action, record.person_id) == ("refused", words[-3])
    assert record.refusal in what


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("open", "R9", "--claim", "x", *INSPECTOR), Code.NOT_FOUND),
        (("open", "R1", "--claim", "x", "--wager", "W9", *INSPECTOR), Code.NOT_FOUND),
        (("open", "R1", "--claim", " ", *INSPECTOR), Code.USAGE),
        (("open", "R1", "--claim", "x"), Code.USAGE),
        (("open", "R1", "--claim", "x", "--person", "I 1", "--rank", "dealer"), Code.USAGE),
        (("open", "R1", "--claim", "x", "--person", "I1", "--rank", "king"), Code.USAGE),
        (("open", "R1", "--claim", "x", "--at", "2999-01-01T00:00:00Z", *INSPECTOR), Code.USAGE),
        (("open", "R1", "--claim", "x", "--amount", "much", *INSPECTOR), Code.USAGE),
        (("show", "R7-D1"), Code.NOT_FOUND),
        (("say", "R7-D1", "--answer", "x", "--accepted", *INSPECTOR), Code.NOT_FOUND),
        (("promise", CASE, *MANAGER), Code.USAGE),
        (("promise", CASE, "--within", "soon", *MANAGER), Code.USAGE),
        (("assist", CASE, *GUEST), Code.USAGE),
        (("statement", CASE, "--party", "bank", "--by", "P1", *MANAGER), Code.USAGE),
        (("add", CASE, "no-such-file", "--source", "x", *OPERATOR), Code.NOT_FOUND),
        (("hold", CASE, "--class", "chips", "--reason", "x", *DIRECTOR), Code.USAGE),
        (("decide", CASE, "--outcome", "won", *FOUND, *MANAGER), Code.USAGE),
        (("decide", CASE, "--outcome", "partly", "--pay", "W9=5", *FOUND, *MANAGER), Code.USAGE),
    ],
)
def test_wrong_use_is_told_in_one_line_with_the_next_step(
    home: Path, words: tuple[str, ...], code: Code, capsys: pytest.CaptureFixture[str]
) -> None:
    do(home, OPEN)
    capsys.readouterr()

    assert do(home, words) == [code]

    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 2
    assert told[1].startswith("next: ")


def test_the_identity_may_be_a_setting(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDPROOF_PERSON", "I9")
    monkeypatch.setenv("ROUNDPROOF_RANK", "dealer_inspector")

    assert do(home, ("open", "W1", "--claim", "not paid")) == [Code.OK]

    case = case_log.load(home).cases[CASE]
    assert (case.raised.wagers, case.raised.player_id) == (("W1",), "P1")
    assert case.steps[0].person_id == "I9"


def test_a_file_is_taken_into_evidence_and_names_a_recording(home: Path, tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"frames")

    assert do(
        home,
        OPEN,
        ("add", CASE, str(clip), "--basis", "8.4.6", "--source", "camera 3", *OPERATOR),
        ("statement", CASE, "--party", "player", "--by", "P1", "--signature", "recorded",
         "--evidence", "E1", *MANAGER),
    ) == [Code.OK] * 3  # fmt: skip

    case = case_log.load(home).cases[CASE]
    ((_, added),) = case.all(e.EvidenceAdded)
    assert (added.name, added.size, added.media_type) == ("clip.mp4", 6, "video/mp4")
    assert (home / "evidence" / added.sha256[:2] / added.sha256).read_bytes() == b"frames"


def test_no_file_is_copied_for_a_case_that_is_not_there(home: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")

    words = ("add", "R9-D1", str(tmp_path / "a"), "--source", "x", *OPERATOR)

    assert do(home, words) == [Code.NOT_FOUND]
    assert not (home / "evidence").exists()


def test_a_hold_ends_by_two_people(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = ("release", CASE, "H1", "--reason", "settled", *DIRECTOR)
    assert do(home, OPEN, ("hold", CASE, "--reason", "a lawsuit", *DIRECTOR), release) == [0] * 3
    assert do(home, ("confirm", CASE, "--hold", "H1", *DIRECTOR)) == [Code.NOT_ALLOWED]
    assert do(home, ("confirm", CASE, "--hold", "H1", *OFFICER)) == [Code.OK]

    holds = shown(home, capsys, "show", CASE)["holds"]

    assert [(hold["hold"], hold["state"]) for hold in holds] == [
        ("H1", "released"),
        ("H2", "in force"),
    ]


def test_cases_are_listed_by_what_is_wanted(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    do(home, OPEN, OPEN, ("say", CASE, "--answer", "paid now", "--accepted", *INSPECTOR), CLOSE)

    every = shown(home, capsys, "list")
    still_open = shown(home, capsys, "list", "--open")

    assert [case["case"] for case in every["cases"]] == ["R1-D2", "R1-D1"]
    assert [case["case"] for case in still_open["cases"]] == ["R1-D2"]
    assert called("case", "list", "--table", "T9", "--home", str(home)) == Code.OK
    assert capsys.readouterr().out == "no case matches\n"


def test_a_damaged_case_is_named_with_exit_code_4(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    do(home, OPEN, SAY)
    path = home / "log/cases/T1/00000000.avro"
    content = bytearray(path.read_bytes())
    content[content.index(b"red was not")] ^= 1
    path.write_bytes(content)

    assert do(home, ("list",), ("show", CASE), ESCALATE) == [Code.UNVERIFIED] * 3
    assert "cases of T1 offset 1" in capsys.readouterr().err


def test_a_copy_for_reading_only_takes_no_step(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    do(home, OPEN)
    monkeypatch.setenv("ROUNDPROOF_READ_ONLY", "true")

    assert do(home, SAY, ("show", CASE)) == [Code.NOT_ALLOWED, Code.OK]
    assert "case say: the house is opened for reading only" in capsys.readouterr().err


def test_money_may_be_given_by_hand(home: Path) -> None:
    words = ("decide", CASE, "--outcome", "partly", "--pay", "W1=50,000", "--clause", "RO:8.4.4",
             *FOUND, *MANAGER)  # fmt: skip

    assert do(home, *GATHERED, words) == [Code.OK] * 9

    decided = case_log.load(home).cases[CASE].decision
    assert decided is not None
    assert isinstance(decided.step, e.DisputeDecided)
    assert decided.step.payments == (e.CasePayment("W1", "P1", 50_000),)
    assert decided.step.clauses == ("RO:8.4.4",)

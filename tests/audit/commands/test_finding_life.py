"""`roundproof findings ack` to `reopen` as people run them."""

import json
import shutil
from pathlib import Path

import pytest

from audit.checks import reviews
from audit.checks.run import finding_id
from audit.cli.errors import Code
from schemas import events as e
from tests.support.command_line import called
from tests.support.houses import DAY, written
from tests.support.small_house import Roundproof

OVERPAID = finding_id("PAY-01", "T1", "R1", "W1")
OPERATOR = ("--person", "V1", "--rank", "surveillance_operator")


R1 = (
    (e.TableOpened(DAY), None),
    (e.TermsPosted("TB", "VND"), None),
    (e.StaffCameOn("M1", "pit_manager"), None),
    (e.RoundOpened(), "R1"),
    (e.RoundClosed(), "R1"),
)


@pytest.fixture(scope="module")
def without_log(small_house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = shutil.copytree(small_house, tmp_path_factory.mktemp("life") / "house")
    assert called("detect", "--home", str(home)) == Code.FINDINGS
    return Path(home)


@pytest.fixture(scope="module")
def checked(without_log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same house with the overpaid round in its log."""
    home = shutil.copytree(without_log, tmp_path_factory.mktemp("life") / "logged")
    return written(Path(home), "T1", R1)


@pytest.fixture
def detected(checked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(checked, tmp_path, dirs_exist_ok=True))


def test_a_finding_is_taken_note_of_judged_and_closed(
    detected: Path, roundproof: Roundproof
) -> None:
    home = ("--home", detected)
    noted = roundproof("findings", "ack", OVERPAID[:9], *OPERATOR, *home)
    given = roundproof("findings", "assign", OVERPAID, "--to", "V2", *OPERATOR, "--json", *home)
    judged = roundproof("findings", "confirm", OVERPAID, "--reason", "seen", *OPERATOR, *home)
    closed = roundproof("findings", "close", OVERPAID, "--reason", "paid", *OPERATOR, *home)

    assert noted.out == f"{OVERPAID} is acknowledged\n"
    assert json.loads(given.out) == {"finding": OVERPAID, "state": "in_review", "owner": "V2"}
    assert judged.out == f"{OVERPAID} is confirmed\n"
    assert closed.out == f"{OVERPAID} is closed\n"
    assert len(reviews.load(detected).made) == 4


def test_what_is_refused_says_why_and_is_on_record(detected: Path, roundproof: Roundproof) -> None:
    home = ("--home", detected)
    early = roundproof("findings", "close", OVERPAID, "--reason", "x", *OPERATOR, *home)
    unknown = roundproof("findings", "ack", "PAY-99", *OPERATOR, *home)
    seen = roundproof("access", "list", "--action", "refused", "--json", *home)

    assert early.code == Code.NOT_ALLOWED
    assert "explained, confirmed or false expected before it closes" in early.err
    assert unknown.code == Code.NOT_FOUND
    assert "findings close" in seen.out
    assert reviews.load(detected).made == ()


@pytest.mark.parametrize("verb", ["explain", "confirm", "false", "close", "reopen"])
def test_nobody_judges_a_finding_where_the_log_does_not_say_who_was_on_duty(
    without_log: Path, roundproof: Roundproof, verb: str
) -> None:
    home = ("--home", without_log)
    refused = roundproof("findings", verb, OVERPAID, "--reason", "x", *OPERATOR, *home)

    assert refused.code == Code.NOT_ALLOWED
    assert "round in the log expected, which says who was on duty (R20)" in refused.err
    assert reviews.load(without_log).made == ()


def test_a_finding_is_noted_also_where_the_log_does_not_say_who_was_on_duty(
    without_log: Path, tmp_path: Path, roundproof: Roundproof
) -> None:
    home = ("--home", shutil.copytree(without_log, tmp_path / "noted"))

    assert roundproof("findings", "ack", OVERPAID, *OPERATOR, *home).code == Code.OK


def test_nobody_judges_a_finding_of_their_own_round(detected: Path, roundproof: Roundproof) -> None:
    own = ("--person", "M1", "--rank", "pit_manager")
    refused = roundproof("findings", "false", OVERPAID, "--reason", "x", *own, "--home", detected)

    assert refused.code == Code.NOT_ALLOWED
    assert "M1 was on duty in this round" in refused.err


def test_the_reviews_are_a_table_after_the_next_run(detected: Path, roundproof: Roundproof) -> None:
    home = ("--home", detected)
    roundproof("findings", "explain", OVERPAID, "--reason", "squared up", *OPERATOR, *home)
    roundproof("detect", *home)
    said = roundproof("sql", "select state, reason from finding_reviews", "--json", *home)

    assert "squared up" in said.out
    assert "explained" in said.out

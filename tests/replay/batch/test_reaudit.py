"""History under other terms: who is due what, and that it sums to the house's difference."""

import json
from pathlib import Path

import pytest

from audit.cli.errors import Code
from replay.batch import reaudit as batch_reaudit
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.batch.reaudit import BadRun, Reaudit
from replay.locate import locate
from replay.reaudit import DaySpan, TermsChange
from replay.rulebooks import in_force
from replay.rulebooks.terms import BadTerms
from replay.simulate import plan
from replay.whatif import whatif
from tests.support import houses
from tests.support.command_line import called


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reaudited")
    houses.simulated(folder, 25, plan.table_setups("T1:TB,N1:NN,R1:RO"))
    batch_replay.replay(folder, Choice())
    return folder


def judged(home: Path, code: str, paytable: str = "", **readings: str) -> Reaudit:
    change = TermsChange(in_force(code, houses.DAY), paytable, readings)
    return batch_reaudit.run(home, DaySpan(), change, 1)


def test_the_same_terms_change_nothing(home: Path) -> None:
    found = judged(home, "TB")

    assert sum(day.judged for day in found.days) == 25
    assert found.lines == ()
    assert found.unknown == ()


def test_the_refunds_sum_to_the_houses_difference(home: Path) -> None:
    found = judged(home, "TB", "non_commission")

    assert found.lines
    assert sum(refund.player_minor for refund in found.refunds) == -found.house["VND"]
    assert sum(found.by_clause.values()) == -found.house["VND"]
    assert all(line.net_seen == line.net_before for line in found.lines)


def test_a_line_is_what_whatif_says_of_its_round(home: Path) -> None:
    lines = judged(home, "TB", "non_commission").lines
    round_id = lines[0].round_id

    alone = whatif(locate(home, round_id).judged, ["terms.paytable=non_commission"])

    mine = {line.wager_id: line.player_minor for line in lines if line.round_id == round_id}
    assert mine == {line.wager_id: line.player for line in alone.lines if line.player}


def test_only_days_and_tables_of_the_span_are_judged(home: Path) -> None:
    change = TermsChange(in_force("TB", houses.DAY), "non_commission")

    assert batch_reaudit.run(home, DaySpan(("R1",)), change, 1).lines == ()
    assert batch_reaudit.run(home, DaySpan(from_day="2026-03-02"), change, 1).days == ()
    assert batch_reaudit.run(home, DaySpan(to_day="2026-02-28"), change, 1).days == ()


def test_two_workers_find_what_one_finds(home: Path) -> None:
    change = TermsChange(in_force("TB", houses.DAY), "non_commission")

    assert batch_reaudit.run(home, DaySpan(), change, 2) == judged(home, "TB", "non_commission")


def test_a_paytable_that_the_edition_lacks_is_refused(home: Path) -> None:
    with pytest.raises(BadTerms, match="paytable commission, non_commission expected"):
        judged(home, "TB", "nonsense")


def test_what_is_kept_is_the_same_bytes_twice_and_is_compared(home: Path, tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("first", "again", "other"))
    for folder, paytable in ((first, "non_commission"), (again, "non_commission"), (other, "")):
        batch_reaudit.keep(folder, judged(home, "TB", paytable), {"paytable": paytable})

    assert [path.read_bytes() for path in sorted(first.iterdir())] == [
        path.read_bytes() for path in sorted(again.iterdir())
    ]
    assert called("diff", str(first), str(again)) == Code.OK
    assert called("diff", str(first), str(other)) == Code.FINDINGS


def test_a_damaged_run_is_named(home: Path, tmp_path: Path) -> None:
    batch_reaudit.keep(tmp_path, judged(home, "TB", "non_commission"), {})
    lines = tmp_path / batch_reaudit.LINES
    lines.write_bytes(lines.read_bytes()[:-1] + b"?")

    with pytest.raises(BadRun, match=r"lines\.parquet: its SHA-256 is not the one in run\.json"):
        batch_reaudit.kept(tmp_path)


def test_the_command_says_who_is_due_what(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--home", str(home), "reaudit", "--edition", "TB", "--paytable", "non_commission")

    assert called(*words, "--json") == Code.OK
    document = json.loads(capsys.readouterr().out)
    assert document["house"] == {"VND": str(judged(home, "TB", "non_commission").house["VND"])}
    assert called(*words[:4], "SA-XD") == Code.NOT_FOUND
    assert called(*words[:3]) == Code.USAGE


def test_a_reserve_that_is_taken_counts(home: Path) -> None:
    """NN:6.4. What is taken from a reserve is lost beside the stake."""
    rounds = [f"N1-20260301-{n:04d}" for n in range(1, 26)]
    dues = [due for name in rounds for due in locate(home, name).judged.dues if due.reserve_taken]

    assert dues
    assert all(due.net == due.paid - due.collected - due.reserve_taken for due in dues)
    assert all(due.net < -due.collected for due in dues)

"""A dispute of every game is packed in both editions; both verify, and both are there to read."""

import json
import re
from pathlib import Path

import pytest

from audit.cases.case import Case
from audit.evidence import verify as verifier
from audit.evidence.gather import gather
from audit.evidence.report.document import document
from replay import rulebooks
from tests.support import packs, second_verifier
from tests.support.disputed_games import disputed_house

Games = dict[str, Case]
CODE_LIKE = re.compile(r"\b[A-Z]{2,}_[A-Z0-9_]+\b|\b[a-z]+_[a-z_]+\b")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def games(home: Path) -> Games:
    """The case of each game, in one house."""
    return disputed_house(home)


@pytest.mark.parametrize("game", rulebooks.codes())
def test_both_editions_of_a_game_verify(
    game: str, games: Games, home: Path, tmp_path: Path
) -> None:
    case = games[game]
    for player, languages in (("", ("en",)), (case.raised.player_id, ("vi",))):
        made = packs.packed(home, case.case_id, player, languages)
        (tmp_path / "pack.zip").write_bytes(made.body)

        assert verifier.main([str(tmp_path / "pack.zip")]) == 0
        assert second_verifier.verdict(made.body) == 0


@pytest.mark.parametrize("game", rulebooks.codes())
def test_the_report_tells_the_dispute_and_what_each_option_owes(
    game: str, games: Games, home: Path
) -> None:
    case = games[game]
    file = gather(home, case.case_id).file
    english, vietnamese = (document(file, at, packs.ZONE, "rp-1") for at in ("en", "vi"))

    assert "upheld it" in " ".join(english["verdict"])
    assert english["options"][0] == {
        "what": "By the terms that the table posted",
        "outcome": english["options"][0]["outcome"],
        "owed": "+50,000",
        "chosen": "the decision follows it",
    }
    assert vietnamese["options"][0]["owed"] == "+50.000"
    assert len(english["next"]) == len(vietnamese["next"]) == 3
    for page in (english, vietnamese):
        wagers = [row.wager.wager_id for row in file.sheet]
        assert not any(name in str(page["case"]) for name in wagers)
        assert CODE_LIKE.findall(" ".join(_read(page))) == []


def test_the_edition_for_somebody_else_does_not_say_that_nothing_was_found(
    games: Games, home: Path
) -> None:
    case = games["TB"]
    players = {row.wager.player_id for row in gather(home, case.case_id).file.sheet}
    (other,) = players - {case.raised.player_id}
    full, own, another = (
        json.loads(packs.packed(home, case.case_id, party).files["8.4.4-controls/checks.json"])
        for party in ("", case.raised.player_id, other)
    )

    assert [row["check"] for row in full if row["finds"]] == ["PAY-02"]
    assert [row["check"] for row in own if row["finds"]] == ["PAY-02"]
    assert {row["finds"] for row in another} == {None}


@pytest.mark.parametrize("game", rulebooks.codes())
def test_a_finding_is_told_in_vietnamese(game: str, games: Games, home: Path) -> None:
    file = gather(home, games[game].case_id).file
    (finding,) = document(file, "vi", packs.ZONE, "rp-1")["findings"]

    assert finding["title"] == "Trả thiếu cho người thắng"
    assert "trả thưởng" in finding["expected"]
    assert not re.search(r"\b(paid|returned|collected|wins)\b", f"{finding}")


def _read(page: dict[str, object]) -> list[str]:
    """What a reader reads of a report that comes from the record's own words."""
    parts = ("headline", "facts", "happened", "owed", "readings", "findings", "options", "verdict")
    return [str(page[part]) for part in parts]

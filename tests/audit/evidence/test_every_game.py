"""A round of every game is packed in both editions, and both verify."""

from pathlib import Path

import pytest

from audit.evidence import verify as verifier
from replay import rulebooks
from replay.locate import locate
from tests.support import packs

ROUND = "T1-20260301-0003"


@pytest.mark.parametrize("game", rulebooks.codes())
def test_both_editions_of_a_game_verify(game: str, tmp_path: Path) -> None:
    home = packs.sealed_house(tmp_path / "house", game, rounds=5)
    party = locate(home, ROUND).judged.dues[0].player_id
    for player in ("", party):
        (tmp_path / "pack.zip").write_bytes(packs.packed(home, ROUND, player).body)

        assert verifier.main([str(tmp_path / "pack.zip")]) == 0

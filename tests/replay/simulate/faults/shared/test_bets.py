"""What players do to their chips is done to wagers for which it matters."""

import pytest

from replay.simulate.play.baccarat import Play
from schemas import events as e
from tests.support.simulated_days import played


@pytest.mark.parametrize("seed", ["7", "8", "9"])  # 9 finds a single wager in its round
def test_chips_that_move_go_from_one_wager_to_another(seed: str) -> None:
    day = played("T01:SA-BC", 12, "BET-03", seed)

    (entry,) = day.truth
    read = [at.payload for at in day.readings if isinstance(at.payload, e.StakeRead)]
    off, on = (each for each in read if each.change)
    assert off.change == -on.change < 0
    assert off.wager_id != on.wager_id == entry.subject


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_balance_is_short_for_a_bet_that_withholds(seed: str) -> None:
    day = played("T01:SA-PD", 12, "BET-09/balance", seed)

    (entry,) = day.truth
    placed = [at.payload for at in day.readings if isinstance(at.payload, e.WagerPlaced)]
    (short,) = (wager for wager in placed if wager.wager_id == entry.subject)
    assert short.reserve == short.stake


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_fault_waits_for_somebody_to_bet(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect Pair closes after four rounds, so that such players often have nothing to bet on."""
    monkeypatch.setattr(Play, "favourites", lambda *_: ("player", *["perfect_pair"] * 9))

    day = played.__wrapped__("T01:SA-BC", 30, "BET-03/changed=9", seed)

    assert len(day.truth) == 9

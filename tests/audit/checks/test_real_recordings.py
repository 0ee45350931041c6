"""Checks and rules on what real wheels, shoes and showdowns produced (tests/real)."""

import pytest

from replay.games import baccarat
from replay.games.shared.poker_hands import best
from schemas.cards import card, cards
from tests.support import real_recordings as real

AROUND = 40  # spins before and after a place, in the sample


def sample(wheel: str) -> list[tuple[int, int]]:
    """All spins of a wheel, or its first 20,000 where a sample is enough."""
    return real.spins(wheel) if real.WHOLE else real.spins(wheel)[:20_000]


@pytest.mark.parametrize("wheel", real.WHEELS)
def test_every_place_where_the_recorder_wrote_twice_is_found(wheel: str) -> None:
    spins = real.spins(wheel)
    places = [(at, length) for table, at, length in real.repeated_blocks() if table == wheel]
    parts = {
        f"{at}": spins[max(at - AROUND, 0) : at + 2 * length + AROUND] for at, length in places
    }
    whole = {wheel: spins} if real.WHOLE else parts

    found = {
        (row["table_id"], row["subject"])
        for row in real.of_wheels("INT-15", whole)
        if row["subject"].startswith("block")
    }

    for at, length in places:
        table = wheel if real.WHOLE else f"{at}"
        begin = at if real.WHOLE else min(at, AROUND)
        assert (table, f"block of {length} from {table}-{begin}") in found


def test_a_stretch_with_nearly_every_number_twice_is_found() -> None:
    stretch = [spin for spin in real.spins("t5") if 9_480 <= spin[0] <= 9_490]

    (found,) = real.of_wheels("INT-15", {"t5": stretch})

    assert found["subject"].startswith("repeats until")
    assert found["found"] == "15 of 24 results are the same as the one before"


@pytest.mark.parametrize("check", ["RNG-01", "RNG-02"])
def test_no_real_wheel_is_accused(check: str) -> None:
    assert real.of_wheels(check, {wheel: sample(wheel) for wheel in real.WHEELS}) == []


def test_the_codes_of_real_baccarat_hands_agree_with_the_rules() -> None:
    codes = {"banker": "1", "player": "2", "tie": "3"}
    seen = 0
    for row in real.hands():
        won = row["feed_res2"].split(",")
        if not row["feed_res2"]:
            continue
        deal = baccarat.Deal(cards(row["player"]), cards(row["banker"]))
        assert [*baccarat.faults(deal)] == [], row["rs"]
        assert codes[baccarat.winner(deal)] in won, row["rs"]
        assert {code for code in codes.values() if code in won} == {codes[baccarat.winner(deal)]}
        seen += 1
    assert seen == 284


def test_real_showdowns_went_to_the_better_hand() -> None:
    splits = 0
    for row in real.showdowns(2_000):
        first, second, board = (
            [card(row[name][n : n + 2].upper()) for n in range(0, len(row[name]), 2)]
            for name in ("first", "second", "board")
        )
        ours = best([*first, *board]), best([*second, *board])
        if ours[0] == ours[1]:
            splits += 1  # one of them took an uncalled rest
        else:
            assert row["winner"] == ("first" if ours[0] > ours[1] else "second"), row["hand"]
    assert splits < 10

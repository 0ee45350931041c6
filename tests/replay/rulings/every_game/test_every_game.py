"""What every game tells alike: a good round called void, and a bet both late and unknown."""

import pytest

from tests.support.english import english
from tests.support.sheet_pages import CODES, example
from tests.support.tables import judged

# How each rulebook calls a recorded end that is not the derived one.
OTHER_WORDS = {"TB": "UNJUSTIFIED_VOID", "NN": "UNJUSTIFIED_VOID"}

# The flag of a bet that the layout does not have; TH sends one back and has no word for it.
NOT_OFFERED = dict.fromkeys(
    ("RO", "SA-RO", "SA-SB", "SA-FPC", "SA-HL", "SA-XD"), "ILLEGAL_POSITION"
)
NOT_OFFERED |= {"TB": "REFER_7.20", "NN": "SIDE_BET", "TH": ""}


@pytest.mark.parametrize(
    "ending",
    [{"type": "RoundVoided", "reason": "misdeal"}, {"type": "RoundClosed", "status": "void"}],
    ids=["voided", "closed as void"],
)
@pytest.mark.parametrize("code", CODES)
def test_a_good_round_called_void_is_told(code: str, ending: dict[str, str]) -> None:
    sheet = example(code)
    plain = judged(sheet)
    assert plain.ruled.status == "settled"

    found = judged(sheet | {"events": [*sheet["events"], ending]})

    told = [flag for flag in found.flags if flag.code == OTHER_WORDS.get(code, "RESULT_MISMATCH")]
    assert found.dues == plain.dues
    assert any("void" in english(flag.note) for flag in told)


@pytest.mark.parametrize("code", CODES)
def test_a_bet_may_be_late_and_unknown_at_once(code: str) -> None:
    sheet = example(code)
    last = {"type": "WagerPlaced", "wager_id": "w-late", "player_id": "p-late", "stake": 100_000}
    events = [*sheet["events"], {"type": "BettingClosed"}, last | {"bet": "moon", "box": "9"}]

    found = judged(sheet | {"events": events})

    told = {flag.code for flag in found.flags}
    assert {"LATE_BET", NOT_OFFERED.get(code, "BET_NOT_OFFERED")} - {""} <= told
    (due,) = [due for due in found.dues if due.wager_id == "w-late"]
    assert due.returned == 100_000

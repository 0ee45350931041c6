"""Where a round begins in a sheet: what may stand before its opening, and what is refused there."""

from typing import Any

import pytest

from replay.sheets.sheet import read
from schemas.shape import Refused
from tests.support.sheet_pages import CODES, example, places
from tests.support.tables import judged

OPENED = {"type": "RoundOpened"}
WAGER = {"type": "WagerPlaced", "wager_id": "w-early", "player_id": "P9", "stake": 100}
LOADED = {"type": "ShoeLoaded", "shoe_id": "S1", "decks": 8}


def with_ahead(code: str, *ahead: dict[str, Any]) -> dict[str, Any]:
    sheet = example(code)
    rest = [said for said in sheet["events"] if said != OPENED]
    return sheet | {"events": [*ahead, OPENED, *rest]}


@pytest.mark.parametrize("code", CODES)
def test_a_wager_before_the_opening_is_refused(code: str) -> None:
    sheet = example(code)
    bet = sheet["events"][places(sheet, "WagerPlaced")[0]]["bet"]

    with pytest.raises(Refused) as refused:
        read(with_ahead(code, LOADED, WAGER | {"bet": bet}))

    assert refused.value.where == "sheet.events[1].type"
    assert refused.value.expected == "RoundOpened before it, which stands at events[2]"
    assert refused.value.found == "WagerPlaced"


@pytest.mark.parametrize(
    "said",
    [
        {"type": "IrregularityReported", "kind": "foreign_card"},
        {"type": "BettingClosed"},
        {"type": "RoundClosed"},
        {"type": "ResultCalled", "result": "7"},
        {"type": "RulingMade", "clause": "TB:7.1", "decision": "void", "rank": "director"},
    ],
    ids=lambda said: said["type"],
)
def test_what_belongs_into_a_round_is_refused_before_it(said: dict[str, Any]) -> None:
    with pytest.raises(Refused, match=rf"events\[0\].type: RoundOpened .* {said['type']} found"):
        read(with_ahead("TB", said))


@pytest.mark.parametrize("code", CODES)
def test_a_sheet_is_one_round(code: str) -> None:
    sheet = with_ahead(code)
    sheet["events"] += [{"type": "RoundClosed"}, OPENED]

    with pytest.raises(Refused, match="one RoundOpened, as a sheet is one round"):
        read(sheet)


def test_a_list_that_closes_a_round_and_opens_another_is_refused() -> None:
    first = [said for said in example("SA-SB")["events"] if said != OPENED]
    sheet = example("SA-SB") | {"events": [*first, {"type": "RoundClosed"}, OPENED]}

    with pytest.raises(Refused, match=r"RoundOpened before it"):
        read(sheet)


def test_other_terms_among_the_events_are_refused() -> None:
    terms = {"type": "TermsPosted", "game": "RO", "currency": "USD"}

    with pytest.raises(Refused, match=r"events\[0\].type: the terms in sheet.terms"):
        read(with_ahead("RO", terms))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("TB", {"type": "CardDrawn", "position": 1, "hand": "player", "card": "9S"}),
        ("TB", {"type": "FreeHandDeclared", "cards": ["9S"]}),
        ("SA-BJ", {"type": "SeatLeft", "player_id": "P7", "box": "7"}),
        (
            "RO",
            {
                "type": "RulingMade",
                "clause": "RO:4.7.4",
                "decision": "redeemed",
                "rank": "dealer",
                "subject": "P1",
                "value": "blue",
            },
        ),
    ],
    ids=["card", "free hand", "seat", "chips handed back"],
)
def test_what_happens_between_rounds_may_stand_before_one(code: str, said: dict[str, Any]) -> None:
    found = judged(with_ahead(code, said))

    assert [at.payload for at in found.round.before if type(at.payload).__name__ == said["type"]]

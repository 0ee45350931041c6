"""What a round sheet may not say: a key twice, a wager that is not there, a foreign carry."""

from typing import Any

import pytest

from replay import game_modules, rulebooks
from replay.rulebooks.edition import UnknownRulebook
from replay.rulebooks.terms import BadTerms
from replay.sheets.sheet import answer, loads, read
from schemas.shape import Refused
from tests.support.sheet_pages import CODES, example, places
from tests.support.tables import cases, judged

TELL_OF_OTHER_ROUNDS = {"TB", "NN", "TH"}  # REOPENED_ROUND is a flag of these three rulebooks


def test_a_key_that_stands_twice_is_refused() -> None:
    with pytest.raises(Refused, match="each key once expected, 'stake' twice found"):
        loads('{"events": [{"stake": 5, "bet": "red", "stake": 500}]}')


def test_the_same_key_in_two_objects_is_fine() -> None:
    assert loads('{"a": {"b": 1}, "c": {"b": 2}}') == {"a": {"b": 1}, "c": {"b": 2}}


@pytest.mark.parametrize("code", CODES)
def test_a_wager_id_may_stand_for_one_wager_only(code: str) -> None:
    sheet = example(code)
    first = places(sheet, "WagerPlaced")[0]
    sheet["events"].append(sheet["events"][first] | {"stake": 700})

    with pytest.raises(Refused, match=r"sheet.events\[\d+\].wager_id: an id of its own expected"):
        read(sheet)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "said",
    [
        {"type": "WagerChanged", "wager_id": "nobody's", "stake": 100},
        {"type": "WagerWithdrawn", "wager_id": "nobody's"},
        {"type": "WagerSettled", "wager_id": "nobody's", "paid": 0},
    ],
    ids=["changed", "withdrawn", "settled"],
)
def test_what_is_done_to_a_wager_needs_the_wager(code: str, said: dict[str, Any]) -> None:
    sheet = example(code)
    sheet["events"].append(said | {"wager_id": "w-nobody"})
    if said["type"] == "WagerSettled" and code in TELL_OF_OTHER_ROUNDS:
        assert "REOPENED_ROUND" in {flag.code for flag in judged(sheet).flags}
        return

    with pytest.raises(Refused, match="a wager placed before it expected, 'w-nobody' found"):
        read(sheet)


def test_a_wager_is_placed_before_anything_is_done_to_it() -> None:
    sheet = example("RO")
    first = places(sheet, "WagerPlaced")[0]
    wager = sheet["events"][first]["wager_id"]
    sheet["events"].insert(first, {"type": "WagerWithdrawn", "wager_id": wager})

    with pytest.raises(Refused, match=r"sheet.events\[\d+\].wager_id: a wager placed before it"):
        read(sheet)


@pytest.mark.parametrize("code", CODES)
def test_the_carry_of_an_answer_may_be_handed_on(code: str) -> None:
    carried = answer(judged(example(code)))["carry"]

    sheet = example(code) | {"carry": carried}
    sheet.pop("shoe", None)

    assert set(read(sheet).memory) <= set(carried)


@pytest.mark.parametrize("code", CODES)
def test_a_carry_that_the_game_does_not_know_is_refused(code: str) -> None:
    known = game_modules.rulings(rulebooks.in_force(code, "2026-03-01").game).CARRIED
    strange = "below_min_used" if code != "TB" else "previous_pocket"

    with pytest.raises(Refused) as refused:
        read(example(code) | {"carry": {strange: []}})

    wanted = f"one of {', '.join(sorted(known))}" if known else "nothing, as the game carries none"
    assert refused.value.where == f"sheet.carry.{strange}"
    assert refused.value.expected == wanted


@pytest.mark.parametrize(
    ("code", "carry", "where"),
    [
        ("TB", {"last_hand_dealt": "no"}, "sheet.carry.last_hand_dealt"),
        ("TB", {"shoe": 7}, "sheet.carry.shoe"),
        ("TB", {"free_hand": "9S"}, "sheet.carry.free_hand"),
        ("TB", {"below_min_used": "P1"}, "sheet.carry.below_min_used"),
        ("RO", {"previous_pocket": "8"}, "sheet.carry.previous_pocket"),
        ("RO", {"colour_chips": ["blue"]}, "sheet.carry.colour_chips"),
        ("RO", {"previous_pocket": True}, "sheet.carry.previous_pocket"),
        ("SA-AB", {"deck_used": 1}, "sheet.carry.deck_used"),
    ],
)
def test_a_carried_value_has_its_kind(code: str, carry: dict[str, Any], where: str) -> None:
    with pytest.raises(Refused) as refused:
        read(example(code) | {"carry": carry})

    assert refused.value.where == where


@pytest.mark.parametrize(
    ("shoe", "where"),
    [
        ({"drawn": {"KS": "9"}}, "sheet.shoe.drawn.KS"),
        ({"drawn": {"KS": -9}}, "sheet.shoe.drawn.KS"),
        ({"drawn": {"XX": 1}}, "sheet.shoe.drawn.XX"),
        ({"drawn": None}, "sheet.shoe.drawn"),
        ({"hands": -1}, "sheet.shoe.hands"),
        ({"hands": None}, "sheet.shoe.hands"),
        ({"decks": "8"}, "sheet.shoe.decks"),
    ],
)
def test_the_shoe_is_told_in_real_cards_and_counts(shoe: dict[str, Any], where: str) -> None:
    with pytest.raises(Refused) as refused:
        read(example("TB") | {"shoe": shoe})

    assert refused.value.where == where


@pytest.mark.parametrize(
    ("shoe", "where"),
    [
        ({"shoe_id": "S2"}, "sheet.shoe.shoe_id"),
        ({"decks": 6}, "sheet.shoe.decks"),
        ({"shuffled": False}, "sheet.shoe.shuffled"),
        ({"hands": 4}, "sheet.shoe.hands"),
    ],
)
def test_a_shoe_loaded_for_the_round_is_the_one_that_is_stated(
    shoe: dict[str, Any], where: str
) -> None:
    sheet = example("SA-BC")
    loaded = {"type": "ShoeLoaded", "shoe_id": "S1", "decks": 8}
    events = [loaded, *sheet["events"]]

    with pytest.raises(Refused) as refused:
        read(sheet | {"events": events, "shoe": shoe})

    assert refused.value.where == where
    assert read(sheet | {"events": events, "shoe": {"shoe_id": "S1", "hands": 0}}).round.shoe


@pytest.mark.parametrize(
    ("code", "said", "where", "wanted"),
    [
        ("SA-SB", {"placed_in_time": False}, "placed_in_time", "BettingClosed"),
        ("SA-BC", {"chips_presented": False}, "chips_presented", "no word"),
        ("SA-DT", {"reserve": 50}, "reserve", "no reserve"),
        ("TB", {"reserve": 50}, "reserve", "no reserve"),
        ("SA-DT", {"type": "WagerChanged", "reserve": 50}, "reserve", "no reserve"),
        ("SA-SB", {"type": "RulingMade"}, "type", "RoundVoided"),
    ],
)
def test_what_the_rules_of_a_game_do_not_heed_is_refused(
    code: str, said: dict[str, Any], where: str, wanted: str
) -> None:
    sheet = example(code)
    first = places(sheet, "WagerPlaced")[0]
    placed = sheet["events"][first]
    made = {"type": "RulingMade", "clause": "SA-SB:8.5", "decision": "void", "rank": "director"}
    match said.get("type"):
        case "RulingMade":
            sheet["events"].insert(first + 1, made)
        case "WagerChanged":
            sheet["events"].insert(first + 1, said | {"wager_id": placed["wager_id"]})
        case _:
            placed |= said

    with pytest.raises(Refused) as refused:
        read(sheet)

    n = first + 1 if "type" in said else first
    assert refused.value.where == f"sheet.events[{n}].{where}"
    assert wanted in refused.value.expected


@pytest.mark.parametrize("code", [code for code in CODES if code != "TB"])
def test_a_differential_is_posted_where_the_rules_have_one(code: str) -> None:
    sheet = example(code)

    with pytest.raises(Refused, match=r"sheet.terms.differential: no differential"):
        read(sheet | {"terms": sheet["terms"] | {"differential": 10}})


@pytest.mark.parametrize("code", CODES)
def test_what_says_nothing_special_is_never_refused(code: str) -> None:
    sheet = example(code)
    placed = sheet["events"][places(sheet, "WagerPlaced")[0]]
    spoken = {"placed_in_time": True, "chips_presented": True, "reserve": 0}
    placed |= {key: value for key, value in spoken.items() if key not in placed}

    assert read(sheet).round.round_id


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(UnknownRulebook):
        read({"terms": {"game": "XX", "currency": "VND"}, "events": []})


@pytest.mark.parametrize(
    ("code", "limits", "found"),
    cases("""
        TB    | bnker 1 9             | 'bnker'                   | a misspelt bet
        RO    | split:20-17 1 9       | 'split:20-17'             | a place the layout has not
        RO    | straight:37 1 9       | 'straight:37'             | a pocket the wheel has not
        SA-SB | total:3 1 9           | 'total:3'                 | a total nobody can bet on
        TB    | player 10 9           | 10 to 9 for player        | minimum above maximum
        TB    | player 1 9, player 2 9 | two limits for player    | two limits for one bet
    """),
)
def test_limits_that_mean_nothing_are_refused(code: str, limits: str, found: str) -> None:
    with pytest.raises(BadTerms, match=rf"rulebook {code}: .*{found}.* found"):
        judged(with_limits(code, limits))


@pytest.mark.parametrize(
    ("code", "limits"),
    cases("""
        TB    | banker 1 9                     | a bet
        RO    | split 1 9, split:17-20 1 5     | a kind of bet and one place of it
        SA-SB | total 1 9, total:4 1 5         | a kind and one position
        SA-RO | race 1 9, race:neighbours:5:2 1 9 | the racetrack
        SA-BJ | insurance 1 9                  | a bet that is never placed alone
        TB    | player 9 9                     | one amount alone
    """),
)
def test_limits_of_bets_and_places_are_good(code: str, limits: str) -> None:
    assert judged(with_limits(code, limits)).terms is not None


def with_limits(code: str, limits: str) -> dict[str, Any]:
    rows = [row.split() for row in limits.split(",")]
    posted = [{"bet": bet, "minimum": int(low), "maximum": int(top)} for bet, low, top in rows]
    sheet = example(code)
    return sheet | {"terms": sheet["terms"] | {"limits": posted}}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(("field", "value"), [("decks", 0), ("currency", "XXZ")])
def test_terms_that_no_table_can_post_are_refused(code: str, field: str, value: object) -> None:
    sheet = example(code)

    with pytest.raises(Refused) as refused:
        read(sheet | {"terms": sheet["terms"] | {field: value}})

    assert refused.value.where == f"sheet.terms.{field}"


DRAWN = {"type": "CardDrawn", "position": 1, "hand": "player", "card": "9H"}
LANDED = {"type": "BallLanded", "pocket": 17}
SHAKEN = {"type": "ShakerOpened", "faces": ["1", "2", "4"]}
LIFTED = {"type": "BowlRemoved"}


@pytest.mark.parametrize(
    ("code", "said", "played"),
    [
        ("SA-SB", DRAWN, "dice in a shaker"),
        ("SA-FPC", LIFTED, "dice in a shaker"),
        ("SA-HL", LANDED, "dice in a shaker"),
        ("SA-XD", SHAKEN, "tokens under a bowl"),
        ("RO", DRAWN, "a ball and a wheel"),
        ("SA-RO", SHAKEN, "a ball and a wheel"),
        ("TB", LANDED, "cards"),
        ("SA-BJ", SHAKEN, "cards"),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else str(value),
)
def test_what_another_game_is_played_with_is_refused(
    code: str, said: dict[str, Any], played: str
) -> None:
    sheet = example(code)
    sheet["events"].append(said)

    with pytest.raises(Refused) as refused:
        read(sheet)

    assert refused.value.where == f"sheet.events[{len(sheet['events']) - 1}].type"
    assert refused.value.expected == f"no {said['type']}, as the game is played with {played}"


@pytest.mark.parametrize(
    ("code", "hand"),
    cases("""
        TB    | plyer    | a letter is missing
        SA-BC | Banker   | a capital letter
        SA-DT | dragn    | another game
        SA-PD | player1  | no line
        SA-BJ | deeler   | the dealer's hand
    """),
)
def test_a_misspelt_hand_is_refused(code: str, hand: str) -> None:
    sheet = example(code)
    at = places(sheet, "CardDrawn")[0]
    sheet["events"][at] |= {"hand": hand}

    with pytest.raises(Refused, match=rf"sheet.events\[{at}\].hand: .* expected, '{hand}' found"):
        read(sheet)

"""Words that the card games of SA Gaming have no rule for: they change no money, and are told."""

from typing import Any

import pytest

from replay import rulebooks
from replay.judge import Judgement, judge
from replay.sheets.sheet import read
from schemas import events as e
from tests.replay.rulings.every_game.test_declared_void import CODES, DEALS
from tests.support import blackjack_story, shoe_story
from tests.support.tables import judged

END = {"type": "RoundClosed"}


def sheet(code: str, *after: dict[str, Any], dealt: int = 3, **terms: Any) -> dict[str, Any]:
    """A plain round of a game, and what happened after its cards."""
    story = ", ".join(DEALS[code][:dealt])
    if code == "SA-BJ":
        made = blackjack_story.sheet(story, **terms)
    else:
        made = shoe_story.sheet(code, story, **terms)
    return {**made, "events": [*made["events"], *after]}


def in_the_log(code: str, *payloads: e.Payload) -> Judgement:
    """The same round as a log may have it: a sheet refuses some of these words at once."""
    round, memory = read(sheet(code, END))
    after = round.events[-1]
    told = tuple(
        e.Event(**{**_fields(after), "event_id": f"said-{n}", "payload": payload})
        for n, payload in enumerate(payloads)
    )
    events = (*round.events[:-1], *told, after)
    edition = rulebooks.in_force(code, "2026-03-01")
    return judge(type(round)(**{**_fields(round), "events": events}), edition, memory)


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


WORDS: dict[str, e.Payload] = {
    "a report": e.IrregularityReported("spilt_drink"),
    "a report without a name": e.IrregularityReported(""),
    "a ruling": e.RulingMade("TB:7.20", "void", "director"),
    "a ruling under no clause": e.RulingMade("", "continue", "dealer"),
    "an exposed card": e.CardExposed("shoe", "9S"),
    "an exposed card that nobody read": e.CardExposed("table"),
    "a player's touch": e.CardHandled("player", "P1", "squeeze"),
    "an empty shoe": e.ShoeExhausted("S1"),
    "a free hand": e.FreeHandDeclared(),
    "a ball": e.BallLanded(17),
    "dice": e.ShakerOpened(("1", "2", "3")),
    "a re-shake": e.ReshakeOrdered("dropped"),
    "a wager that says it is late": e.WagerPlaced(
        "x", "P9", "tie", 5, "1", placed_in_time=False, chips_presented=False
    ),
}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("code", CODES)
def test_a_word_without_a_rule_is_told_and_changes_nothing(code: str, word: str) -> None:
    plain, found = in_the_log(code), in_the_log(code, WORDS[word])

    assert "WORD_UNKNOWN" in {flag.code for flag in found.flags}
    assert plain.flags == ()
    assert [due for due in found.dues if due.wager_id != "x"] == list(plain.dues)


@pytest.mark.parametrize("code", sorted({*CODES} - {"SA-BJ"}))
def test_a_decision_is_told_where_nobody_decides(code: str) -> None:
    found = in_the_log(code, e.DecisionMade("P1", "hit", "1"))

    assert [flag.subject for flag in found.flags] == ["decision hit"]


def test_a_decision_in_an_unknown_word_is_told_beside_a_report() -> None:
    found = in_the_log("SA-BJ", e.DecisionMade("p", "jump", "1"), e.IrregularityReported("x"))

    assert [flag.code for flag in found.flags] == ["WORD_UNKNOWN", "WORD_UNKNOWN"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("status", ["cancelled", "free_hand"])
def test_a_close_in_an_unknown_word_is_told(code: str, status: str) -> None:
    found = judged(sheet(code, {"type": "RoundClosed", "status": status}))

    assert [flag.subject for flag in found.flags] == [f"closed {status}"]


@pytest.mark.parametrize("code", CODES)
def test_a_void_under_the_rules_of_another_game_is_told(code: str) -> None:
    void = {"type": "RoundVoided", "clause": "TB:7.1", "reason": "a foreign card"}

    found = judged(sheet(code, void, {"type": "RoundClosed", "status": "void"}, dealt=1))

    assert (found.ruled.status, [flag.subject for flag in found.flags]) == ("void", ["TB:7.1"])


@pytest.mark.parametrize("kind", ["foreign_card", "extra_card", "duplicate_card", "back_colour"])
@pytest.mark.parametrize("code", CODES)
def test_a_reported_foreign_card_is_told_and_the_cards_as_read_stand(code: str, kind: str) -> None:
    report = {"type": "IrregularityReported", "kind": kind, "subject": "9S"}

    plain, found = judged(sheet(code, END)), judged(sheet(code, report, END))

    assert [(flag.code, flag.subject) for flag in found.flags] == [("FOREIGN_CARD", "9S")]
    assert [due._replace(flags=()) for due in found.dues] == list(plain.dues)


@pytest.mark.parametrize("code", CODES)
def test_a_void_for_a_foreign_card_stands_against_complete_hands(code: str) -> None:
    report = {"type": "IrregularityReported", "kind": "foreign_card"}
    void = {"type": "RoundClosed", "status": "void"}

    found = judged(sheet(code, report, {"type": "RoundVoided"}, void))

    assert found.ruled.status == "void"
    assert [due.outcome for due in found.dues] == ["returned"]
    assert [flag.code for flag in found.flags] == ["FOREIGN_CARD"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("bet", [True, False])
def test_a_round_that_ended_without_a_card_is_told(code: str, bet: bool) -> None:
    whole = sheet(code, END)
    of_cards = ("CardDrawn", "CardsBurned", "DecisionMade", *(() if bet else ("WagerPlaced",)))
    bare = {**whole, "events": [at for at in whole["events"] if at["type"] not in of_cards]}

    found = judged(bare)

    assert "ROUND_WITHOUT_CARDS" in {flag.code for flag in found.flags}
    assert [due.outcome for due in found.dues] == ["open"] * bet


@pytest.mark.parametrize("code", CODES)
def test_a_void_round_needs_no_card(code: str) -> None:
    whole = sheet(code, {"type": "RoundClosed", "status": "void"}, dealt=1)
    bare = {**whole, "events": [at for at in whole["events"] if at["type"] != "CardDrawn"]}

    assert judged(bare).flags == ()


@pytest.mark.parametrize("code", ["SA-AB", "SA-TP", "SA-BJ"])
def test_a_burn_is_told_where_the_rules_know_none(code: str) -> None:
    found = in_the_log(code, e.CardsBurned(1))

    assert [flag.subject for flag in found.flags] == ["burn"]


@pytest.mark.parametrize("code", ["SA-BC", "SA-DT", "SA-TP", "SA-PD"])
def test_a_card_put_where_no_hand_is_is_told_where_the_shoe_is_silent(code: str) -> None:
    """Cards that the console alone recorded."""
    whole = sheet(code, {"type": "CardPlaced", "hand": "floor", "slot": 1, "card": "2H"}, END)
    slots: dict[str, int] = {}
    for event in whole["events"]:
        if event["type"] == "CardDrawn":
            slots[event["hand"]] = slots.get(event["hand"], 0) + 1
            event |= {"type": "CardPlaced", "slot": slots[event["hand"]]}
            del event["position"]

    found = judged(whole)

    assert [flag.subject for flag in found.flags] == ["hand floor"]

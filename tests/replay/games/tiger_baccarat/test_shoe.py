"""Tiger Baccarat from hand to hand: Free Hands, the last hand, the burn, the count of the shoe."""

import json
from collections.abc import Iterator
from itertools import chain

import pytest

from replay.judge import judge_day
from replay.rounds import fold
from replay.rulebooks import in_force
from replay.rulebooks.terms import BadTerms
from replay.sheets.sheet import answer
from schemas import events as e
from schemas import shape
from tests.support.tables import cases, judged
from tests.support.tiger_baccarat_sheets import (
    BETS,
    PLAYED,
    Json,
    at_table,
    codes,
    drawn,
    event,
    happened,
    sheet,
    terms,
    wagers,
)


@pytest.mark.parametrize(
    ("opening", "cards", "outcome"),
    cases("""
        9S    | KS>B KH>P 4H>B      | P 9-4 | 7.8 the error card is Player's first
        9S KS | KH>P 4H>B           | P 9-4 | 7.8 the second is Banker's first
        2S    | KS>B 3H>P 7H>B TD>P | B 5-7 | 7.8 drawing goes on by the tables
    """),
)
def test_a_free_hand_is_played_and_nothing_settled(opening: str, cards: str, outcome: str) -> None:
    carry = {"free_hand": opening.split()}

    empty = judged(sheet("", cards, carry=carry))
    with_wager = judged(sheet("P1 banker 60", cards, carry=carry))

    assert (empty.ruled.status, empty.ruled.outcome) == ("free_hand", outcome)
    assert codes(empty) == set()
    assert codes(with_wager) == {"WAGER_ON_FREE_HAND"}
    assert [(due.outcome, due.returned, due.flags) for due in with_wager.dues] == [
        ("returned", 60, ())
    ]
    assert with_wager.ruled.memory["below_min_used"] == []
    assert empty.ruled.memory["free_hand"] is None


@pytest.mark.parametrize("cards", ["KS>B KH>P", ""], ids=["stops short", "never dealt"])
def test_a_wager_on_a_free_hand_that_stops_short_is_told(cards: str) -> None:
    found = judged(
        sheet("P1 banker 60", cards, *happened("close void"), carry={"free_hand": ["9S"]})
    )

    assert found.ruled.status == "void"
    assert "WAGER_ON_FREE_HAND" in codes(found)
    assert [(due.outcome, due.returned) for due in found.dues] == [("returned", 60)]


def test_a_card_seen_in_the_shoe_is_drawn_in_the_free_hand() -> None:
    seen = at_table("P9", "expose next 2S")

    free = judged(sheet("", PLAYED["B7"], carry=dict(seen.ruled.memory)))

    assert seen.ruled.memory["free_hand"] == ["2S"]
    assert seen.ruled.memory["lying"] == []
    assert (free.ruled.status, free.ruled.outcome) == ("free_hand", "B 5-7")


def test_an_unseen_undue_card_opens_an_ordinary_hand() -> None:
    undue = at_table("KS>P 7S>B 7H>P KH>B 9S>B?", "")

    following = judged(sheet(BETS, "KS>B KH>P 4H>B", carry=dict(undue.ruled.memory)))

    assert undue.ruled.memory["lying"] == [["player", "9S"]]
    assert answer(undue)["readings"]["undue_banker_card_unseen"] == "opens_an_ordinary_hand"
    assert (following.ruled.status, following.ruled.outcome) == ("settled", "P 9-4")


def test_an_unseen_undue_card_may_be_read_to_make_a_free_hand() -> None:
    readings = {"undue_banker_card_unseen": "opens_a_free_hand"}

    found = at_table("KS>P 7S>B 7H>P KH>B 9S>B?", "", readings=readings)

    assert found.ruled.memory["free_hand"] == ["9S"]
    assert answer(found)["readings"] == readings


def test_an_unseen_undue_card_after_one_on_player_needs_no_reading() -> None:
    found = at_table("9S>P KS>B KH>P 4H>B 9D>P 2S>B?", "")

    assert found.ruled.memory["free_hand"] == ["9D", "2S"]
    assert answer(found)["readings"] == {}


def test_a_hand_declared_free_before_its_first_card_is_free() -> None:
    written = sheet("", "KS>B KH>P 4H>B", before=(event("FreeHandDeclared", cards=["9S"]),))

    found = judged(written)

    assert (found.ruled.status, found.ruled.outcome) == ("free_hand", "P 9-4")


def test_a_declared_card_that_the_shoe_gives_first_is_one_card() -> None:
    declared = event("FreeHandDeclared", cards=["2S"])

    found = judged(sheet("", PLAYED["B7"], before=(declared,)))

    assert PLAYED["B7"].startswith("2S>P")
    assert (found.ruled.status, found.ruled.outcome) == ("free_hand", "B 5-7")


def test_a_free_hand_that_nothing_made_due_is_told() -> None:
    declared = event("FreeHandDeclared", cards=["9S"])
    before, seen = at_table("P9", ""), at_table("P9", "expose next 9S")

    found, due, first = (
        judged(sheet("", "KS>B KH>P 4H>B", before=(declared,), carry=dict(memory)))
        for memory in (before.ruled.memory, seen.ruled.memory, {})
    )

    assert codes(found) == {"FREE_HAND_UNFOUNDED"}
    assert "FREE_HAND_UNFOUNDED" not in codes(due) | codes(first)


@pytest.mark.parametrize(
    ("announced", "carry", "flags", "over"),
    cases("""
        yes | {}                        |                 | yes | the last hand of the shoe
        no  | {}                        |                 | no  | any other hand
        yes | {"last_hand_dealt": true} | HAND_AFTER_LAST | yes | 7.8.1 breach: another hand
        no  | {"last_hand_dealt": true} |                 | yes | another shoe
    """),
)
def test_nothing_follows_the_last_hand(announced: str, carry: str, flags: str, over: str) -> None:
    shoe = {"shoe_id": "S1", "last_hand_announced": announced == "yes"}

    found = at_table("P9", "", shoe=shoe, carry=json.loads(carry))

    assert codes(found) == set(flags.split())
    assert found.ruled.memory.get("last_hand_dealt", False) == (over == "yes")


@pytest.mark.parametrize(
    ("shoe", "before", "flags"),
    cases("""
        {"shoe_id": "S1", "hands": 51} |      | HAND_AFTER_LAST | 7.8.1 the same shoe goes on
        {"shoe_id": "S1"}              |      | HAND_AFTER_LAST | 7.8.1 the same shoe, its hands not counted
        {"shoe_id": "S2", "hands": 0}  |      |                 | another shoe
        {"shoe_id": "S1"}              | load |                 | the same box with new cards
    """),  # noqa: E501 (a table)
)
def test_the_last_hand_is_remembered_with_its_shoe(shoe: str, before: str, flags: str) -> None:
    last = at_table("P9", "", shoe={"shoe_id": "S1", "hands": 50, "last_hand_announced": True})
    loaded = (event("ShoeLoaded", shoe_id="S1", decks=8), event("CardsBurned", count=1))

    found = judged(
        sheet(
            BETS,
            PLAYED["P9"],
            before=loaded if before else (),
            shoe=json.loads(shoe),
            carry=dict(last.ruled.memory),
        )
    )

    assert codes(found) == set(flags.split())


def test_a_shoe_loaded_in_the_last_round_has_no_last_hand_yet() -> None:
    shoe = {"shoe_id": "S1", "hands": 50, "last_hand_announced": True}
    loaded = event("ShoeLoaded", shoe_id="S1", decks=8)

    last = judged(sheet(BETS, PLAYED["P9"], loaded, shoe=shoe))
    following = at_table("P9", "", shoe={"shoe_id": "S1"}, carry=last.ruled.memory)

    assert codes(following) == set()


def test_a_last_hand_announced_in_its_round_is_remembered_over_the_free_hand() -> None:
    shoe = {"shoe_id": "S1"}
    announced = (event("LastHandAnnounced", shoe_id="S1"),)

    last = judged(sheet(BETS, "9S>P KS>B KH>P 4H>B 9D>P", before=announced, shoe=shoe))
    free = at_table("KS>B KH>P 4H>B", "", bets="", shoe=shoe, carry=last.ruled.memory)
    another = at_table("P9", "", shoe=shoe, carry=free.ruled.memory)
    new_shoe = at_table("P9", "", shoe={"shoe_id": "S2"}, carry=last.ruled.memory)

    assert codes(free) == set()
    assert codes(another) == {"HAND_AFTER_LAST"}
    assert not new_shoe.ruled.memory.get("last_hand_dealt", False)


def test_a_free_hand_may_follow_the_last_hand_and_is_the_final_one() -> None:
    shoe = {"shoe_id": "S1", "last_hand_announced": True}

    last = at_table("9S>P KS>B KH>P 4H>B 9D>P", "", shoe=shoe)
    free = at_table("KS>B KH>P 4H>B", "", bets="", shoe=shoe, carry=last.ruled.memory)
    another = at_table("P9", "", shoe=shoe, carry=free.ruled.memory)

    assert codes(free) == set()
    assert free.ruled.status == "free_hand"
    assert free.ruled.memory["last_hand_dealt"] is True
    assert codes(another) == {"HAND_AFTER_LAST"}


@pytest.mark.parametrize(
    ("hands", "text", "flags"),
    cases("""
        0 |                                            | BURN_OMITTED OPTION_NOT_OFFERED | 7.11.2 breach: no choice was offered
        0 | rule TB:7.11.2.1 offered dealer_inspector  | BURN_OMITTED                    | 7.11.2.1 the choice was offered
        3 |                                            | BURN_OMITTED                    | 7.11.3 past the first hand
        3 | remove S1 replaced                         | BURN_OMITTED UNJUSTIFIED_SHOE_CHANGE | 7.11.3 breach: the shoe was changed
        3 | remove S1 finished                         | BURN_OMITTED                    | 7.11.3 the shoe was played out
    """),  # noqa: E501 (a table)
)
def test_a_forgotten_burn(hands: str, text: str, flags: str) -> None:
    shoe = {"shoe_id": "S1", "burned": False, "hands": int(hands)}

    found = at_table("P9", text, shoe=shoe)

    assert found.ruled.status == "settled"
    assert codes(found) == set(flags.split())


def test_a_forgotten_burn_is_told_once_a_shoe() -> None:
    unburned = {"shoe_id": "S1", "burned": False, "hands": 3}

    first = at_table("P9", "", shoe=unburned)
    second = at_table("P9", "", shoe=unburned | {"hands": 4}, carry=first.ruled.memory)
    changed = at_table("P9", "", shoe={"shoe_id": "S2"}, carry=second.ruled.memory)

    assert codes(first) == {"BURN_OMITTED"}
    assert codes(second) == set()
    assert codes(changed) == {"UNJUSTIFIED_SHOE_CHANGE"}


def test_unseen_cards_go_back_for_the_burn_and_the_hand_is_dealt_anew() -> None:
    cards = "2S>P? 3S>B? 4S>P?"
    anew = "burn 1, draw 9S P 5, draw KS B 6, draw KH P 7, draw 4H B 8"
    shoe = {"shoe_id": "S1", "burned": False}

    unseen = at_table(cards, anew, shoe=shoe)
    seen = at_table("2S>P 3S>B? 4S>P?", anew, shoe=shoe)

    assert (unseen.ruled.status, unseen.ruled.outcome) == ("settled", "P 9-4")
    assert codes(unseen) == {"BURN_OMITTED"}
    assert (seen.ruled.status, seen.ruled.outcome) == ("settled", "P 6-2")
    assert {"BURN_OMITTED", "WRONG_ORDER", "UNDUE_PLAYER_CARD"} <= codes(seen)


@pytest.mark.parametrize(
    ("reading", "status", "outcome", "flags"),
    cases("""
        the_hand_goes_on         | settled | B 1-7 | BURN_OMITTED OPTION_NOT_OFFERED | 7.11.2 to a conclusion
        later_cards_do_not_count | void    |       | BURN_OMITTED HAND_INCOMPLETE    | the other reading
    """),  # noqa: E501 (a table)
)
def test_once_a_card_was_seen_a_belated_burn_ends_nothing(
    reading: str, status: str, outcome: str, flags: str
) -> None:
    rest = "burn 1, draw 9S P 4, draw KS B 5, draw KH P 6, draw 4H B 7"
    shoe = {"shoe_id": "S1", "burned": False, "hands": 0}

    found = at_table("2S>P 3S>B?", rest, shoe=shoe, readings={"belated_burn": reading})

    assert (found.ruled.status, found.ruled.outcome) == (status, outcome)
    assert codes(found) == set(flags.split())
    assert answer(found)["readings"]["belated_burn"] == reading


def test_a_burn_inside_the_first_round_is_in_time() -> None:
    shoe = {"shoe_id": "S1", "burned": False}
    written = sheet(
        BETS, PLAYED["P9"], before=(event("RoundOpened"), event("CardsBurned", count=1))
    )

    assert codes(judged(written | {"shoe": shoe})) == set()


@pytest.mark.parametrize(
    ("shoe", "decks", "flags"),
    cases("""
        {"shoe_id": "S1", "drawn": {"9S": 7}}    | 8 |                | 7.1 the eighth of eight
        {"shoe_id": "S1", "drawn": {"9S": 8}}    | 8 | SHOE_INTEGRITY | 7.1 the ninth of eight
        {"shoe_id": "S1", "drawn": {"9S": 5}}    | 6 |                | 7.1 the sixth of six
        {"shoe_id": "S1", "drawn": {"9S": 6}}    | 6 | SHOE_INTEGRITY | 7.1 the seventh of six
        {"shoe_id": "S1", "cards_out": 412}      | 8 |                | 7.1 the last four cards
        {"shoe_id": "S1", "cards_out": 413}      | 8 | SHOE_INTEGRITY | 7.1 more cards than the decks hold
        {"shoe_id": "S1", "shuffled": false}     | 8 | SHOE_INTEGRITY | 7.1 unshuffled
    """),  # noqa: E501 (a table)
)
def test_the_shoe_is_counted(shoe: str, decks: str, flags: str) -> None:
    found = at_table("P9", "", shoe=json.loads(shoe), decks=int(decks))

    assert codes(found) == set(flags.split())
    assert found.ruled.status == ("void" if flags else "settled")


def test_a_round_without_a_shoe_is_counted_by_its_own_cards() -> None:
    twice = "9S>P 9S>B KH>P 4H>B"

    assert codes(at_table(twice, "", decks=1)) == {"SHOE_INTEGRITY"}
    assert codes(at_table(twice, "", decks=2)) == set()


@pytest.mark.parametrize(
    ("carry", "refused"),
    cases("""
        {"free_hand": ["XX"]}        | carry.free_hand      | not a card
        {"below_min_used": [7]}      | carry.below_min_used | not a list of players
        {"lying": [["dealer", "9S"]]} | carry.lying         | not a hand
    """),
)
def test_a_carry_that_cannot_be_is_refused(carry: str, refused: str) -> None:
    with pytest.raises(BadTerms, match=refused):
        at_table("P9", "", carry=json.loads(carry))


def test_what_is_carried_is_plain_json() -> None:
    shoe = {"shoe_id": "S1", "burned": False, "hands": 2}

    found = at_table("9S>P KS>B KH>P 4H>B 3D>P", "expose next", bets="P1 tie 10", shoe=shoe)

    assert json.loads(json.dumps(found.ruled.memory)) == found.ruled.memory


def test_a_day_hands_on_what_each_round_leaves() -> None:
    rounds = [
        [*wagers("P1 banker 60"), event("BettingClosed"), *drawn(f"{PLAYED['P9']} 9D>P", 7)],
        [*drawn("KS>B KH>P 4H>B", 12)],
        [*wagers("P1 banker 60, P2 tie 10"), event("BettingClosed"), *drawn(PLAYED["B7"], 15)],
    ]
    opening: list[Json] = [
        event("TableOpened", gaming_day="2026-03-01"),
        event("TermsPosted", **terms()),
        event("ShoeLoaded", shoe_id="S1", decks=8),
        event("CardsBurned", count=5, first_card="5S"),
    ]
    told = [[event("RoundOpened"), *each, event("RoundClosed")] for each in rounds]

    judgements = list(
        judge_day(fold("2026-03-01", day([*opening, *chain.from_iterable(told)])), in_force)
    )

    assert [at.ruled.status for at in judgements] == ["settled", "free_hand", "settled"]
    assert [at.ruled.outcome for at in judgements] == ["P 9-4", "P 9-4", "B 5-7"]
    assert [codes(at) for at in judgements] == [{"UNDUE_PLAYER_CARD"}, set(), set()]
    assert [due.outcome for due in judgements[2].dues] == ["returned", "lose"]
    assert judgements[2].ruled.memory["below_min_used"] == ["P1", "P2"]


def day(payloads: list[Json]) -> Iterator[e.Event]:
    """Payloads as events of one table, in order."""
    for seq, payload in enumerate(payloads):
        yield e.Event(
            event_id=f"T1/test/{seq}",
            table_id="T1",
            seq=seq,
            device_kind="test",
            device_id="test",
            device_seq=seq,
            occurred_at=0,
            err_ms=0,
            ingested_at=0,
            schema="",
            prev_hash=bytes(32),
            payload=shape.payload(payload),
        )


@pytest.mark.parametrize(
    ("cards", "text", "carried"),
    cases("""
        P9                         | expose next 2S, report foreign_card                     | 2S | 7.5 seen in a hand that is void under 7.1
        P9                         | expose next 2S, report not_reconstructable              | 2S | 7.5 and under 7.3
        P9                         | expose next 2S, report quake, rule TB:7.20 void director | 2S | 7.5 and under 7.20
        KS>P 7S>B 7H>P KH>B 9S>B   | report foreign_card                                     | 9S | 7.7 drawn in error and seen
        9S>P KS>B KH>P 4H>B 9D>P   | report not_reconstructable                              | 9D | 7.6 drawn in error
        2S>P KS>B                  | empty S1                                                |    | 7.2 an empty shoe has no next card
        P9                         | report foreign_card                                     |    | nothing was seen
    """),  # noqa: E501 (a row is a round)
)
def test_a_void_keeps_the_free_hand_that_a_seen_card_made(
    cards: str, text: str, carried: str
) -> None:
    found = at_table(cards, text)
    other = at_table(cards, text, readings={"free_hand_after_void": "ends_with_the_hand"})

    assert found.ruled.status == other.ruled.status == "void"
    assert found.ruled.memory["free_hand"] == ([carried] if carried else None)
    assert other.ruled.memory["free_hand"] is None
    assert ("free_hand_after_void" in answer(found)["readings"]) == bool(carried)

"""Hoiana Roulette, section 7: what makes a spin irregular, who may call it off, and when."""

import pytest

from replay.rulebooks.terms import BadTerms
from replay.rulings.roulette_hoiana import said
from schemas.ranks import LADDER
from tests.support import roulette_story as story
from tests.support.english import english
from tests.support.roulette_story import backs, flags, told
from tests.support.tables import cases

PREVIOUS = {"previous_pocket": 8}


@pytest.mark.parametrize(
    ("seen", "reason", "clause", "uncalled"),
    cases("""
        spin anticlockwise,       turns 9          | same_direction  | 7.1 | stands | 7.1 direction
        spin,                     turns 2          | few_revolutions | 7.2 | stands | 7.2 two
        spin,                     turns 0          | few_revolutions | 7.2 | stands | 7.2 none
        spin, seen foreign_object, turns 9         | foreign_object  | 7.3 | stands | 7.3 object
        spin, seen ball_out, examined pit_supervisor | ball_out      | 7.5 | void   | 7.5 ball out
        spin, seen wheel_stopped, turns 9          | wheel_stopped   | 7.6 | stands | 7.6 wheel
        spin, seen interference,  turns 9          | interference    | 7.7 | stands | 7.7 person
        spin, seen floater,       turns 9          | floater         | 7.4 | stands | 7.4 it fell
    """),
)
def test_an_irregular_spin(seen: str, reason: str, clause: str, uncalled: str) -> None:
    bet = "bet b1 p1 high 700, close"

    called = told(f"{bet}, {seen}, call dealer {reason} spinning, land 30, back 8", carry=PREVIOUS)
    by_number = told(f"{bet}, {seen}, call dealer RO:{clause} spinning, land 30, back 8")
    missed = told(f"{bet}, {seen}, land 30", carry=PREVIOUS)

    assert story.backs(called) == story.backs(by_number) == "b1 void 0 700"
    assert story.flags(called) == story.flags(by_number) == ""
    assert called.ruled.clauses == ("RO:7.9", "RO:7.10")
    assert story.flags(missed) == f"NO_SPIN_NOT_CALLED {clause}"
    stands = uncalled == "stands"
    assert story.backs(missed) == ("b1 win 700 1400" if stands else "b1 void 0 700")
    assert missed.ruled.outcome == ("30 red" if stands else "")


@pytest.mark.parametrize(
    ("seen", "backs", "flagged"),
    cases("""
        spin, turns 9               | b1 void 0 700   | NO_SPIN_NOT_CALLED 7.4 | 7.4 no landing seen
        spin, seen floater          | b1 void 0 700   | NO_SPIN_NOT_CALLED 7.4 | 7.4.1 floater
        spin, seen floater, dolly 30 | b1 void 0 700  | NO_SPIN_NOT_CALLED 7.4, RESULT_MISMATCH 2.1 | 7.4.1 settled all the same
        spin, seen wheel_stopped    | b1 void 0 700   | NO_SPIN_NOT_CALLED 7.4, NO_SPIN_NOT_CALLED 7.6 | 7.6 without landing
        spin, seen ball_out, dolly 30 | b1 void 0 700 | NO_SPIN_NOT_CALLED 7.5, RESULT_MISMATCH 2.1 | 7.5 settled all the same
        spin anticlockwise, turns 1, land 30 | b1 win 700 1400 | NO_SPIN_NOT_CALLED 7.1, NO_SPIN_NOT_CALLED 7.2 | each clause once
        spin, turns 1, turns 2, turns 3, land 30 | b1 win 700 1400 |  | 7.2 the last count decides
        spin, land 30, seen foreign_object | b1 win 700 1400 |  | 7.3 only before the ball rests
        spin, land 30, seen wheel_stopped  | b1 win 700 1400 |  | 7.6 only while the ball spins
        spin, seen applause, land 30       | b1 win 700 1400 | WORD_UNKNOWN seen.applause | what section 7 does not name
    """),  # noqa: E501  (a row is a sentence)
)
def test_nobody_called(seen: str, backs: str, flagged: str) -> None:
    found = told(f"bet b1 p1 high 700, close, {seen}")

    assert story.backs(found) == backs
    assert story.flags(found) == flagged


@pytest.mark.parametrize("rank", LADDER)
@pytest.mark.parametrize(
    "reason",
    "same_direction few_revolutions foreign_object floater ball_out wheel_stopped interference".split(),  # noqa: SIM905, E501
)
def test_every_rank_may_call_what_was_seen(rank: str, reason: str) -> None:
    """RO:7.1 to 7.7 name the dealer, the inspector and the supervisor; RO:7.8 those above."""
    seen = "spin anticlockwise, turns 1, seen foreign_object, seen floater, seen ball_out"
    more = "seen wheel_stopped, seen interference, examined dealer_inspector"

    found = told(
        f"bet b1 p1 red 5, close, {seen}, {more}, call {rank} {reason} spinning, back 8",
        carry=PREVIOUS,
    )

    assert story.backs(found) == "b1 void 0 5"
    assert story.flags(found) == ""


@pytest.mark.parametrize("rank", LADDER)
def test_suspicion_is_not_for_the_dealer(rank: str) -> None:
    found = told(f"bet b1 p1 red 5, close, spin, call {rank} suspected spinning, back 8")

    assert story.backs(found) == "b1 void 0 5"
    assert story.flags(found) == ("NO_SPIN_AUTHORITY 7.8" if rank == "dealer" else "")


@pytest.mark.parametrize(
    ("calls", "backs", "flagged"),
    cases("""
        call dealer ball_out spinning, examined dealer_inspector, land 4 | b1 void 0 400 | NO_SPIN_UNSUPPORTED 7.5 | unsupported, still effective
        call dealer few_revolutions spinning, land 4 | b1 void 0 400 | NO_SPIN_UNSUPPORTED 7.2 | revolutions were not counted
        call dealer bad_luck spinning, land 4 | b1 void 0 400 | NO_SPIN_UNSUPPORTED 7.9 | a reason section 7 does not know
        land 4, call dealer_inspector suspected landed | b1 void 0 400 |  | landed, before the dolly
        land 4, dolly 4, call dealer_inspector suspected paying | b1 void 0 400 | NO_SPIN_AFTER_RESULT 2.2 | dolly down
        land 4, dolly 4, settle b1 400 400, call dealer_inspector suspected after_paid | b1 win 400 800 | NO_SPIN_TOO_LATE 2.2 | all paid
        call dealer suspected spinning, call pit_supervisor suspected spinning | b1 void 0 400 |  | a second call with the rank
        land 4, call dealer_inspector suspected landed, dolly 4 | b1 void 0 400 | RESULT_MISMATCH 2.1 | a number marked for a void spin
        land 4, dolly 4, call pit_manager suspected paying, dolly 6 | b1 void 0 400 | NO_SPIN_AFTER_RESULT 2.2, RESULT_MISMATCH 2.1 | a number marked after the call
        land 4, call dealer_inspector suspected landed, result no spin | b1 void 0 400 |  | called as what it was
        turns 2, land 4, settle b1 400 400, call dealer few_revolutions after_paid | b1 win 400 800 | NO_SPIN_NOT_CALLED 7.2, NO_SPIN_TOO_LATE 2.2 | too late is not called
        seen ball_out, call dealer ball_out spinning | b1 void 0 400 | BALL_NOT_EXAMINED 7.5 | nobody examined the ball
        seen ball_out, call dealer ball_out spinning, examined dealer | b1 void 0 400 | BALL_NOT_EXAMINED 7.5 | one rank too low to examine
        seen ball_out, call dealer ball_out spinning, examined dealer_inspector | b1 void 0 400 |  | the inspector examined it
    """),  # noqa: E501
)
def test_calls(calls: str, backs: str, flagged: str) -> None:
    found = told(f"bet b1 p1 even 400, close, spin, {calls}, back 8", carry=PREVIOUS)

    assert story.backs(found) == backs
    assert story.flags(found) == flagged


@pytest.mark.parametrize(
    ("events", "backs", "flagged"),
    cases("""
        land 4, dolly 4, WON, LOST, call pit_manager suspected spinning          | b1 win 400 800, b2 lose 0 0 | NO_SPIN_TOO_LATE 2.2, PHASE_CONTRADICTED 2.2     | said to be spinning, all was paid
        land 4, dolly 4, WON, LOST, call pit_manager suspected paying            | b1 win 400 800, b2 lose 0 0 | NO_SPIN_TOO_LATE 2.2, PHASE_CONTRADICTED 2.2     | said to be paying, all was paid
        land 4, dolly 4, WON, call pit_manager suspected landed                  | b1 win 400 800, b2 lose 0 0 | NO_SPIN_TOO_LATE 2.2, PHASE_CONTRADICTED 2.2     | the losers do not make a spin longer
        land 4, WON, call pit_manager suspected after_paid                       | b1 win 400 800, b2 lose 0 0 | NO_SPIN_TOO_LATE 2.2                             | paid without a dolly
        land 4, dolly 4, end, call pit_manager suspected paying                  | b1 win 400 800, b2 lose 0 0 | NO_SPIN_TOO_LATE 2.2, PHASE_CONTRADICTED 2.2     | the round was closed
        land 4, dolly 4, call pit_manager suspected after_paid, back 8           | b1 void 0 400, b2 void 0 50 | NO_SPIN_AFTER_RESULT 2.2, PHASE_CONTRADICTED 2.2 | nobody was paid
        land 4, dolly 4, LOST, call pit_manager suspected after_paid, back 8     | b1 void 0 400, b2 void 0 50 | MISPAY b2, NO_SPIN_AFTER_RESULT 2.2, PHASE_CONTRADICTED 2.2 | only the loser was taken
        land 4, dolly 4, call pit_manager suspected after_paid, WON, LOST, back 8 | b1 void 0 400, b2 void 0 50 | MISPAY b1, MISPAY b2, NO_SPIN_AFTER_RESULT 2.2, PHASE_CONTRADICTED 2.2 | paid after the call
        land 4, dolly 4, call pit_manager suspected spinning, back 8             | b1 void 0 400, b2 void 0 50 | NO_SPIN_AFTER_RESULT 2.2, PHASE_CONTRADICTED 2.2 | said to be spinning, the dolly was down
        call pit_manager suspected paying, land 4, back 8                        | b1 void 0 400, b2 void 0 50 | PHASE_CONTRADICTED 2.2                           | said to be paying, the ball still ran
        land 4, call pit_manager suspected spinning, back 8                      | b1 void 0 400, b2 void 0 50 |                                                  | the ball has just come to rest
        land 4, call pit_manager suspected paying, back 8                        | b1 void 0 400, b2 void 0 50 | NO_SPIN_AFTER_RESULT 2.2                         | nobody saw a dolly
        land 4, call pit_manager suspected landed, BACK, call director suspected spinning, back 8 | b1 void 0 400, b2 void 0 50 |                              | a second call when the stakes are back
        land 0, dolly 0, LOST, call pit_manager suspected paying, back 8         | b1 void 0 400, b2 void 0 50 | MISPAY b2, NO_SPIN_AFTER_RESULT 2.2              | nobody to be paid, the word counts
        land 0, dolly 0, LOST, TAKEN, call pit_manager suspected paying          | b1 lose 0 0, b2 lose 0 0    | NO_SPIN_TOO_LATE 2.2, PHASE_CONTRADICTED 2.2     | nobody to be paid, all was taken
        land 0, LOST, TAKEN, call pit_manager suspected spinning                 | b1 lose 0 0, b2 lose 0 0    | NO_SPIN_TOO_LATE 2.2, PHASE_CONTRADICTED 2.2     | the same without a dolly
        LOST, TAKEN, call pit_manager suspected spinning, land 0, dolly 0, back 8 | b1 void 0 400, b2 void 0 50 | MISPAY b1, MISPAY b2, RESULT_MISMATCH 2.1, SETTLED_BEFORE_PLAY b1, SETTLED_BEFORE_PLAY b2 | taken while the ball still ran
        land 0, dolly 0, LOST, call pit_manager suspected after_paid             | b1 lose 0 0, b2 lose 0 0    | NO_SPIN_TOO_LATE 2.2                             | nobody to be paid, the word counts again
    """),  # noqa: E501
)
def test_the_order_of_events_says_when_a_no_spin_was_called(
    events: str, backs: str, flagged: str
) -> None:
    done = {
        "WON": "settle b1 400 400",
        "LOST": "settle b2 0 0 50",
        "TAKEN": "settle b1 0 0 400",
        "BACK": "settle b1 0 400, settle b2 0 50",
    }
    for word, lines in done.items():
        events = events.replace(word, lines)

    found = told(f"bet b1 p1 even 400, bet b2 p2 red 50, close, spin, {events}", carry=PREVIOUS)

    assert story.backs(found) == backs
    assert story.flags(found) == flagged


@pytest.mark.parametrize(
    ("events", "previous", "flagged"),
    cases("""
        spin, call dealer_inspector suspected spinning, back 8 | 8  |                         | back where it last won
        spin, call dealer_inspector suspected spinning, back 9 | 8  | BALL_NOT_RETURNED 7.9.1 | another pocket
        spin, call dealer_inspector suspected spinning         | 8  | BALL_NOT_RETURNED 7.9.1 | not put back
        spin, call dealer_inspector suspected spinning, back ? | 8  |                         | put back, pocket unread
        spin, call dealer_inspector suspected spinning, back 9 |    |                         | nobody knows where it last won
        from 8, call dealer_inspector suspected spinning, back 9 |  | BALL_NOT_RETURNED 7.9.1 | the release says where it came from
    """),  # noqa: E501
)
def test_the_ball_goes_back(events: str, previous: str, flagged: str) -> None:
    carry = {"previous_pocket": int(previous)} if previous else {}

    found = told(f"bet b1 p1 even 400, close, {events}", carry=carry)

    assert story.flags(found) == flagged


@pytest.mark.parametrize(
    ("events", "status", "outcome", "flagged"),
    cases("""
        spin, land 17, dolly 17, result 17 black | settled | 17 black |                     | all agree
        spin, land 17, dolly 18                  | settled | 17 black | RESULT_MISMATCH 2.1 | the sensor leads
        spin, land 17, result 18 red             | settled | 17 black | RESULT_MISMATCH 2.1 | the dealer's call
        spin, land 17, board 18                  | settled | 17 black |                     | the display is no entry of the dealer
        spin, land 17, dolly 37                  | settled | 17 black | RESULT_MISMATCH 2.1 | a number this wheel lacks
        spin, land ?                             | unknown |          | RESULT_UNKNOWN 4.10 | unread, no other witness
        spin, land 37                            | unknown |          | RESULT_UNKNOWN 4.10 | no pocket of this wheel
        spin, land 37, dolly 17                  | unknown |          | RESULT_UNKNOWN 4.10 | the dealer's word does not heal it
        spin, land 37, land 17                   | unknown |          | RESULT_UNKNOWN 4.10 | nor does a second reading
        spin, land 17, land 18                   | unknown |          | RESULT_UNKNOWN 4.10 | the sensor contradicts itself
        spin, land ?, dolly 17                   | settled | 17 black |                     | unread, dolly alone
        close, dolly 17                          | settled | 17 black |                     | no sensor, dolly alone
        close, result zero                       | settled | 0 green  |                     | no sensor, call alone
        spin, land ?, dolly 17, result 18        | unknown |          | RESULT_UNKNOWN 4.10 | dolly and call differ
        voided                                   | void    |          |                     | called off before the spin
        bet b2 p2 red 5                          | unsettled |        |                     | still betting
    """),  # noqa: E501
)
def test_which_pocket_won(events: str, status: str, outcome: str, flagged: str) -> None:
    found = told(f"bet b1 p1 straight:17 100, {events}")

    assert found.ruled.status == status
    assert found.ruled.outcome == outcome
    assert story.flags(found) == flagged


def test_a_pocket_the_wheel_does_not_have_is_named() -> None:
    found = told("bet b1 p1 straight:17 100, close, spin, land 37, dolly 17")

    assert found.dues == ()
    assert english(found.steps[-1].text) == (
        "the winning pocket is unknown: sensor 37, which this wheel does not have, dolly 17"
    )


def test_an_unknown_pocket_names_the_readings_and_owes_nothing() -> None:
    found = told("bet b1 p1 straight:17 100, close, spin, land ?, dolly 17, result 18")

    assert found.dues == ()
    assert english(found.steps[-1].text) == (
        "the winning pocket is unknown: the sensor read none, dolly 17, dealer 18"
    )
    assert found.steps[-1].evidence


@pytest.mark.parametrize(
    ("issue", "reading", "events", "backs"),
    cases("""
        missed_no_spin | result_stands | bet b1 p1 high 700, close, spin, turns 2, land 30 | b1 win 700 1400 | as read by the house
        missed_no_spin | void          | bet b1 p1 high 700, close, spin, turns 2, land 30 | b1 void 0 700   | the missed call counts as made
        dolly_alone    | counts        | bet b1 p1 high 700, close, spin, land ?, dolly 30 | b1 win 700 1400 | the dealer is a witness
        dolly_alone    | unknown       | bet b1 p1 high 700, close, spin, land ?, dolly 30 |                 | the dealer is none
        late_actions   | ignored       | bet b1 p1 high 700, close, move b1 low, spin, land 30 | b1 win 700 1400 | where it lay at no more bets
        late_actions   | as_at_rest    | bet b1 p1 high 700, close, move b1 low, spin, land 30 | b1 lose 0 0     | where it lay when the ball came to rest
        late_actions   | as_at_rest    | bet b1 p1 high 700, close, spin, land 30, move b1 low | b1 win 700 1400 | moved after the ball came to rest
        late_actions   | as_at_rest    | bet b1 p1 high 700, close, withdraw b1, spin, land 30 | b1 returned 0 700 | gone before the ball came to rest
        zero_trio      | both          | bet b1 p1 trio:0-2-3 100, close, spin, land 3 | b1 win 1100 1200 | the mirror image counts
        zero_trio      | only_0_1_2    | bet b1 p1 trio:0-2-3 100, close, spin, land 3 | b1 refused 0 100 | only the one that is named
    """),  # noqa: E501
)
def test_readings_of_unclear_clauses(issue: str, reading: str, events: str, backs: str) -> None:
    found = told(events, terms={"readings": {issue: reading}})

    assert story.backs(found) == backs
    assert found.ruled.readings == {issue: reading}


def test_a_plain_spin_depends_on_no_reading() -> None:
    assert told("bet b1 p1 high 700, close, spin, turns 9, land 30").ruled.readings == {}


@pytest.mark.parametrize(
    ("events", "carried"),
    cases("""
        close, spin, land 17                                        | 17 | the winning pocket is carried
        close, spin, land 17, call dealer_inspector suspected landed | 8 | a void spin leaves the one before
        close, spin, land ?                                         |    | an unknown one leaves nothing
    """),  # noqa: E501
)
def test_the_winning_pocket_is_remembered(events: str, carried: str) -> None:
    found = told(f"bet b1 p1 red 5, {events}", carry=PREVIOUS)

    assert str(found.ruled.memory.get("previous_pocket", "")) == carried


@pytest.mark.parametrize(
    "carry",
    [
        {"previous_pocket": 37},
        {"colour_chips": {"blue": {"p1": "1000"}}},
    ],
    ids=str,
)
def test_a_carry_that_cannot_be_is_refused(carry: dict[str, object]) -> None:
    with pytest.raises(BadTerms, match=f"^carry {next(iter(carry))}: .* expected, .* found$"):
        told("bet b1 p1 red 5, close, spin, land 5", carry=carry)


@pytest.mark.parametrize(
    ("result", "word"),
    cases("""
        17       | 17   | a number
        17 black | 17   | with its colour
        05       | 5    | with a leading zero
        Zero     | 0    | zero in letters
        no spin  |      | nothing won
        void     |      | nothing won at all
        banker   | banker | not a roulette result
    """),
)
def test_called_results_are_comparable(result: str, word: str) -> None:
    assert said(result) == word


@pytest.mark.parametrize(
    ("story", "flagged"),
    cases("""
        spin, turns 2, call dealer few_revolutions spinning, back 8, spin, turns 9, land 17 |  | 7.2 the count of the first spin
        spin, turns 2, call dealer few_revolutions spinning, land 17, back 8, spin, turns 9, land 17 |  | 7.2 it landed all the same
        spin, turns 9, call dealer few_revolutions spinning, back 8, spin, turns 2, land 17 | NO_SPIN_UNSUPPORTED 7.2 | 7.2 the later spin is no support
        spin, call dealer floater spinning, back 8, spin, turns 9, land 17 |  | 7.4 the later landing is no rest of the first
        spin, call dealer foreign_object spinning, back 8, spin, seen foreign_object, turns 9, land 17 | NO_SPIN_UNSUPPORTED 7.3 | 7.3 seen in the later spin
        spin, turns 1, call dealer few_revolutions spinning, turns 2, turns 3, land 17, back 8 | NO_SPIN_UNSUPPORTED 7.2 | 7.2 one spin is as long as its last count
    """),  # noqa: E501  (a row is a sentence)
)
def test_a_call_is_judged_by_the_spin_it_was_made_in(story: str, flagged: str) -> None:
    found = told(f"bet b1 p1 straight:17 100, close, {story}", carry=PREVIOUS)

    assert backs(found) == "b1 void 0 100"
    assert flags(found) == flagged


def test_a_spin_after_a_call_that_came_too_late_changes_no_result() -> None:
    paid = "spin, turns 9, land 17, dolly 17, settle b1 3500 100, call dealer suspected after_paid"

    found = told(f"bet b1 p1 straight:17 100, close, {paid}, spin, turns 9, land 8, dolly 8")

    assert backs(found) == "b1 win 3500 3600"
    assert flags(found) == "NO_SPIN_TOO_LATE 2.2, RESULT_MISMATCH 2.1"

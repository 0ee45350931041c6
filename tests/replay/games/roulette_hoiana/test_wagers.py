"""Hoiana Roulette: which wagers count, colour chips, and what people may decide."""

from dataclasses import replace

import pytest

from replay.judge import judge
from replay.rulebooks import in_force
from replay.sheets.sheet import read
from schemas import events as e
from schemas.ranks import LADDER, at_least
from schemas.shape import Refused
from tests.support import roulette_story as story
from tests.support.english import english
from tests.support.roulette_story import told
from tests.support.tables import cases

LIMITS = {"limits": [{"bet": "straight", "minimum": 1000, "maximum": 100000}]}
FOREIGN = "bet b1 p1 straight:17 5000 chips=R02/blue/2/2500"


@pytest.mark.parametrize(
    ("events", "backs", "flagged"),
    cases("""
        bet b1 p1 red 10, close | b1 win 10 20 |  | in time
        close, bet b1 p1 red 10 | b1 refused 0 10 | LATE_BET b1 | RO:4.6 placed late
        bet b1 p1 black 10, move b1 red, close | b1 win 10 20 |  | moved in time
        bet b1 p1 black 10, close, move b1 red | b1 lose 0 0 | LATE_ACTION b1 | RO:4.6 moved late
        bet b1 p1 red 10, raise b1 30, close | b1 win 30 60 |  | raised in time
        bet b1 p1 red 10, close, raise b1 30 | b1 win 10 20 | LATE_ACTION b1 | RO:4.6 raised late
        bet b1 p1 black 10, withdraw b1, close |  |  | withdrawn in time
        bet b1 p1 black 10, close, withdraw b1 | b1 lose 0 0 | LATE_ACTION b1 | RO:4.6 withdrawn late
        close, bet b1 p1 red 10, withdraw b1 | b1 refused 0 10 | LATE_BET b1 | a late bet is refused however it ends
        bet b1 p1 red 10 called, close | b1 win 10 20 |  | called with chips, in time
        bet b1 p1 red 10 no_chips, close | b1 refused 0 10 | CALL_BET_NOT_PLACED b1 | RO:4.3 without chips
        bet b1 p1 red 10 no_time, close | b1 refused 0 10 | CALL_BET_NOT_PLACED b1 | RO:4.3 not in time
        close, bet b1 p1 red 10 no_time | b1 refused 0 10 | CALL_BET_NOT_PLACED b1, LATE_BET b1 | both rows apply
        bet b1 p1 split:3-4 10, close | b1 refused 0 10 | ILLEGAL_POSITION b1 | RO:4.8 not on the layout
        bet b1 p1 neighbours:5 10, close | b1 refused 0 10 | ILLEGAL_POSITION b1 | RO:4.8 racetrack
        bet b1 p1 red 10, move b1 split:3-4, close | b1 win 10 20 | ILLEGAL_POSITION b1 | an illegal move leaves it where it was
        bet b1 p1 split:3-4 10, move b1 red, close | b1 win 10 20 |  | put right in time
    """),  # noqa: E501  (a row is a sentence)
)
def test_which_wagers_count(events: str, backs: str, flagged: str) -> None:
    found = told(f"{events}, spin, land 5")

    assert story.backs(found) == backs
    assert story.flags(found) == flagged


@pytest.mark.parametrize(
    ("events", "action"),
    cases("""
        bet b1 p1 red 10, close, spin, land 5                                       | 10 | in play
        bet b1 p1 split:3-4 10, close, spin, land 5                                 | 0  | refused
        close, bet b1 p1 red 10, spin, land 5                                       | 0  | late
        bet b1 p1 red 10, close, spin, call dealer_inspector suspected spinning      | 0  | void
    """),
)
def test_a_stake_that_goes_back_is_not_in_action(events: str, action: str) -> None:
    assert [str(due.action) for due in told(events).dues] == [action]


def test_a_void_wager_paid_all_the_same_breaks_the_clause_that_voids_it() -> None:
    void = "spin, call dealer_inspector suspected spinning, settle b1 10 10, back 8"

    found = told(f"bet b1 p1 red 10, close, {void}")
    settled = told("bet b1 p1 red 10, close, spin, land 5, settle b1 9 10")

    assert [flag.clause for flag in found.flags if flag.code == "MISPAY"] == ["RO:7.10"]
    assert [flag.clause for flag in settled.flags if flag.code == "MISPAY"] == ["RO:4.5"]


@pytest.mark.parametrize("rank", LADDER)
def test_a_chips_place_is_for_the_pit_supervisor_to_rule(rank: str) -> None:
    bet = "bet b1 p1 straight:18 100, close, spin, land 17"

    found = told(f"{bet}, rule {rank} RO:6.6 position b1 split:17-18")

    allowed = at_least(rank, "pit_supervisor")
    assert story.backs(found) == ("b1 win 1700 1800" if allowed else "b1 lose 0 0")
    assert story.flags(found) == ("" if allowed else "RULING_AUTHORITY b1")
    assert ("RO:6.6" in found.dues[0].clauses) is allowed


@pytest.mark.parametrize(
    ("bet", "rulings", "backs", "flagged"),
    cases("""
        red        | rule pit_supervisor RO:6.6 position b1 split:3-4 | b1 lose 0 0 | ILLEGAL_POSITION b1 | ruled to no place at all
        split:3-4  | rule pit_supervisor RO:6.6 position b1 column:2  | b1 win 20 30 |  | a doubtful chip finds its place
        red        | rule pit_supervisor RO:6.6 position b1 high, rule pit_manager RO:6.6 position b1 low | b1 win 10 20 | RULING_CONTRADICTED b1 | one above overrules
        red        | rule director RO:6.6 position b1 low, rule pit_supervisor RO:6.6 position b1 high | b1 win 10 20 | RULING_CONTRADICTED b1 | one below does not
        red        | rule pit_manager RO:6.6 position b1 high, rule pit_manager RO:6.6 position b1 low | b1 win 10 20 | RULING_CONTRADICTED b1 | the last word of equals stands
        red        | rule director RO:6.6 position b1 low, rule pit_supervisor RO:6.6 position b1 low | b1 win 10 20 |  | said twice
        red        | rule director RO:6.6 blah b1 low | b1 lose 0 0 | WORD_UNKNOWN b1 | a word that is no decision
        red        | rule director RO:6.6 blah | b1 lose 0 0 | WORD_UNKNOWN 6.6 | a word that is no decision on nobody
        red        | rule director RO:6.6 position - low | b1 lose 0 0 | RULING_WITHOUT_CAUSE 6.6 | no wager named
        red        | rule pit_manager RO:6.6 position b1 low, rule dealer RO:6.6 position b1 high | b1 win 10 20 | RULING_AUTHORITY b1 | a lower one has no effect
        red        | rule pit_supervisor RO:6.6 position b9 low | b1 lose 0 0 | RULING_WITHOUT_CAUSE b9 | a wager that is not there
    """),  # noqa: E501
)
def test_rulings_on_a_place(bet: str, rulings: str, backs: str, flagged: str) -> None:
    found = told(f"bet b1 p1 {bet} 10, close, spin, land 17, {rulings}")

    assert story.backs(found) == backs
    assert story.flags(found) == flagged


@pytest.mark.parametrize(
    ("events", "backs", "flagged"),
    cases("""
        RULED, close, spin, land 17                    | b1 lose 0 0   | RULING_WITHOUT_CAUSE b1 | before no more bets
        close, spin, RULED, land 17                    | b1 lose 0 0   | RULING_WITHOUT_CAUSE b1 | the ball still ran
        close, spin, land 17, RULED                    | b1 win 10 20  |                         | the ball rests
        close, dolly 17, RULED                         | b1 win 10 20  |                         | the dolly alone
        close, spin, board 17, RULED, land 17          | b1 lose 0 0   | RULING_WITHOUT_CAUSE b1 | the display is no entry of the dealer
    """),  # noqa: E501
)
def test_a_place_is_ruled_on_once_the_number_is_known(
    events: str, backs: str, flagged: str
) -> None:
    ruled = "rule director RO:6.6 position b1 low"

    found = told(f"bet b1 p1 red 10, {events.replace('RULED', ruled)}")

    assert story.backs(found) == backs
    assert story.flags(found) == flagged


@pytest.mark.parametrize("rank", LADDER)
def test_only_management_refuses_foreign_winners(rank: str) -> None:
    found = told(f"{FOREIGN}, close, spin, land 17, rule {rank} RO:7.11.1 refuse_payment b1")

    allowed = at_least(rank, "pit_manager")
    paid, refused = "b1 win 175000 180000", "b1 win_refused 0 5000"
    assert story.backs(found) == (refused if allowed else paid)
    assert ("RULING_AUTHORITY b1" in story.flags(found)) is not allowed
    assert found.ruled.readings == {"management": "pit_manager"}


@pytest.mark.parametrize(
    ("rulings", "backs", "against"),
    cases("""
        rule director RO:7.11.1 refuse_payment b1, rule pit_manager RO:4.7.4.1 allow_payment b1 | b1 win_refused 0 5000 | RULING_CONTRADICTED | one below does not overrule
        rule director RO:7.11.1 refuse_payment, rule pit_manager RO:4.7.4.1 allow_payment b1 | b1 win_refused 0 5000 | RULING_CONTRADICTED | nor for one wager of all
        rule pit_manager RO:7.11.1 refuse_payment, rule director RO:4.7.4.1 allow_payment b1 | b1 win 175000 180000 | | an exception by one above
        rule director RO:4.7.4.1 allow_payment b1, rule director RO:7.11.1 refuse_payment | b1 win 175000 180000 | | an exception by the same
        rule director RO:7.11.1 refuse_payment b1, rule director RO:4.7.4.1 allow_payment b1 | b1 win 175000 180000 | RULING_CONTRADICTED | taken back
    """),  # noqa: E501
)
def test_managements_highest_word_stands(rulings: str, backs: str, against: str) -> None:
    found = told(f"{FOREIGN}, close, spin, land 17, {rulings}")

    assert story.backs(found) == backs
    assert {flag.code for flag in found.flags} - {"FOREIGN_COLOUR_CHIPS"} == (
        {against} if against else set()
    )


@pytest.mark.parametrize(
    ("events", "backs"),
    cases("""
        land 17, rule director RO:7.11.1 refuse_payment | b1 win_refused 0 5000 | all foreign winners
        land 18, rule director RO:7.11.1 refuse_payment | b1 lose 0 0           | losers are taken
        land 17, rule director RO:7.11.1 refuse_payment b1, rule director RO:4.7.4.1 allow_payment b1 | b1 win 175000 180000 | allowed after all
        land 17, rule director RO:7.12 business_decision b1 goodwill | b1 win 175000 180000 | a business decision is never derived
    """),  # noqa: E501
)
def test_management_decides(events: str, backs: str) -> None:
    assert story.backs(told(f"{FOREIGN}, close, spin, {events}")) == backs


def test_payment_of_the_tables_own_chips_cannot_be_refused() -> None:
    bet = "bet b1 p1 straight:17 5000 chips=R01/blue/2/2500"

    found = told(f"{bet}, close, spin, land 17, rule director RO:7.11.1 refuse_payment b1")

    assert story.backs(found) == "b1 win 175000 180000"
    assert "RULING_WITHOUT_CAUSE b1" in story.flags(found)


@pytest.mark.parametrize("rank", LADDER)
def test_business_decisions_are_the_directors(rank: str) -> None:
    found = told(f"bet b1 p1 red 5, close, spin, land 1, rule {rank} RO:7.12 business_decision")

    assert story.flags(found) == ("" if rank == "director" else "RULING_AUTHORITY 7.12")
    assert any("business decision" in english(step.text) for step in found.steps)


def test_colour_chips_are_worth_what_their_own_table_says() -> None:
    issued = "issue p1 blue 3000 marker"
    own = told(f"{issued}, bet b1 p1 straight:17 5000 chips=R01/blue/2/2500, close, spin, land 17")
    other = told(f"{issued}, {FOREIGN}, close, spin, land 17")
    raised = told(f"{FOREIGN}, raise b1 7500, close, spin, land 17")

    assert own.dues[0].stake == 6000
    assert story.flags(own) == "STAKE_CONTRADICTED b1"
    assert other.dues[0].stake == 5000
    assert raised.dues[0].stake == 7500


@pytest.mark.parametrize(
    ("story_of_chips", "stake", "flagged"),
    cases("""
        BET, ISSUE, close, spin, land 17, PAY | 6000 | STAKE_CONTRADICTED b1 | issued while bets were taken
        BET, close, ISSUE, spin, land 17, PAY | 5000 | COLOUR_ISSUED_LATE b1 | issued after no more bets
        BET, spin, land 17, ISSUE, PAY        | 5000 | COLOUR_ISSUED_LATE b1 | where nobody called it, with the ball at rest
        BET, close, spin, land 17, PAY, ISSUE | 5000 | COLOUR_ISSUED_LATE b1 | issued after the payment
        BET, close, spin, land 17, PAY, end, ISSUE | 5000 | COLOUR_ISSUED_LATE b1 | issued after the close
        BET, close, spin, land 17, PAY, issue p2 blue 3000 marker | 5000 |  | to another player, who may bet next
        BET, close, spin, land 17, PAY, issue p1 red 3000 marker  | 5000 |  | in another colour
        ISSUE, BET, close, spin, land 17, PAY, issue p1 blue 9000 marker value=pit_manager | 6000 | STAKE_CONTRADICTED b1 | at another value for the next spin
        ISSUE, BET, close, spin, land 17, PAY, rule dealer RO:4.7.4 redeemed p1, issue p2 blue 3000 marker | 6000 | STAKE_CONTRADICTED b1 | redeemed and issued to another after the payment
    """),  # noqa: E501
)
def test_chips_are_worth_what_was_on_record_when_betting_ended(
    story_of_chips: str, stake: str, flagged: str
) -> None:
    words = {
        "BET": "bet b1 p1 straight:17 5000 chips=R01/blue/2/2500",
        "ISSUE": "issue p1 blue 3000 marker",
        "PAY": f"settle b1 {35 * int(stake)} {stake}",
    }
    for short, line in words.items():
        story_of_chips = story_of_chips.replace(short, line)

    found = told(story_of_chips)

    assert found.dues[0].stake == int(stake)
    assert story.flags(found) == flagged


def test_a_set_that_was_issued_late_is_in_use_in_the_next_round() -> None:
    bet = "bet b1 p1 straight:17 5000 chips=R01/blue/2/2500"
    first = told(f"{bet}, close, spin, land 5, issue p1 blue 3000 marker")

    assert first.ruled.memory["colour_chips"] == {"blue": {"p1": 3000}}
    (late,) = (step for step in first.steps if "after betting had ended" in english(step.text))
    assert len(late.evidence) == 2


@pytest.mark.parametrize(
    ("issues", "flagged"),
    cases("""
        issue p1 blue 1000, issue p2 red 1000 |  | one set each
        issue p1 blue 1000, issue p1 blue 1000 |  | more of the same set
        issue p1 blue 1000, issue p1 red 1000 | SECOND_COLOUR_SET p1 | RO:4.7.3 nobody gave leave
        issue p1 blue 1000, issue p1 red 1000 pit_supervisor | SECOND_COLOUR_SET p1 | RO:4.7.3 one rank too low
        issue p1 blue 1000, issue p1 red 1000 pit_manager |  | RO:4.7.3 leave of a pit manager
        issue p1 blue 1000, issue p1 red 500 | COLOUR_VALUE_DIFFERS p1, SECOND_COLOUR_SET p1 | RO:4.7.3 another value
        issue p1 blue 1000, issue p1 red 500 pit_manager | COLOUR_VALUE_DIFFERS p1 | RO:4.7.3.1 one leave is not two
        issue p1 blue 1000, issue p1 red 500 value=pit_manager | SECOND_COLOUR_SET p1 | RO:4.7.3 nor the other
        issue p1 blue 1000, issue p1 red 500 pit_manager value=pit_manager |  | RO:4.7.3.1 authorised
        issue p1 blue 1000, issue p1 red 500 pit_manager value=dealer | COLOUR_VALUE_DIFFERS p1 | RO:4.7.3.1 by too low a rank
        issue p1 blue 1000, issue p1 blue 500 | COLOUR_VALUE_DIFFERS p1 | RO:4.7.3 the same colour at another value
        issue p1 blue 1000, issue p1 blue 500 pit_manager | COLOUR_VALUE_DIFFERS p1 | RO:4.7.3.1 leave for another thing
        issue p1 blue 1000, issue p1 blue 500 value=pit_manager |  | RO:4.7.3.1 the same colour, authorised
        issue p1 blue 1000, rule dealer RO:4.7.4 redeemed p1, issue p1 blue 500 |  | redeemed before
        issue p1 blue 2500 | VALUE_MARKER_MISSING p1 | RO:4.7.5 above the minimum
        issue p1 blue 2500 marker |  | RO:4.7.5 marked
        issue p1 blue 1000, issue p2 blue 1000 | COLOUR_SHARED p2 | one colour, one holder
        issue p1 blue 1000, bet b2 p2 red 1000 chips=R01/blue/1/1000 | COLOUR_SHARED b2 | bet by another
        bet b2 p1 red 1000 chips=R01/blue/1/1000, bet b3 p2 red 1000 chips=R01/blue/1/1000 | COLOUR_SHARED b3 | nobody saw them issued
        issue p1 blue 1000, bet b2 p2 red 1000 chips=R02/blue/1/1000 | FOREIGN_COLOUR_CHIPS b2 | the same colour of another table
        issue p1 blue 1000, rule dealer RO:4.7.4 redeemed p1 blue, issue p2 blue 1000 |  | redeemed before
        issue p1 blue 1000, rule dealer RO:4.7.4 redeemed p1, issue p1 red 1000 |  | all redeemed before
    """),  # noqa: E501
)
def test_colour_chips(issues: str, flagged: str) -> None:
    found = told(f"{issues}, bet b1 p9 red 1000, close, spin, land 5", terms=LIMITS)

    assert story.flags(found) == flagged


def test_no_minimum_posted_no_marker_due() -> None:
    assert story.flags(told("issue p1 blue 2500, bet b1 p1 red 10, close, spin, land 5")) == ""


def test_sets_are_carried_from_round_to_round() -> None:
    first = told("issue p1 blue 1000, bet b1 p1 red 10, close, spin, land 5")
    second = told("issue p2 blue 1000, close, spin, land 5", carry=dict(first.ruled.memory))

    assert first.ruled.memory["colour_chips"] == {"blue": {"p1": 1000}}
    assert story.flags(second) == "COLOUR_SHARED p2"


@pytest.mark.parametrize(
    ("events", "flagged"),
    cases("""
        rule dealer_inspector RO:8.4 dispute_decided d1 8.4.1 |  | RO:8.1 the inspector may
        rule dealer RO:8.4 dispute_decided d1 8.4.1 | DISPUTE_AUTHORITY 8.1 | RO:8.1 the dealer may not
        rule pit_manager RO:8.4 dispute_decided d1 8.4.5 | DISPUTE_NO_SURVEILLANCE 8.2 | RO:8.2 surveillance not informed
        report surveillance_informed d1, rule pit_manager RO:8.4 dispute_decided d1 8.4.6 |  | RO:8.2 informed before
        report surveillance_informed d2, rule pit_manager RO:8.4 dispute_decided d1 8.4.6 | DISPUTE_NO_SURVEILLANCE 8.2 | RO:8.2 informed of another
        rule pit_supervisor RO:8.4 dispute_decided d1 | DISPUTE_NO_BASIS 8.4 | RO:8.4 no ground
        rule pit_supervisor RO:8.4 dispute_decided d1 8.4.9 | DISPUTE_NO_BASIS 8.4 | RO:8.4 no such ground
        rule pit_supervisor RO:8.4 dispute_decided d1 8.4.1+8.4.8 |  | RO:8.4 two grounds
        rule pit_supervisor RO:8.4 dispute_decided d1 8.4.1, report player_disagreed d1 | DISPUTE_RIGHTS_NOT_TOLD 8.5 | RO:8.5 not told
        rule pit_supervisor RO:8.4 dispute_decided d1 8.4.1, report player_disagreed d1, report complaint_right_told d1 |  | RO:8.5 told
    """),  # noqa: E501
)
def test_disputes(events: str, flagged: str) -> None:
    found = told(f"bet b1 p1 red 10, close, spin, land 5, end, {events}")

    assert story.flags(found) == flagged
    assert story.backs(found) == "b1 win 10 20"


@pytest.mark.parametrize(
    ("clause", "due", "flagged"),
    cases("""
        RO:6.6 | b1 win 3500 3600 |                 | its own clause
        TB:6.6 | b1 lose 0 0      | WORD_UNKNOWN b1 | a clause of another rulebook
    """),
)
def test_a_ruling_is_made_under_a_clause_of_this_rulebook(
    clause: str, due: str, flagged: str
) -> None:
    ruled = f"rule pit_supervisor {clause} position b1 straight:17"

    found = told(f"bet b1 p1 straight:20 100, close, spin, turns 9, land 17, {ruled}")

    assert (story.backs(found), story.flags(found)) == (due, flagged)


def test_chips_handed_back_under_a_foreign_clause_are_still_held() -> None:
    issued = "issue p1 blue 1000, bet b1 p1 red 100, close, spin, turns 9, land 17"

    own = told(f"{issued}, rule dealer RO:4.7.4 redeemed p1 blue")
    foreign = told(f"{issued}, rule dealer TB:4.7.4 redeemed p1 blue")

    assert "colour_chips" not in own.ruled.memory
    assert foreign.ruled.memory["colour_chips"] == {"blue": {"p1": 1000}}
    assert story.flags(foreign) == "WORD_UNKNOWN p1"


def test_a_sheet_whose_stake_is_not_its_chips_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        told("bet b1 p1 straight:17 9000 chips=R02/blue/2/2500, close, spin, land 17")

    assert refused.value.where == "sheet.events[0].stake"
    assert refused.value.expected == "5000 for 2 chips at 2500"
    assert refused.value.found == "9000"


def test_a_log_whose_stake_is_not_its_chips_is_told() -> None:
    round, memory = read(story.sheet(f"{FOREIGN}, close, spin, turns 9, land 17"))
    events = tuple(
        replace(at, payload=replace(at.payload, stake=9000))
        if isinstance(at.payload, e.WagerPlaced)
        else at
        for at in round.events
    )

    found = judge(replace(round, events=events), in_force("RO", round.gaming_day), memory)

    assert [due.stake for due in found.dues] == [5000]
    assert story.flags(found) == "FOREIGN_COLOUR_CHIPS b1, STAKE_CONTRADICTED b1"


def test_chips_on_the_layout_keep_the_value_they_were_bet_at() -> None:
    """RO:4.7.3. The colour was issued anew at another value while its chips lay there."""
    found = told(
        "issue p1 blue 1000, bet b1 p1 straight:5 2000 chips=R01/blue/2/1000, "
        "issue p1 blue 500, close, spin, turns 9, land 5"
    )

    assert story.backs(found) == "b1 win 70000 72000"
    assert story.flags(found) == "COLOUR_VALUE_DIFFERS p1"

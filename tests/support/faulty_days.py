"""A day of each game with every fault it can show, and what the rules say of its rounds."""

from functools import cache

from replay.judge import Judgement
from replay.simulate.faults.fault import Truth
from schemas import events as e
from tests.support.simulated_days import Played, judged, played

GAMES = (
    *("TB", "RO", "SA-SB", "SA-FPC", "SA-HL", "SA-XD", "SA-BC", "SA-DT", "SA-PD"),
    *("SA-RO", "SA-AB", "SA-TP", "SA-BJ", "NN"),
)  # and TH, whose two ways of dealing have days of their own
ROUNDS = 220
# Checks that no simulated day can show, with the file and the test that shows each.
CASES = "tests/audit/checks/test_case_rows.py"
LEANING = "tests/audit/checks/test_leaning.py"
CHANCE = "tests/audit/checks/test_chance.py"
LOSSES = "tests/audit/commands/test_famous_losses.py"
REAL = "tests/audit/checks/test_real_recordings.py"
SHOWN_ELSEWHERE = {
    # no door lets such a number in: only a log from before the doors refused it holds one
    "INT-12": (
        "tests/replay/rulings/every_game/test_absurd_numbers.py",
        "test_the_house_is_derived_and_checked_and_the_number_is_told",
    ),
    # no door lets it in: only a log from before the doors refused it holds such an event
    "INT-14": (
        "tests/replay/rulings/every_game/test_other_speakers.py",
        "test_an_event_of_another_kind_is_replayed_and_told",
    ),
    # nothing at a table makes the rules stumble: a day that they cannot derive is their own fault
    "INT-13": (
        "tests/replay/batch/test_failures.py",
        "test_the_command_says_so_in_words_and_exit_code_and_so_does_a_finding",
    ),
    # a table does not play these: a case, a certificate and a filing are kept beside it
    "CASE-01": (CASES, "test_what_was_left_out_of_a_dispute_is_found"),
    "CASE-02": (CASES, "test_what_was_left_out_of_a_dispute_is_found"),
    "CASE-03": (CASES, "test_what_nobody_did_for_months_is_found"),
    "CASE-04": (CASES, "test_what_was_left_out_of_a_dispute_is_found"),
    "CASE-05": (CASES, "test_what_nobody_did_for_months_is_found"),
    "CASE-06": (CASES, "test_what_nobody_did_for_months_is_found"),
    "CASE-07": (CASES, "test_a_table_that_pays_below_its_certificate_is_found"),
    "CASE-08": (CASES, "test_an_edition_that_nobody_filed_is_found"),
    # no single round shows these: they speak of a shoe, of two shoes, or of thousands of results
    "SHOE-03": (LOSSES, "test_an_unshuffled_shoe_is_found_within_two_hands"),
    "SHOE-04": (LOSSES, "test_a_packet_that_a_false_shuffle_kept_is_found_when_it_comes_again"),
    # it takes several counts of a tray
    "STAFF-03": (LEANING, "test_a_tray_that_is_short_by_the_same_amount_three_times_is_found"),
    # people judge findings after the day
    "STAFF-06": (CASES, "test_a_finding_that_its_own_dealer_cleared_is_found"),
    # habits take several gaming days to show
    "DEAL-13": (LEANING, "test_a_pace_that_leaves_its_band_on_three_days_is_told"),
    **dict.fromkeys(
        (
            *("BET-04", "BET-18", "IRR-12", "IRR-13"),
            *("STAFF-01", "STAFF-02", "STAFF-04", "STAFF-05"),
        ),
        (LEANING, "test_a_habit_is_told_with_who_has_it"),
    ),
    "INT-15": (REAL, "test_every_place_where_the_recorder_wrote_twice_is_found"),
    "RNG-01": (CHANCE, "test_a_pocket_that_comes_twice_as_often_is_found"),
    "RNG-02": (CHANCE, "test_a_tilted_wheel_is_found_by_its_arc"),
    "RNG-05": (CHANCE, "test_a_loaded_die_and_a_heavy_token_speak_against_chance"),
    "RNG-07": (CHANCE, "test_a_loaded_die_and_a_heavy_token_speak_against_chance"),
}


def day(code: str) -> Played:
    """A table of the game with every fault it can show."""
    return played(f"T01:{code}", ROUNDS, "all")


@cache
def of_rounds(code: str) -> dict[str, Judgement]:
    """What the rules say of each of its rounds."""
    return judged(day(code).readings)


def entries(code: str, name: str) -> list[Truth]:
    """What the truth says of a fault."""
    return [entry for entry in day(code).truth if entry.fault == name]


def at(code: str, name: str) -> Judgement:
    """What the rules say of the round of a fault."""
    entry = entries(code, name)[0]
    assert entry.round_id is not None
    return of_rounds(code)[entry.round_id]


def said(judgement: Judgement, kind: type[e.Payload]) -> list[e.Payload]:
    """The words of one kind that a round was told in."""
    return [x.payload for x in judgement.round.events if isinstance(x.payload, kind)]

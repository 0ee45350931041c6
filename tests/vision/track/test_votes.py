"""Looks at one thing add up; looks that are alike add up to little."""

import pytest

from schemas.events import Guess
from tests.support.frame_tables import guesses
from vision.track.votes import MAX_PROBABILITY, Votes, joint

S = 1_000_000


def looked(seen: str, times: int, probability: float = 0.9, votes: Votes | None = None) -> Votes:
    votes = votes or Votes(52).posed(0)
    start = votes.pose.until_us if votes.pose else 0
    for n in range(times):
        votes = votes.read(guesses(seen, probability), start + n * S // 10)
    return votes


def test_one_look_is_worth_what_it_says() -> None:
    (guess,) = looked("9H", 1).guesses()

    assert guess.seen == "9H"
    assert guess.probability == pytest.approx(0.9, abs=0.01)


def test_nothing_read_says_nothing() -> None:
    assert Votes(52).posed(0).read((), 0).guesses() == ()


def test_frames_of_one_pose_count_as_a_few_looks_however_many_they_are() -> None:
    second, minute, hour = (
        looked("9H", n, probability=0.6).guesses()[0].probability for n in (11, 600, 36_000)
    )

    assert 0.6 < second < minute
    assert hour == minute
    assert minute <= MAX_PROBABILITY


def test_one_wrong_frame_among_many_changes_little() -> None:
    votes = looked("9H", 6)
    votes = votes.read(guesses("6H", 0.99), 700_000)

    best = looked("9H", 9, votes=votes).guesses()[0]

    assert best.seen == "9H"
    assert best.probability > 0.9


def test_poses_that_disagree_leave_doubt() -> None:
    votes = looked("6H", 10, votes=looked("9H", 10).posed(S))

    assert {guess.seen for guess in votes.guesses()} == {"9H", "6H"}
    assert votes.guesses()[0].probability < 0.9


def test_alternatives_are_kept_and_add_up_to_one_at_most() -> None:
    named = (Guess("9H", 0.6), Guess("6H", 0.3), Guess("8H", 0.05), Guess("3H", 0.01))

    found = Votes(52).posed(0).read(named, 0).guesses()

    assert [guess.seen for guess in found] == ["9H", "6H", "8H"]
    assert sum(guess.probability for guess in found) <= 1


def test_passing_poses_are_no_looks_of_their_own() -> None:
    votes = Votes(52).posed(0)
    for n in range(20):
        votes = votes.read(guesses("9H", 0.5), n * S).posed(n * S)

    assert votes.guesses() == ()


def test_pieces_together_are_named_in_ascending_order() -> None:
    found = joint([guesses("5"), guesses("1"), guesses("2")])

    assert found[0].seen == "1-2-5"
    assert found[0].probability == pytest.approx(0.97**3, abs=1e-3)


def test_the_same_faces_in_another_order_are_the_same_throw() -> None:
    either = (Guess("1", 0.5), Guess("2", 0.5))

    assert joint([either, either])[0] == Guess("1-2", 0.5)


def test_one_unread_piece_leaves_the_throw_unread() -> None:
    assert joint([guesses("1"), ()]) == ()

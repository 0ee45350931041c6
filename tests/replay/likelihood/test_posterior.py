"""Three readings and the composition of the shoe: how likely each card and each explanation is."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.likelihood.posterior import (
    PPM,
    Composition,
    Posterior,
    Statement,
    millionths,
    parts,
    percent,
    stranger,
    weighed,
)
from replay.likelihood.witness_errors import CARDS, ComparedReading
from tests.support.tables import cases

FRESH = Composition(8, {})

codes = st.sampled_from(CARDS)
guesses = st.lists(st.tuples(codes, st.integers(0, PPM)), max_size=3).map(tuple)
said = st.one_of(
    st.builds(lambda code: Statement("shoe", "shoe-1", ((code, PPM),)), codes),
    st.builds(lambda code: Statement("dealer", "console-1", ((code, PPM),)), codes),
    st.builds(lambda read: Statement("camera", "camera-1", read), guesses),
)
gone = st.dictionaries(codes, st.integers(0, 9), max_size=52)
counts = st.dictionaries(
    st.builds(ComparedReading, st.just("camera"), st.just("camera-1"), codes, codes),
    st.integers(1, 50),
)


def shoe(code: str) -> Statement:
    return Statement("shoe", "shoe-1", ((code, PPM),))


def camera(code: str, probability: float = 0.99, device: str = "camera-1") -> Statement:
    return Statement("camera", device, ((code, millionths(probability)),))


def dealer(code: str) -> Statement:
    return Statement("dealer", "console-1", ((code, PPM),))


def best(found: Posterior) -> str:
    return max(found.cards, key=lambda code: found.cards[code])


@settings(max_examples=40, deadline=None)
@given(st.lists(said, max_size=4), st.integers(0, 8), gone, counts)
def test_the_posterior_sums_to_one(
    said: list[Statement], decks: int, gone: dict[str, int], counts: dict[ComparedReading, int]
) -> None:
    for found in (
        weighed(said, Composition(decks, gone), counts),
        stranger(said, Composition(decks, gone), counts, ["9H", "9H", "KS"], counted_on=True),
        stranger(said, Composition(decks, gone), counts, ["9H", "9H", "KS"], counted_on=False),
    ):
        shares = (found.misread, found.switched, found.foreign)

        assert sum(shares) == sum(found.cards.values()) == 1
        assert min(*shares, *found.cards.values()) >= 0
        assert sum(parts(shares)) == sum(parts(tuple(found.cards.values()))) == PPM


@settings(max_examples=15, deadline=None)
@given(st.lists(said, min_size=2, max_size=3), gone)
def test_the_order_of_the_witnesses_changes_nothing(
    said: list[Statement], gone: dict[str, int]
) -> None:
    found = [weighed(order, Composition(8, gone), {}) for order in permutations(said)]

    assert all(one == found[0] for one in found)


@settings(max_examples=15, deadline=None)
@given(st.lists(said, max_size=2), gone, counts, st.booleans())
def test_a_witness_that_holds_every_card_alike_changes_nothing(
    said: list[Statement], gone: dict[str, int], counts: dict[ComparedReading, int], named: bool
) -> None:
    nothing = tuple((code, 10_000) for code in CARDS) if named else ()
    left = Composition(8, gone)

    one, other = (
        weighed(all_said, left, counts)
        for all_said in (said, [*said, Statement("camera", "camera-1", nothing)])
    )

    assert one == other


@settings(max_examples=25, deadline=None)
@given(codes, codes)
def test_two_good_witnesses_beat_a_bad_one(good: str, bad: str) -> None:
    found = weighed([shoe(good), dealer(good), camera(bad)], FRESH, {})

    assert best(found) == good
    assert found.cards[good] > Fraction(999, 1000)


@pytest.mark.parametrize(
    ("read", "explanation"),
    cases("""
        shoe 9H, camera 9H               | misread  | everybody is right
        shoe 9H, camera 6H               | misread  | a pair that cameras confuse
        shoe 9H, camera 4C               | misread  | a camera that leaves one in a hundred open
        shoe 9H, camera 4C, dealer 4C    | switched | two saw the other card
        shoe 9H, camera 4C, dealer 9H    | misread  | the camera stands alone
        shoe 9H, dealer 8H               | misread  | a slip of the finger
    """),
)
def test_the_likeliest_explanation(read: str, explanation: str) -> None:
    speak = {"shoe": shoe, "camera": camera, "dealer": dealer}
    said = [speak[witness](code) for witness, code in map(str.split, read.split(", "))]

    found = weighed(said, FRESH, {})

    assert max(found._fields[:3], key=lambda name: getattr(found, name)) == explanation


def test_a_confusable_pair_is_likelier_misread_than_another() -> None:
    alike, unlike = (weighed([shoe("9H"), camera(c, 0.9999)], FRESH, {}) for c in ("6H", "4C"))

    assert alike.misread > unlike.misread
    assert unlike.switched > 2 * alike.switched


def test_a_camera_with_a_record_of_a_pair_is_doubted_for_it() -> None:
    record = {
        ComparedReading("camera", "camera-1", "6H", "9H"): 5,
        ComparedReading("camera", "camera-1", "9H", "9H"): 5,
    }
    said = [shoe("9H"), camera("6H", 0.9999), dealer("6H")]

    before, after, elsewhere = (
        weighed(said, FRESH, counts)
        for counts in ({}, record, {seen._replace(device_id="camera-2"): 5 for seen in record})
    )

    assert after.misread > 10 * before.misread
    assert elsewhere == before


def test_what_is_left_in_the_shoe_tips_the_scale() -> None:
    said = [camera("9H", 0.6), dealer("6H")]
    none_left = Composition(8, Counter({"6H": 8}))

    assert best(weighed(said, FRESH, {})) == "6H"
    assert best(weighed(said, none_left, {})) == "9H"


def test_a_ninth_copy_that_two_witnesses_saw_is_foreign() -> None:
    left = Composition(8, {"9H": 8})

    assert weighed([shoe("9H"), camera("9H")], left, {}).foreign > Fraction(95, 100)
    assert weighed([shoe("9H"), camera("9H")], Composition(8, {"9H": 7}), {}).misread > Fraction(
        999, 1000
    )


def test_a_stranger_is_foreign_unless_the_camera_may_have_counted_twice() -> None:
    alone, twice = (
        stranger([camera("5H", 0.98)], FRESH, {}, around, counted_on=True)
        for around in (["9H", "KS", "2D"], ["9H", "5H", "2D"])
    )

    assert alone.foreign > Fraction(95, 100)
    assert twice.misread > Fraction(8, 10)


def test_a_stranger_may_be_one_that_the_shoe_missed_unless_it_counted_on() -> None:
    around = ["9H", "KS", "2D"]

    missed = stranger([camera("5H", 0.98)], FRESH, {}, around, counted_on=False)

    assert missed.misread > Fraction(8, 10)


@pytest.mark.parametrize(
    ("probability", "said"),
    [(0.9761, 976_100), (1.0, PPM), (0.0, 0), (1 / 128, 7_813), (4.9e-7, 0), (1.5, PPM), (-1.0, 0)],
)
def test_a_probability_is_taken_to_the_nearest_millionth(probability: float, said: int) -> None:
    assert millionths(probability) == said
    assert millionths(float("nan")) == millionths(float("inf")) == 0


@pytest.mark.parametrize(
    ("ppm", "told"),
    [
        (0, "0.00 %"),
        (99, "< 0.01 %"),
        (123_456, "12.34 %"),
        (999_950, "> 99.99 %"),
        (PPM, "100.00 %"),
    ],
)
def test_shares_are_told_in_hundredths_of_a_percent(ppm: int, told: str) -> None:
    assert percent(ppm) == told

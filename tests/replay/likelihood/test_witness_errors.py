"""What witnesses take for what: the figures on file, and what is counted of each device."""

from fractions import Fraction

import pytest

from replay.likelihood import witness_errors
from replay.likelihood.witness_errors import CARDS, ComparedReading, ErrorRecord, counted, figures
from replay.rounds import Fold
from replay.sentence import say
from replay.witnesses import Sight
from schemas import events as e
from tests.support import houses
from tests.support.houses import Said
from tests.support.tables import cases

WITNESSES = ("shoe", "camera", "dealer")


def sight(read: str, sure: float = 0.97) -> Sight:
    said = dict(map(str.split, read.split(", ")))
    return Sight(
        "player",
        1,
        1,
        shoe=said.get("shoe"),
        camera=said.get("camera"),
        camera_probability=sure if "camera" in said else 0.0,
        dealer=said.get("dealer"),
        evidence=("E1",),
        shoe_device="shoe-1",
        camera_device="camera-1",
        dealer_device="console-1",
    )


@pytest.mark.parametrize("witness", WITNESSES)
def test_the_parts_of_every_card_add_up(witness: str) -> None:
    kind = figures(witness)

    for dealt in CARDS:
        parts = [kind.parts[said, dealt] for said in CARDS]

        assert sum(parts) == kind.whole
        assert min(parts) > 0
        assert Fraction(kind.parts[dealt, dealt], kind.whole) == 1 - kind.wrong


@pytest.mark.parametrize(
    ("witness", "likelier", "than"),
    cases("""
        camera | 6H for 9H | 5H for 9H | upside down
        camera | 9H for 6H | 7H for 6H | and the other way round
        camera | KD for KH | KS for KH | suits of one colour
        camera | 4H for 2H | 4S for 2H | half an index is better than none
        dealer | 8H for 9H | 4H for 9H | the key beside it
    """),
)
def test_some_cards_are_more_alike(witness: str, likelier: str, than: str) -> None:
    parts = figures(witness).parts
    one, other = (tuple(pair.split(" for ")) for pair in (likelier, than))

    assert parts[one[0], one[1]] > parts[other[0], other[1]]


def test_the_shoe_errs_least_and_the_dealer_most() -> None:
    wrong = [figures(witness).wrong for witness in WITNESSES]

    assert wrong == sorted(wrong)
    assert [witness_errors.wrong_ppb(witness) for witness in WITNESSES] == [10, 200_000, 1_000_000]
    assert witness_errors.edition()


@pytest.mark.parametrize(
    ("read", "found"),
    cases("""
        shoe 9H                       |                                        | nobody else read it
        shoe 9H, camera 9H            | camera 9H 9H, shoe 9H 9H               | both are right
        shoe 9H, camera 6H            | camera 6H 9H                           | the shoe errs less
        camera 9H, dealer 8H          | dealer 8H 9H                           | the camera does
        shoe 9H, camera 6H, dealer 9H | camera 6H 9H, dealer 9H 9H, shoe 9H 9H | two against one
        shoe 9H, camera 6H, dealer 6H | camera 6H 6H, dealer 6H 6H, shoe 9H 6H | two against it
        shoe 9H, camera 6H, dealer 5H | camera 6H 9H, dealer 5H 9H             | all three differ
    """),
)
def test_a_reading_is_held_against_the_better_witness(read: str, found: str) -> None:
    seen = list(counted(sight(read)))

    assert ", ".join(f"{one.witness} {one.said} {one.card}" for one in seen) == found


def test_an_unsure_camera_and_a_shoe_that_contradicts_itself_count_for_nothing() -> None:
    unsure = sight("shoe 9H, camera 6H", sure=0.6)
    disputed = Sight(
        "player", 1, 1, camera="6H", camera_probability=0.99, disputed=say("shared.read_by_nobody")
    )

    assert [*counted(unsure), *counted(disputed)] == []


def test_a_record_keeps_the_readings_that_were_wrong() -> None:
    record = ErrorRecord()
    for seen in ("6H", "9H"):
        record.take(event for event, _ in houses.sealed("T1", dealt("R1", seen)))

    whole = record.copy()
    whole.take(event for event, _ in houses.sealed("T1", dealt("R1", "6H")))

    assert [row[2:] for row in record.rows("T1", houses.DAY)] == [
        ("camera", "console", "6H", "9H", 1, 200_000, ("T1/console/1", "T1/console/2")),
        ("camera", "console", "9H", "9H", 1, 200_000, ()),
        ("shoe", "console", "9H", "9H", 1, 10, ()),
    ]
    assert whole.counts[ComparedReading("camera", "console", "6H", "9H")] == 2


@pytest.mark.parametrize(
    ("places", "found"),
    cases("""
        9H 6H, 6H 6H        | 6H 9H | another six lies where the shoe gave it
        9H 6H, 6H 9H        |       | the two changed places
        9H 6H, 6H none      |       | nobody saw what lies where the shoe gave the six
        9H 6H, 6H 6H, KS 9H |       | the six was seen before it moved; the nine moved on
        9H 6H, 6H 9H, 6H 6H |       | two changed places, and another six lies still
        9H 6H, KS KS        | 6H 9H | no six left the shoe
    """),
)
def test_a_card_that_moved_is_no_misreading_and_one_that_lies_still_is_no_excuse(
    places: str, found: str
) -> None:
    inside: list[e.Payload] = [e.RoundOpened()]
    for position, place in enumerate(places.split(", "), 1):
        gave, seen = place.split()
        inside.append(e.CardDrawn(position, f"player_{position}", gave))
        if seen != "none":
            inside.append(e.CardsObserved(f"player_{position}", 1, (e.Guess(seen, 0.99),)))
    record = ErrorRecord()

    record.take(event for event, _ in houses.sealed("T1", [(each, "R1") for each in inside]))

    assert ", ".join(f"{at.said} {at.card}" for at in record.counts if at.wrong) == found


def test_a_round_knows_what_was_read_before_it_and_a_late_reading_counts_for_none() -> None:
    folded = Fold(houses.DAY)
    late = (e.CardsObserved("player", 2, (e.Guess("5D", 0.99),)), "R1")
    said = [*dealt("R1", "6H"), *dealt("R2", "9H"), late, *dealt("R3", "9H")]

    for event, _ in houses.sealed("T1", said):
        folded.add(event)

    camera = ComparedReading("camera", "console", "9H", "9H")
    confused, right = camera._replace(said="6H"), ComparedReading("shoe", "console", "9H", "9H")
    assert [folded.round(name).shown for name in ("R1", "R2", "R3")] == [
        {},
        {confused: 1},
        {confused: 1, camera: 1, right: 1},
    ]
    assert folded.record().counts == {confused: 1, camera: 2, right: 2}


def dealt(round_id: str, seen: str) -> list[Said]:
    """A card that the shoe reads as the nine of hearts, and one it cannot read."""
    inside: list[e.Payload] = [
        e.RoundOpened(),
        e.CardDrawn(1, "player", "9H"),
        e.CardsObserved("player", 1, (e.Guess(seen, 0.99),)),
        e.CardDrawn(2, "player", "5D"),
        e.RoundClosed(),
    ]
    return [(payload, round_id) for payload in inside]

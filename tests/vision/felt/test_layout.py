"""Every game with cards, dice or tokens has a layout, and what is wrong with one is said."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.tables import cases
from vision.felt import layout as layouts
from vision.felt.layout import BadLayout, UnknownLayout

CODES = layouts.codes()
PLAIN: dict[str, Any] = {
    "game": "X",
    "reads": "cards",
    "felt": [1000, 600],
    "zone": [{"name": "player", "box": [0, 0, 400, 300]}],
}


def box(name: str, *corners: float, **more: Any) -> dict[str, Any]:
    return {"name": name, "box": list(corners), **more}


def test_every_game_but_roulette_has_a_layout() -> None:
    rulebooks = {path.stem for path in Path("replay/rulebooks").glob("*.toml")}

    assert set(CODES) == rulebooks - {"RO", "SA-RO"}


@pytest.mark.parametrize("code", CODES)
def test_every_layout_can_be_used(code: str) -> None:
    layout = layouts.load(code)

    assert layout.game == code
    assert layout.title
    assert layout.zones
    for zone in layout.zones:
        middle = tuple(sum(axis) / len(zone.polygon) for axis in zip(*zone.polygon, strict=True))
        assert layout.zone_of((middle[0], middle[1])) == zone.name


@pytest.mark.parametrize(
    ("code", "names"),
    cases("""
        TB     | player banker                              | the hands of Tiger Baccarat
        SA-BC  | player banker                              | the hands of Baccarat
        SA-DT  | dragon tiger                               | the sides of Dragon Tiger
        SA-AB  | game andar bahar                           | game card and two rows
        SA-TP  | player_a player_b                          | two players
        SA-PD  | banker player_1 player_2 player_3 player_4 player_5 | seats of Pok Deng
        TH     | dealer community 1 2 3 4 5 6               | boxes of Hold'em
        NN     | dealer 1 2 3 4 5 6                         | boxes of Niu Niu
        SA-SB  | shaker                                     | dice
        SA-FPC | shaker                                     | dice with pictures
        SA-XD  | bowl                                       | tokens
    """),
)
def test_zones_are_named_as_the_games_name_their_hands(code: str, names: str) -> None:
    assert [zone.name for zone in layouts.load(code).zones] == names.split()


def test_dice_with_pictures_say_what_they_show() -> None:
    assert len(layouts.load("SA-FPC").faces) == 6
    assert layouts.load("SA-SB").faces == ()


def test_a_split_seat_has_two_hands_more() -> None:
    names = {zone.name for zone in layouts.load("SA-BJ").zones}

    assert {"dealer", "1", "7", "3.1", "3.2"} <= names


@pytest.mark.parametrize("boxes", [1, 4])
def test_a_table_may_have_fewer_boxes(boxes: int) -> None:
    names = [zone.name for zone in layouts.load("NN", boxes).zones]

    assert names == ["dealer", *(str(n + 1) for n in range(boxes))]


def test_more_boxes_than_the_felt_holds_are_refused() -> None:
    with pytest.raises(BadLayout, match=r"NN\.toml: zone '7': corners on the felt of 2000"):
        layouts.load("NN", 7)


def test_boxes_may_stand_in_an_arc() -> None:
    arc = box("{n}", 100, 400, 200, 500, repeat=3, pivot=[500, 0], turn=-30)

    layout = layouts.read(PLAIN | {"felt": [1000, 800], "zone": [arc]}, "X.toml")

    assert layout.zone_of((150, 450)) == "1"
    assert layout.zone_of((421.9, 564.7)) == "2"


def test_beside_every_zone_is_none() -> None:
    layout = layouts.load("TB")

    assert layout.zone_of((300, 200)) == "player"
    assert layout.zone_of((600, 200)) is None
    assert layout.zone_of((300, 650)) is None


@pytest.mark.parametrize(
    ("at", "sideways", "taken", "slot"),
    [
        pytest.param((205, 190), False, (), 1, id="on its place"),
        pytest.param((272, 215), False, (), 2, id="near its place"),
        pytest.param((330, 200), True, (), 3, id="the third lies sideways"),
        pytest.param((330, 200), False, (), 2, id="an upright card is none of the third"),
        pytest.param((210, 200), False, (1,), 2, id="a place that is taken"),
        pytest.param((210, 200), False, (1, 2, 3), None, id="no place left"),
    ],
)
def test_a_place_is_known_by_position_and_by_how_a_card_lies(
    at: tuple[float, float], sideways: bool, taken: tuple[int, ...], slot: int | None
) -> None:
    player = layouts.load("TB").zone("player")

    assert player.place(at, sideways=sideways, taken=taken) == slot


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"reads": "balls"}, "reads: cards or dice or tokens expected", id="reads"),
        pytest.param({"felt": [1, 2, 3]}, "felt: 2 numbers expected", id="felt"),
        pytest.param({"zone": []}, r"one \[\[zone\]\] or more expected", id="no zone"),
        pytest.param({"colour": 1}, "keys of .* expected, 'colour' found", id="a key too many"),
        pytest.param({"zone": [box("a b", 0, 0, 9, 9)]}, "one word", id="a name of two words"),
        pytest.param({"zone": [box("a", 0, 0, 9)]}, "4 numbers", id="three numbers"),
        pytest.param({"zone": [box("a", 0, 0, 9, True)]}, "4 numbers", id="not a number"),
        pytest.param({"zone": [{"name": "a"}]}, "either box or polygon", id="no area"),
        pytest.param({"zone": [box("a", 0, 0, 2000, 9)]}, "corners on the felt", id="off the felt"),
        pytest.param({"zone": [box("a", 5, 5, 5, 5)]}, "three corners", id="no area at all"),
        pytest.param(
            {"zone": [{"name": "a", "polygon": [[0, 0], [90, 0], [40, 20], [90, 90]]}]},
            "without a dent",
            id="a dent",
        ),
        pytest.param(
            {"zone": [box("a", 0, 0, 90, 90), box("b", 50, 50, 99, 99)]},
            "'a' over 'b' found",
            id="one over another",
        ),
        pytest.param(
            {"zone": [box("a", 0, 0, 9, 9), box("a", 20, 0, 29, 9)]}, "'a' twice", id="twice"
        ),
        pytest.param({"zone": [box("a", 0, 0, 9, 9, repeat=2)]}, "neither", id="repeat without n"),
        pytest.param(
            {"zone": [box("{n}", 0, 0, 9, 9, repeat=99)]}, "1 to 20 expected", id="many boxes"
        ),
        pytest.param(
            {"zone": [box("a", 0, 0, 9, 9, places=[[50, 5]])]}, "a point in its zone", id="a place"
        ),
        pytest.param(
            {"zone": [box("a", 0, 0, 9, 9, places=[[5, 5, "flat"]])]}, "sideways", id="a word"
        ),
        pytest.param({"pieces": "three"}, "1 numbers", id="a number in words"),
        pytest.param({"faces": [1, 2]}, "faces: names", id="faces without names"),
        pytest.param({"zone": ["a"]}, r"a \[\[zone\]\]", id="a zone that is none"),
        pytest.param({"reads": "dice"}, "pieces and piece_mm", id="dice without a number"),
    ],
)
def test_what_is_wrong_with_a_layout_is_said(change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadLayout, match=told):
        layouts.read(PLAIN | change, "X.toml")


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("zone = [", "utf-8")

    with pytest.raises(BadLayout, match=r"own\.toml: TOML expected"):
        layouts.load(path)


@pytest.mark.parametrize("code", ["RO", "../TB", ""])
def test_a_game_without_a_layout_is_unknown(code: str) -> None:
    with pytest.raises(UnknownLayout, match="a game with a layout expected"):
        layouts.load(code)

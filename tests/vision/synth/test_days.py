"""A day as a film needs it: what lay where, the day without its camera, and put together again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from schemas import events as e
from tests.support.film_days import SECOND, START_US, played, said, sees, written
from vision.synth import days
from vision.synth.days import CardLaid, NoFilm, PiecesThrown, ViewDisturbed


def at(seconds: float) -> int:
    return START_US + round(seconds * SECOND)


def test_what_the_camera_said_is_what_lay_there(tmp_path: Path) -> None:
    seen = [(5.0, sees("player", 1, "9H")), (6.5, sees("banker", 1, "4D"))]
    path = played(tmp_path / "day.jsonl", "TB", seen, [(4.6, e.CardDrawn(9, "player", "9H"))])

    told = days.table_day(path, "T01")

    (play,) = told.plays
    assert (told.game, told.camera, play.closed_us) == ("TB", "camera-T01", at(10))
    assert play.laid == [
        CardLaid("player", 1, "9H", at(5), at(4.6)),
        CardLaid("banker", 1, "4D", at(6.5)),
    ]
    assert play.wagers_us == [at(2.5)]


def test_a_card_nobody_could_make_out_has_no_code(tmp_path: Path) -> None:
    path = played(tmp_path / "day.jsonl", "TB", [(5.0, sees("player", 1, "9H", 0.4))])

    assert days.table_day(path, "T01").plays[0].laid[0].code is None


def test_a_card_dealt_face_down_and_never_seen_lies_there_hidden(tmp_path: Path) -> None:
    drawn = [
        (4.0, e.CardDrawn(1, "1", "KC", exposed=False)),
        (4.5, e.CardDrawn(2, "community", "7H")),
    ]
    path = played(tmp_path / "day.jsonl", "TH", [(8.0, sees("dealer", 1, "2C"))], drawn)

    assert days.table_day(path, "T01").plays[0].laid == [
        CardLaid("dealer", 1, "2C", at(8)),
        CardLaid("1", 1, None, at(4), at(4), hidden=True),
    ]


def test_dice_and_a_covered_view_are_told(tmp_path: Path) -> None:
    dice = e.DiceObserved((e.Guess("1-1-5", 0.97),), flat=True, overlap=True)
    seen: list[tuple[float, e.Payload]] = [(3.0, e.CameraDisturbed("covered", 0.3)), (6.0, dice)]

    (play,) = days.table_day(played(tmp_path / "day.jsonl", "SA-SB", seen), "T01").plays

    assert play.thrown == [PiecesThrown(("1", "1", "5"), at(6), overlap=True)]
    assert play.spoilt == [ViewDisturbed("covered", at(3))]


def _none(path: Path) -> Path:
    return written(path, [])


def _wheel(path: Path) -> Path:
    return written(path, [said("pit", 1, 0, e.TermsPosted("RO", "VND"))])


def _pause(path: Path) -> Path:
    return written(path, [said("camera", 1, 0, e.DeviceBeat(300))])


def _broken(path: Path) -> Path:
    path.write_text("{}\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("made", "table", "why"),
    [
        (_none, "T01", "a day's readings expected, none found"),
        (_wheel, "T01", "a camera at table T01 expected"),
        (_wheel, "T09", "table T09 expected, T01 found"),
        (_pause, "T01", "rounds at table T01 expected"),
        (_broken, "T01", "readings expected; at byte 0"),
    ],
)
def test_what_cannot_be_filmed_is_refused(
    tmp_path: Path, made: Callable[[Path], Path], table: str, why: str
) -> None:
    with pytest.raises(NoFilm, match=why):
        days.table_day(made(tmp_path / "day.jsonl"), table)


def test_rounds_that_were_not_played_are_refused(tmp_path: Path) -> None:
    path = played(tmp_path / "day.jsonl", "TB", [(5.0, sees("player", 1, "9H"))])

    with pytest.raises(NoFilm, match="rounds of 1 to 1"):
        days.table_day(path, "T01", {7})


def test_another_camera_takes_the_place_of_the_first(tmp_path: Path) -> None:
    path = played(tmp_path / "day.jsonl", "TB", [(5.0, sees("player", 1, "9H"))])
    rest = written(tmp_path / "rest.jsonl", list(days.without_camera(path, "T01")))
    own = e.Reading("T01", "camera", "camera-T01", 1, at(5.2), sees("player", 1, "9C"), 40)
    other = written(tmp_path / "camera.jsonl", [own])

    whole = list(days.together(rest, [other]))

    kinds = [reading.device_kind for reading in whole]
    assert kinds == ["pit", "console", "console", "camera", "console"]
    assert whole[3].payload == own.payload
    assert whole[3].received_at == own.occurred_at + days.DELAY_US

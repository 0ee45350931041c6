"""A log from before the doors knew who may say what: it is replayed, and a check tells of it."""

import re
from pathlib import Path

from audit.checks import catalogue
from audit.cli.errors import Code
from schemas import speakers
from tests.support import houses
from tests.support.small_house import Roundproof, roundproof

__all__ = ["roundproof"]

DAY = [*houses.opened("2026-03-01"), *houses.spin("R1", 3, houses.red())]


def test_an_event_of_another_kind_is_replayed_and_told(
    tmp_path: Path, roundproof: Roundproof
) -> None:
    houses.written(tmp_path / "honest", "T1", DAY)
    houses.written(tmp_path / "old", "T1", DAY, kinds={"BallLanded": "camera"})

    replayed = [roundproof("replay", "--home", tmp_path / home).code for home in ("honest", "old")]
    asked = ("detect", "--check", "INT-14", "--json")
    honest = roundproof(*asked, "--home", tmp_path / "honest")
    old = roundproof(*asked, "--home", tmp_path / "old")

    assert replayed == [Code.OK, Code.OK]
    assert (honest.code, old.code) == (Code.OK, Code.FINDINGS)
    assert "BallLanded from wheel" in old.out


def test_the_check_knows_the_same_speakers() -> None:
    (check,) = catalogue.chosen(["INT-14"])
    told = {
        name: tuple(re.findall(r"'([a-z]+)'", kinds))
        for name, kinds in re.findall(r"\('([A-Za-z]+)', \[(.*?)\]\)", check.sql)
    }

    assert told == {kind.__name__: kinds for kind, kinds in speakers.SPEAKERS.items()}

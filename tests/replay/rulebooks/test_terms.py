"""Readings that note which of them somebody looks at."""

from replay.rulebooks.terms import NotedReadings

READINGS = {"rounding": "once", "dealing": "as_shown"}


def test_a_reading_that_is_looked_at_is_noted() -> None:
    asked: set[str] = set()
    readings = NotedReadings(READINGS, asked)

    assert readings["dealing"] == "as_shown"
    assert readings.get("strange") is None
    assert asked == {"dealing", "strange"}


def test_a_copy_looks_at_every_reading() -> None:
    asked: set[str] = set()

    assert {**NotedReadings(READINGS, asked)} == READINGS
    assert asked == set(READINGS)

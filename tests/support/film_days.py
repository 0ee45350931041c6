"""A small day for films: one table, a round or two, written as `roundproof simulate` writes it."""

from collections.abc import Sequence
from pathlib import Path

from schemas import codec
from schemas import events as e

START_US = 1_772_334_000_000_000
SECOND = 1_000_000


def said(
    device: str, seq: int, at_s: float, payload: e.Payload, round_id: str | None = None
) -> e.Reading:
    """A reading of table T01."""
    at_us = START_US + round(at_s * SECOND)
    return e.Reading("T01", device, f"{device}-T01", seq, at_us, payload, 40, round_id, at_us + 20)


def sees(zone: str, slot: int, card: str, sure: float = 0.98) -> e.CardsObserved:
    """What the camera says of a card."""
    return e.CardsObserved(zone, slot, (e.Guess(card, sure),))


def written(path: Path, readings: Sequence[e.Reading]) -> Path:
    """The readings as a file, in the order of their times."""
    in_time = sorted(readings, key=lambda at: at.occurred_at)
    path.write_text("".join(codec.dump_line(at) + "\n" for at in in_time), "utf-8")
    return path


def played(
    path: Path,
    game: str,
    seen: Sequence[tuple[float, e.Payload]],
    drawn: Sequence[tuple[float, e.Payload]] = (),
    closed_s: float = 10.0,
) -> Path:
    """A round that is opened after two seconds."""
    readings = [
        said("pit", 1, 0, e.TermsPosted(game, "VND")),
        said("camera", 1, 1, e.DeviceBeat(300)),
        said("console", 1, 2, e.RoundOpened(1), "R1"),
        said("console", 2, 2.5, e.WagerPlaced("W1", "P1", "player", 100), "R1"),
        said("console", 3, closed_s, e.RoundClosed(), "R1"),
    ]
    readings += [said("shoe", n, at_s, at) for n, (at_s, at) in enumerate(drawn, 1)]
    readings += [said("camera", n, at_s, at, "R1") for n, (at_s, at) in enumerate(seen, 2)]
    return written(path, readings)

"""A day of each game with every fault it can show, and what the rules say of its rounds."""

from functools import cache

from replay.judge import Judgement
from replay.simulate.faults import Truth
from schemas import events as e
from tests.replay.simulate.days import Played, judged, played

GAMES = (
    *("TB", "RO", "SA-SB", "SA-FPC", "SA-HL", "SA-XD", "SA-BC", "SA-DT", "SA-PD"),
    *("SA-RO", "SA-AB", "SA-TP", "SA-BJ", "NN"),
)  # and TH, whose two ways of dealing have days of their own
ROUNDS = 220


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

"""Rounds with a shaker told in short lines: `bet b1 small 100`, `close`, `shake 4-1-2`.

Dice unless another game is named; Xoc Dia has its own words: `drop`, `bowl`, `tokens`, `stick`.
"""

from collections.abc import Callable
from typing import Any

from replay.judge import Judgement
from tests.support.tables import judged

Words = list[str]
Told = list[dict[str, Any]]


def sheet(story: str, **terms: Any) -> dict[str, Any]:
    """The round sheet of a story; its lines are ended by line breaks or commas."""
    lines = filter(None, map(str.strip, story.replace(",", "\n").splitlines()))
    events = [event for line in lines for event in _told(line)]
    return {"terms": {"game": "SA-SB", "currency": "VND"} | terms, "events": events}


def told(story: str, **terms: Any) -> Judgement:
    """The judgement of a story."""
    return judged(sheet(story, **terms))


def flags(judgement: Judgement) -> str:
    """Codes and what they concern, sorted: `LATE_BET b1, MISPAY b2`."""
    return ", ".join(sorted(f"{flag.code} {flag.subject}".strip() for flag in judgement.flags))


def backs(judgement: Judgement) -> str:
    """What becomes of each wager: `b1 win 1200 1300` (winnings, all that goes back)."""
    return ", ".join(
        f"{due.wager_id} {due.outcome} {due.paid} {due.back}" for due in judgement.dues
    )


def _told(line: str) -> Told:
    verb, *words = line.split()
    return TELL[verb](words)


def _bet(words: Words) -> Told:
    name, bet, stake = words
    placed = {"wager_id": name, "player_id": "P1", "bet": bet, "stake": int(stake)}
    return [{"type": "WagerPlaced", **placed}]


def _shake(words: Words) -> Told:
    """Start, stop and the sensor's reading: `shake 4-1-2 tumbles=2 not_flat overlap`."""
    faces, *more = words
    tumbles = next((int(word.split("=")[1]) for word in more if "=" in word), 4)
    return [
        {"type": "ShakerStarted"},
        {"type": "ShakerStopped", "tumbles": tumbles},
        _seen(faces, more),
    ]


def _seen(faces: str, more: Words) -> dict[str, Any]:
    read = [] if faces == "unread" else faces.split("-")
    return {"type": "ShakerOpened", "faces": read, **_lying(more)}


def _camera(words: Words) -> Told:
    """A camera's best guess: `camera 4-1-2 0.97 not_flat`."""
    faces, probability, *more = words
    guesses = [{"seen": faces, "probability": float(probability)}]
    return [{"type": "DiceObserved", "guesses": guesses, **_lying(more)}]


def _lying(more: Words) -> dict[str, bool]:
    return {"flat": "not_flat" not in more, "overlap": "overlap" in more}


def _settled(words: Words) -> Told:
    name, *amounts = words
    paid, collected, returned = map(int, amounts)
    seen = {"wager_id": name, "paid": paid, "collected": collected, "returned": returned}
    return [{"type": "WagerSettled", **seen}]


def _tokens(words: Words) -> Told:
    """The sensor's reading of the plate: `tokens RRWW standing=1 overlapping`."""
    faces, *more = words
    standing = next((int(word.split("=")[1]) for word in more if "=" in word), 0)
    read = [] if faces == "unread" else list(faces)
    lying = {"standing": standing, "overlapping": "overlapping" in more}
    return [{"type": "TokensRevealed", "faces": read, **lying}]


def _eye(words: Words) -> Told:
    """A camera's best guess of the plate: `eye R-R-W-W 0.97`."""
    guesses = [{"seen": words[0], "probability": float(words[1])}]
    return [{"type": "TokensObserved", "guesses": guesses}]


TELL: dict[str, Callable[[Words], Told]] = {
    "bet": _bet,
    "move": lambda words: [{"type": "WagerChanged", "wager_id": words[0], "bet": words[1]}],
    "stake": lambda words: [{"type": "WagerChanged", "wager_id": words[0], "stake": int(words[1])}],
    "withdraw": lambda words: [{"type": "WagerWithdrawn", "wager_id": words[0]}],
    "close": lambda _: [{"type": "BettingClosed"}],
    "shake": _shake,
    "start": lambda _: [{"type": "ShakerStarted"}],
    "stop": lambda words: [{"type": "ShakerStopped", "tumbles": int(words[0])}],
    "seen": lambda words: [_seen(words[0], words[1:])],
    "camera": _camera,
    "again": lambda words: [{"type": "ReshakeOrdered", "reason": words[0]}],
    "enter": lambda words: [{"type": "ResultCalled", "result": " ".join(words)}],
    "board": lambda words: [{"type": "ResultCalled", "result": words[0], "shown_by": "board"}],
    "lamp": lambda words: [{"type": "ResultCalled", "result": words[0], "shown_by": "lamp"}],
    "voided": lambda _: [{"type": "RoundVoided", "reason": "said so"}],
    "settled": _settled,
    "drop": lambda words: [{"type": "EquipmentDropped", "items": words}],
    "bowl": lambda words: [{"type": "BowlRemoved", "touched_token": "touched" in words}],
    "tokens": _tokens,
    "eye": _eye,
    "stick": lambda words: [{"type": "TokensRearranged", "faces": list("".join(words))}],
    "report": lambda words: [{"type": "IrregularityReported", "kind": words[0]}],
    "end": lambda words: [{"type": "RoundClosed", "status": (words or ["settled"])[0]}],
}

"""Roulette rounds told in short lines: `bet b1 p1 split:17-20 200`, `close`, `spin`, `land 17`."""

from collections.abc import Callable
from typing import Any

from replay.judge import Judgement
from tests.support.tables import judged

Words = list[str]
Told = dict[str, Any]


def sheet(story: str, **more: Any) -> dict[str, Any]:
    """The round sheet of a story; its lines are ended by line breaks or commas."""
    lines = filter(None, map(str.strip, story.replace(",", "\n").splitlines()))
    terms = {"game": "RO", "currency": "VND"} | more.pop("terms", {})
    return {"terms": terms, "table": "R01", "events": [_told(line) for line in lines]} | more


def told(story: str, **more: Any) -> Judgement:
    """The judgement of a story."""
    return judged(sheet(story, **more))


def flags(judgement: Judgement) -> str:
    """Codes and what they concern, sorted: `LATE_BET b1, MISPAY b2`."""
    return ", ".join(sorted(f"{flag.code} {flag.subject}" for flag in judgement.flags))


def backs(judgement: Judgement) -> str:
    """What becomes of each wager: `b1 win 3500 3600` (winnings, all that goes back)."""
    rows = sorted(judgement.dues, key=lambda due: due.wager_id)
    return ", ".join(f"{due.wager_id} {due.outcome} {due.paid} {due.back}" for due in rows)


def _told(line: str) -> Told:
    verb, *words = line.split()
    return TELL[verb](words)


def _bet(words: Words) -> Told:
    """`bet ID PLAYER POSITION STAKE`, then marks: `stack=1`, `chips=R02/blue/2/2500`."""
    wager, player, position, stake, *marks = words
    event: Told = {"type": "WagerPlaced", "wager_id": wager, "player_id": player}
    event |= {"bet": position, "stake": int(stake)}
    for mark in marks:
        name, _, value = mark.partition("=")
        event |= MARKS[name](value)
    return event


def _chips(value: str) -> Told:
    table, colour, count, worth = value.split("/")
    return {
        "chips": {"table_id": table, "colour": colour, "count": int(count), "value": int(worth)}
    }


def _spin(words: Words) -> Told:
    ball = words[0] if words else "clockwise"
    event: Told = {"type": "BallReleased", "ball_direction": ball}
    return event | {"wheel_direction": "anticlockwise"}


def _pocket(kind: str) -> Callable[[Words], Told]:
    return lambda words: {"type": kind, "pocket": None if words == ["?"] else int(words[0])}


def _call(words: Words) -> Told:
    rank, reason, phase = words
    return {"type": "NoSpinCalled", "rank": rank, "reason": reason, "phase": phase}


def _rule(words: Words) -> Told:
    """`rule RANK CLAUSE DECISION SUBJECT VALUE`, the last two may be missing, `-` is empty."""
    rank, clause, decision, subject, value = [*words, "-", "-"][:5]
    event: Told = {"type": "RulingMade", "rank": rank, "clause": clause, "decision": decision}
    return event | {"subject": subject.strip("-"), "value": value.lstrip("-")}


def _settle(words: Words) -> Told:
    """`settle ID PAID RETURNED COLLECTED`, the last may be missing."""
    wager, paid, returned, collected = [*words, "0"][:4]
    event: Told = {"type": "WagerSettled", "wager_id": wager, "paid": int(paid)}
    return event | {"returned": int(returned), "collected": int(collected)}


def _issue(words: Words) -> Told:
    """`issue PLAYER COLOUR VALUE`, then `marker`, who gave leave, `value=` who did for that."""
    player, colour, value, *marks = words
    event: Told = {"type": "ColourChipsIssued", "player_id": player, "colour": colour}
    event |= {"value": int(value), "marker": "marker" in marks}
    leave = [mark for mark in marks if mark != "marker" and "=" not in mark]
    event |= {"leave_rank": leave[0]} if leave else {}
    other = [mark.partition("=")[2] for mark in marks if "=" in mark]
    return event | ({"value_leave_rank": other[0]} if other else {})


MARKS: dict[str, Callable[[str], Told]] = {
    "chips": _chips,
    "stack": lambda value: {"stack": int(value)},
    "called": lambda _: {"called": True},
    "no_chips": lambda _: {"called": True, "chips_presented": False},
    "no_time": lambda _: {"called": True, "placed_in_time": False},
}

TELL: dict[str, Callable[[Words], Told]] = {
    "bet": _bet,
    "move": lambda w: {"type": "WagerChanged", "wager_id": w[0], "bet": w[1]},
    "raise": lambda w: {"type": "WagerChanged", "wager_id": w[0], "stake": int(w[1])},
    "withdraw": lambda w: {"type": "WagerWithdrawn", "wager_id": w[0]},
    "close": lambda _: {"type": "BettingClosed"},
    "spin": _spin,
    "from": lambda w: _spin([]) | {"from_pocket": int(w[0])},
    "turns": lambda w: {"type": "BallTracked", "revolutions": int(w[0])},
    "seen": lambda w: {"type": "SpinDisturbed", "kind": w[0]},
    "land": _pocket("BallLanded"),
    "dolly": lambda w: {"type": "DollyPlaced", "number": int(w[0])},
    "result": lambda w: {"type": "ResultCalled", "result": " ".join(w)},
    "board": lambda w: {"type": "ResultCalled", "result": " ".join(w), "shown_by": "board"},
    "lamp": lambda w: {"type": "ResultCalled", "result": " ".join(w), "shown_by": "lamp"},
    "call": _call,
    "back": _pocket("BallReturned"),
    "examined": lambda w: {"type": "BallExamined", "rank": w[0]},
    "rule": _rule,
    "report": lambda w: {"type": "IrregularityReported", "kind": w[0], "subject": w[1]},
    "settle": _settle,
    "issue": _issue,
    "voided": lambda _: {"type": "RoundVoided", "reason": "table closed"},
    "end": lambda _: {"type": "RoundClosed"},
}

"""Rounds dealt from a shoe told in short lines: `bet b1 player 1000`, `close`, `deal dragon QS`."""

from collections.abc import Callable, Mapping
from typing import Any

from replay.judge import Judgement
from tests.support.tables import judged

Words = list[str]
Told = list[dict[str, Any]]


def sheet(
    code: str, story: str, shoe: Mapping[str, Any] | None = None, **terms: Any
) -> dict[str, Any]:
    """The round sheet of a story; its lines are ended by line breaks or commas."""
    lines = filter(None, map(str.strip, story.replace(",", "\n").splitlines()))
    events: Told = []
    for line in lines:
        verb, *words = line.split()
        events += TELL[verb](words)
    for position, drawn in enumerate((x for x in events if x["type"] == "CardDrawn"), 11):
        drawn["position"] = position
    written: dict[str, Any] = {"terms": {"game": code, "currency": "VND"} | terms, "events": events}
    return written if shoe is None else written | {"shoe": {"shoe_id": "S1", **shoe}}


def told(code: str, story: str, shoe: Mapping[str, Any] | None = None, **terms: Any) -> Judgement:
    """The judgement of a story."""
    return judged(sheet(code, story, shoe, **terms))


def flags(judgement: Judgement) -> str:
    """Codes and what they concern, sorted: `LATE_BET b1, MISPAY b2`."""
    return ", ".join(sorted(f"{flag.code} {flag.subject}".strip() for flag in judgement.flags))


def backs(judgement: Judgement) -> str:
    """What becomes of each wager: `b1 win 1200 1300` (winnings, all that goes back)."""
    return ", ".join(
        f"{due.wager_id} {due.outcome} {due.paid} {due.back}" for due in judgement.dues
    )


def _bet(words: Words) -> Told:
    name, bet, stake, *reserve = words
    placed = {"wager_id": name, "player_id": "P1", "bet": bet, "stake": int(stake)}
    return [{"type": "WagerPlaced", **placed, "reserve": int(*reserve)}]


def _stake(words: Words) -> Told:
    """Another stake, and where it is named another reserve: `stake b1 200 200`."""
    name, stake, *reserve = words
    held = int(reserve[0]) if reserve else None
    return [{"type": "WagerChanged", "wager_id": name, "stake": int(stake), "reserve": held}]


def _burn(words: Words) -> Told:
    count, *first = words
    return [{"type": "CardsBurned", "count": int(count), "first_card": first[0] if first else None}]


def _deal(words: Words) -> Told:
    """Cards for a hand: `deal player KS 5D`; an x is a card the shoe could not read."""
    hand, *codes = words
    return [
        {"type": "CardDrawn", "hand": hand, "card": None if code == "x" else code} for code in codes
    ]


def _seen(words: Words) -> Told:
    """What the camera saw: `seen player 3 5H 0.97`."""
    hand, slot, code, probability = words
    guesses = [{"seen": code, "probability": float(probability)}]
    return [{"type": "CardsObserved", "zone": hand, "slot": int(slot), "guesses": guesses}]


def _put(words: Words) -> Told:
    hand, slot, code = words
    return [{"type": "CardPlaced", "hand": hand, "slot": int(slot), "card": code}]


def _settled(words: Words) -> Told:
    """A settlement: `settled b1 paid=950 commission=50 returned=1000`."""
    name, *amounts = words
    said = {part.split("=")[0]: int(part.split("=")[1]) for part in amounts}
    return [{"type": "WagerSettled", "wager_id": name, "paid": 0, **said}]


def _call(words: Words) -> Told:
    """A result: `call banker`, `call tie by=board`, `call 7.4 of=player_1`."""
    extra = dict(part.split("=") for part in words if "=" in part)
    result = " ".join(part for part in words if "=" not in part)
    who = {"shown_by": extra.get("by", "dealer"), "box": extra.get("of", "")}
    return [{"type": "ResultCalled", "result": result, **who}]


TELL: dict[str, Callable[[Words], Told]] = {
    "bet": _bet,
    "move": lambda words: [{"type": "WagerChanged", "wager_id": words[0], "bet": words[1]}],
    "stake": _stake,
    "withdraw": lambda words: [{"type": "WagerWithdrawn", "wager_id": words[0]}],
    "close": lambda _: [{"type": "BettingClosed"}],
    "load": lambda words: [{"type": "ShoeLoaded", "shoe_id": words[0], "decks": 8}],
    "burn": _burn,
    "shuffle": lambda _: [{"type": "CardsShuffled", "deck_id": "D1"}],
    "open": lambda _: [{"type": "RoundOpened"}],
    "cut": lambda words: [{"type": "CutCardReached", "shoe_id": (words or ["S1"])[0]}],
    "deal": _deal,
    "seen": _seen,
    "put": _put,
    "call": _call,
    "expose": lambda words: [
        {"type": "CardExposed", "place": "hand", "hand": words[0], "card": (*words[1:], None)[0]}
    ],
    "report": lambda words: [
        {"type": "IrregularityReported", "kind": words[0], "subject": words[1]}
    ],
    "settled": _settled,
    "void": lambda _: [{"type": "RoundVoided"}],
    "end": lambda words: [{"type": "RoundClosed", "status": (words or ["settled"])[0]}],
}

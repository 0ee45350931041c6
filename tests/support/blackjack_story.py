"""Blackjack rounds told in short lines: `sit 1 p`, `bet w1 p main 1 100`, `p double 1 100`."""

from collections.abc import Callable
from typing import Any

from replay.judge import Judgement
from tests.support.tables import judged

Words = list[str]
Told = list[dict[str, Any]]

DECISIONS = (
    "hit", "stand", "double", "split", "surrender", "insure", "decline", "follow_split",
    "follow_double", "timeout",
)  # fmt: skip


def sheet(story: str, carry: dict[str, Any] | None = None, **terms: Any) -> dict[str, Any]:
    """The round sheet of a story; its lines are ended by line breaks or commas."""
    lines = filter(None, map(str.strip, story.replace(",", "\n").splitlines()))
    events: Told = []
    for line in lines:
        events += _told(line, events)
    made = {"terms": {"game": "SA-BJ", "currency": "ZAR"} | terms, "events": events}
    return made | ({"carry": carry} if carry else {})


def told(story: str, carry: dict[str, Any] | None = None, **terms: Any) -> Judgement:
    """The judgement of a story."""
    return judged(sheet(story, carry, **terms))


def played(opening: str, rest: str = "", stake: int = 100, **terms: Any) -> Judgement:
    """One seat with one main bet: `9S 7D v 9H`, then what follows."""
    own, _, dealer = opening.partition(" v ")
    first, second = own.split()
    return told(
        f"sit 1 p, bet w p main 1 {stake}, close, 1 {first}, d {dealer}, 1 {second}\n{rest}",
        **terms,
    )


def flags(judgement: Judgement) -> str:
    """Codes and what they concern, sorted: `LATE_BET b1, MISPAY b2`."""
    return ", ".join(sorted(f"{flag.code} {flag.subject}".strip() for flag in judgement.flags))


def backs(judgement: Judgement) -> str:
    """What becomes of each wager: `w win 100 200` (winnings, all that goes back)."""
    return ", ".join(
        f"{due.wager_id} {due.outcome} {due.paid} {due.back}" for due in judgement.dues
    )


def _told(line: str, before: Told) -> Told:
    verb, *words = line.split()
    if verb in TELL:
        return TELL[verb](words)
    if words[0] in DECISIONS:
        return [_decision(verb, words)]
    drawn = sum(1 for event in before if event["type"] == "CardDrawn")
    hand = "dealer" if verb == "d" else verb
    return [
        {"type": "CardDrawn", "position": n, "hand": hand}
        | ({} if card == "??" else {"card": card})
        for n, card in enumerate(words, drawn + 1)
    ]


def _decision(player: str, words: Words) -> dict[str, Any]:
    """`p double 1 100`, `q follow_split 1 60 in 3000`; a hand such as 1.2 names its seat too."""
    decision, hand, *more = words
    made: dict[str, Any] = {"type": "DecisionMade", "player_id": player, "decision": decision}
    made |= {"box": hand.partition(".")[0], "hand": hand}
    if more and more[0] != "in":
        made["amount"] = int(more[0])
    if "in" in more:
        made["response_ms"] = int(more[-1])
    return made


def _bet(words: Words) -> Told:
    name, player, bet, seat, stake = words
    placed = {"wager_id": name, "player_id": player, "bet": bet, "box": seat, "stake": int(stake)}
    return [{"type": "WagerPlaced", **placed}]


def _settled(words: Words) -> Told:
    name, *amounts = words
    paid, collected, returned = map(int, amounts)
    seen = {"wager_id": name, "paid": paid, "collected": collected, "returned": returned}
    return [{"type": "WagerSettled", **seen}]


def _called(words: Words) -> Told:
    """`called 17` of the dealer's hand, `called win 1.2` of another."""
    box = {"box": words[1]} if len(words) > 1 else {}
    return [{"type": "ResultCalled", "result": words[0], **box}]


def _camera(words: Words) -> Told:
    zone, slot, card, sure = words
    guesses = [{"seen": card, "probability": float(sure)}]
    return [{"type": "CardsObserved", "zone": zone, "slot": int(slot), "guesses": guesses}]


TELL: dict[str, Callable[[Words], Told]] = {
    "sit": lambda words: [{"type": "SeatTaken", "box": words[0], "player_id": words[1]}],
    "leave": lambda words: [{"type": "SeatLeft", "box": words[0], "player_id": words[1]}],
    "bet": _bet,
    "stake": lambda words: [{"type": "WagerChanged", "wager_id": words[0], "stake": int(words[1])}],
    "withdraw": lambda words: [{"type": "WagerWithdrawn", "wager_id": words[0]}],
    "close": lambda _: [{"type": "BettingClosed"}],
    "called": _called,
    "camera": _camera,
    "placed": lambda words: [
        {"type": "CardPlaced", "hand": words[0], "slot": int(words[1]), "card": words[2]}
    ],
    "settled": _settled,
    "cut": lambda _: [{"type": "CutCardReached", "shoe_id": "S1"}],
    "shoe": lambda words: [{"type": "ShoeLoaded", "shoe_id": (*words, "S1")[0], "decks": 8}],
    "open": lambda _: [{"type": "RoundOpened"}],
    "void": lambda _: [{"type": "RoundVoided"}],
    "over": lambda words: [{"type": "RoundClosed", "status": words[0] if words else "settled"}],
    "end": lambda words: [{"type": "RoundClosed", "status": words[0] if words else "settled"}],
}

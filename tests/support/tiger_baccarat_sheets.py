"""Round sheets of Tiger Baccarat, written short: cards as `9S>P`, wagers as `P1 banker 1000`."""

from typing import Any

from replay.judge import Judgement
from tests.support.tables import judged

HANDS = {"P": "player", "B": "banker", "N": "next"}
SIDE_BETS = ("tie", "player_pair", "banker_pair", "tiger", "small_tiger", "big_tiger")
LIMITS = [
    *({"bet": bet, "minimum": 100, "maximum": 10_000} for bet in ("player", "banker")),
    *({"bet": bet, "minimum": 20, "maximum": 1_000} for bet in SIDE_BETS),
]
NATURAL = "9S>P KS>B KH>P 4H>B"  # Player 9, Banker 4
BANKER_SEVEN = "2S>P KS>B 3H>P 7H>B TD>P"  # Player 5, Banker 7
PLAYED = {"P9": NATURAL, "B7": BANKER_SEVEN}
BETS = "P1 banker 1000, P2 player 1000"

Json = dict[str, Any]


def event(name: str, /, **fields: Any) -> Json:
    """One event of a sheet."""
    return {"type": name, **fields}


def drawn(text: str, first: int = 1) -> list[Json]:
    """Cards leaving the shoe: card, the hand it is put on, `?` where its face was not seen."""
    events = []
    for position, item in enumerate(text.split(), first):
        card, _, hand = item.rstrip("?").partition(">")
        exposed = not item.endswith("?")
        fields = {"position": position, "hand": HANDS[hand], "exposed": exposed}
        events.append(event("CardDrawn", card=None if card == "--" else card, **fields))
    return events


def wagers(text: str) -> list[Json]:
    """Wagers such as `P1 banker 1000, P2 tie 50`, numbered W1, W2 and so on."""
    events = []
    for n, item in enumerate(filter(None, map(str.strip, text.split(","))), 1):
        player, bet, stake = item.split()
        fields = {"wager_id": f"W{n}", "player_id": player, "bet": bet, "stake": int(stake)}
        events.append(event("WagerPlaced", **fields))
    return events


def terms(**posted: Any) -> Json:
    """The terms of the worked examples."""
    base = {"game": "TB", "currency": "VND", "limits": LIMITS, "differential": 10_000}
    return {**base, **posted}


def sheet(
    bets: str,
    cards: str,
    *after: Json,
    before: tuple[Json, ...] = (),
    carry: Json | None = None,
    shoe: Json | None = None,
    **posted: Any,
) -> Json:
    """A round: wagers, no more bets, cards, and what happened after them."""
    events = [*before, *wagers(bets), event("BettingClosed"), *drawn(cards), *after]
    found: Json = {"terms": terms(**posted), "events": events}
    if carry is not None:
        found["carry"] = carry
    if shoe is not None:
        found["shoe"] = shoe
    return found


def at_table(cards: str, text: str, bets: str = BETS, **more: Any) -> Judgement:
    """A round judged: its cards or their name in PLAYED, and what else happened."""
    return judged(sheet(bets, PLAYED.get(cards, cards), *happened(text), **more))


def codes(found: Judgement) -> set[str]:
    """The flags of a round."""
    return {flag.code for flag in found.flags}


def report(kind: str, **fields: Any) -> Json:
    """An irregularity as somebody reported it."""
    return event("IrregularityReported", kind=kind, **fields)


def ruling(clause: str, decision: str, rank: str, **fields: Any) -> Json:
    """A decision of a person."""
    return event("RulingMade", clause=clause, decision=decision, rank=rank, **fields)


def withdraws(wager: str, clause: str, rank: str = "") -> Json:
    """A wager taken back, with the leave of somebody of that rank."""
    return event("WagerWithdrawn", wager_id=wager, clause=clause, leave_rank=rank)


def happened(text: str) -> list[Json]:
    """What happened, one thing a comma: `report wrong_order, withdraw W1 TB:7.9 shift_manager`."""
    return [_happened(*item.split()) for item in text.split(",") if item.strip()]


def _happened(verb: str, *words: str) -> Json:
    match verb, *words:
        case "report", kind, clause:
            return report(kind, clause=clause)
        case "report", kind:
            return report(kind)
        case "rule", clause, decision, rank:
            return ruling(clause, decision, rank)
        case "withdraw", wager, clause, rank:
            return withdraws(wager, clause, rank)
        case "withdraw", wager, clause:
            return withdraws(wager, clause)
        case "call", result:
            return event("ResultCalled", result=result)
        case "board", result:
            return event("ResultCalled", result=result, shown_by="board")
        case "expose", "hand", hand:
            return event("CardExposed", place="hand", hand=hand)
        case "expose", place, card:
            return event("CardExposed", place=place, card=card)
        case "expose", place:
            return event("CardExposed", place=place)
        case "load", shoe:
            return event("ShoeLoaded", shoe_id=shoe, decks=8)
        case "empty", shoe:
            return event("ShoeExhausted", shoe_id=shoe)
        case "remove", shoe, reason:
            return event("ShoeRemoved", shoe_id=shoe, reason=reason)
        case "squeeze", player:
            return event("CardHandled", hand="banker", player_id=player, purpose="squeeze")
        case "settle", wager, paid, commission, collected, returned:
            amounts = {"paid": paid, "commission": commission}
            amounts |= {"collected": collected, "returned": returned}
            numbers = {name: int(amount) for name, amount in amounts.items()}
            return event("WagerSettled", wager_id=wager, **numbers)
        case "declare", *cards:
            return event("FreeHandDeclared", cards=list(cards))
        case "void", clause:
            return event("RoundVoided", clause=clause)
        case "close", status:
            return event("RoundClosed", status=status)
        case "place", hand, slot, card:
            return event("CardPlaced", hand=HANDS[hand], slot=int(slot), card=card)
        case "camera", hand, slot, card, probability:
            guess = {"seen": card, "probability": float(probability)}
            return event("CardsObserved", zone=HANDS[hand], slot=int(slot), guesses=[guess])
        case "last", "hand":
            return event("LastHandAnnounced", shoe_id="S1")
        case "burn", count:
            return event("CardsBurned", count=int(count))
        case "draw", card, hand, position:
            return drawn(f"{card}>{hand}", int(position))[0]
    raise ValueError(f"{verb} {' '.join(words)}: nothing of the sort can happen")

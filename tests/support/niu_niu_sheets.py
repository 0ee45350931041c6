"""Round sheets of Niu Niu, written short: `1 P1 double 500+1000`, `1: 3S 7H TC 9D TS; D: ...`."""

from typing import Any

BETS = ("even", "double", "super_niu")
LIMITS = [{"bet": bet, "minimum": 100, "maximum": 10_000} for bet in BETS]
NIU_9, NIU_7 = "3S 7H TC 9D TS", "3D 7C TD 7D TH"
PLAIN = f"1: {NIU_9}; D: {NIU_7}"

Json = dict[str, Any]


def event(name: str, /, **fields: Any) -> Json:
    """One event of a sheet."""
    return {"type": name, **fields}


def wagers(text: str) -> list[Json]:
    """Wagers such as `1 P1 even 1000, 1 P1 double 500+1000`: box, player, bet, stake + Reserve."""
    events = []
    for n, item in enumerate(filter(None, map(str.strip, text.split(","))), 1):
        box, player, bet, chips = item.split()
        stake, _, reserve = chips.partition("+")
        fields = {"wager_id": f"W{n}", "player_id": player, "bet": bet, "stake": int(stake)}
        where = {} if box == "-" else {"box": box}
        events.append(event("WagerPlaced", **fields, **where, reserve=int(reserve or 0)))
    return events


def drawn(text: str, first: int = 1) -> list[Json]:
    """Packets in the order they left the device: `1: 3S 7H TC; D: 3D --; next: KS`."""
    events: list[Json] = []
    for packet in filter(None, map(str.strip, text.split(";"))):
        hand, _, cards = packet.partition(":")
        for card in cards.split():
            fields = {"position": first + len(events), "hand": "dealer" if hand == "D" else hand}
            events.append(event("CardDrawn", card=None if card == "--" else card, **fields))
    return events


def sheet(
    bets: str,
    cards: str = PLAIN,
    *after: Json,
    before: tuple[Json, ...] = (),
    carry: Json | None = None,
    **posted: Any,
) -> Json:
    """A round: wagers, no more bets, packets, and what happened after them."""
    terms = {"game": "NN", "currency": "VND", "limits": LIMITS, **posted}
    events = [*before, *wagers(bets), event("BettingClosed"), *drawn(cards), *after]
    found: Json = {"terms": terms, "events": events}
    return found if carry is None else {**found, "carry": carry}


def happened(text: str) -> list[Json]:
    """What happened, one thing a comma: `handle 1 P1, report card_damaged, close void`."""
    return [_happened(*item.split()) for item in text.split(",") if item.strip()]


def _happened(verb: str, *words: str) -> Json:
    match verb, *words:
        case "handle", hand, player:
            return event("CardHandled", hand=hand, player_id=player, purpose="arrange")
        case "report", kind:
            return event("IrregularityReported", kind=kind)
        case "report", kind, clause:
            return event("IrregularityReported", kind=kind, clause=clause)
        case "rule", clause, decision, rank:
            return event("RulingMade", clause=clause, decision=decision, rank=rank)
        case "void", clause:
            return event("RoundVoided", clause=clause)
        case "close", status:
            return event("RoundClosed", status=status)
        case "expose", hand:
            return event("CardExposed", place="hand", hand=hand)
        case "jam", code:
            return event("DeviceJammed", code=code)
        case "call", box, result:
            return event("ResultCalled", result=result, box=box)
        case "draw", card, hand, position:
            return event("CardDrawn", card=card, hand=hand, position=int(position))
        case "place", hand, slot, card:
            return event("CardPlaced", hand=hand, slot=int(slot), card=card)
        case "camera", hand, slot, card, probability:
            guess = {"seen": card, "probability": float(probability)}
            return event("CardsObserved", zone=hand, slot=int(slot), guesses=[guess])
        case "load", deck:
            return event("ShoeLoaded", shoe_id=deck, decks=1)
        case "remove", deck, cards_left:
            return event("ShoeRemoved", shoe_id=deck, cards_left=int(cards_left))
        case "change", wager, stake:
            return event("WagerChanged", wager_id=wager, stake=int(stake))
        case "withdraw", wager:
            return event("WagerWithdrawn", wager_id=wager)
        case "bet", box, player, bet, stake:
            fields = {"wager_id": f"late-{box}", "player_id": player, "bet": bet}
            return event("WagerPlaced", **fields, box=box, stake=int(stake))
        case "settle", wager, *pairs:
            names = {"p": "paid", "c": "commission", "t": "collected"}
            names |= {"r": "reserve_taken", "b": "returned"}
            amounts = {names[pair[0]]: int(pair[1:]) for pair in pairs}
            return event("WagerSettled", wager_id=wager, **{"paid": 0, **amounts})
    raise ValueError(f"{verb} {' '.join(words)}: nothing of the sort can happen")

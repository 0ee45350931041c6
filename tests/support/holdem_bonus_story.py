"""Round sheets of Texas Hold'em Bonus Poker, written short.

Wagers as `1 ante 100` (box, bet, stake; P1 plays box 1), cards as `AS>1 KD>dealer 2S>community`.
"""

from collections.abc import Iterable
from typing import Any

from replay.judge import Judgement
from tests.support.tables import judged

Json = dict[str, Any]

LIMITS = [
    {"bet": "ante", "minimum": 100, "maximum": 1_000},
    {"bet": "bonus", "minimum": 20, "maximum": 400},
]
EARLY = ("ante", "bonus")
HOLES = {"1": "AS AH", "2": "TS KH"}
BETS = "1 ante 100, 1 bonus 50, 1 flop 200, 2 ante 200, 2 flop 400"
# The same cards from a card shoe and from an automated device.
SHOE = (
    "5D>burn AS>1 TS>2 AH>1 KH>2 6D>burn 2S>community 7H>community 9C>community "
    "8D>burn JD>community 3C>burn QS>community KS>dealer KD>dealer"
)
DEVICE = (
    "2S>community 7H>community 9C>community JD>community QS>community "
    "AS>1 AH>1 TS>2 KH>2 KS>dealer KD>dealer"
)
BOARD, DEALER = "2S 7H 9C JD QS", "KS KD"


def event(name: str, /, **fields: Any) -> Json:
    """One event of a sheet."""
    return {"type": name, **fields}


def wagers(text: str) -> list[Json]:
    """Wagers such as `1 ante 100, 1 bonus 50`, named by box and bet."""
    return [_wager(*item.split()) for item in text.split(",") if item.strip()]


def laid(hand: str, cards: str) -> list[Json]:
    """A hand as the console recorded it; nobody saw the order of the draw."""
    return [
        event("CardPlaced", hand=hand, slot=slot, card=None if card == "--" else card)
        for slot, card in enumerate(cards.split(), 1)
    ]


def drawn(text: str, first: int = 1) -> list[Json]:
    """Cards leaving the device, each with the place it was put on: `AS>1 5D>burn`."""
    events = []
    for position, item in enumerate(text.split(), first):
        card, _, hand = item.partition(">")
        fields = {"position": position, "hand": hand, "card": None if card == "--" else card}
        events.append(event("CardDrawn", **fields))
    return events


def round_of(
    bets: str,
    holes: dict[str, str],
    *after: Json,
    dealer: str = DEALER,
    board: str = BOARD,
    carry: Json | None = None,
    readings: dict[str, str] | None = None,
) -> Json:
    """A round with its cards as they lie: Ante and Bonus, hole cards, decisions, board, dealer.

    `after` comes between the hole cards and the flop where it is a decision, else at the end.
    """
    placed = wagers(bets)
    community = laid("community", board)
    decided = [one for one in after if one["type"] in ("DecisionMade", "CardHandled")]
    rest = [one for one in after if one not in decided]
    hole = [one for box, cards in holes.items() for one in laid(box, cards)]
    return sheet(
        [
            *_of(placed, *EARLY),
            event("BettingClosed"),
            *hole,
            *decided,
            *_of(placed, "flop"),
            *community[:3],
            *_of(placed, "turn"),
            *community[3:4],
            *_of(placed, "river"),
            *community[4:],
            *laid("dealer", dealer),
            *rest,
        ],
        carry,
        readings,
    )


def from_shoe(
    bets: str, cards: str, *after: Json, before: Iterable[Json] = (), **more: Any
) -> Json:
    """A round with the draw order of its cards; each later bet is made before its card."""
    placed = wagers(bets)
    later = {1: "flop", 4: "turn", 5: "river"}
    events = [*before, *_of(placed, *EARLY), event("BettingClosed")]
    community = 0
    for one in drawn(cards):
        if one["hand"] == "community":
            community += 1
            events += _of(placed, later.get(community, ""))
        events.append(one)
    return sheet([*events, *after], **more)


def sheet(
    events: Iterable[Json], carry: Json | None = None, readings: dict[str, str] | None = None
) -> Json:
    """A sheet with the limits of the worked examples."""
    terms: Json = {"game": "TH", "currency": "VND", "limits": LIMITS}
    found: Json = {"terms": terms | {"readings": readings or {}}, "events": list(events)}
    return found if carry is None else found | {"carry": carry}


def decides(box: str, decision: str) -> Json:
    """What the player of a box decided."""
    return event("DecisionMade", player_id=f"P{box}", box=box, decision=decision)


def report(kind: str, **fields: Any) -> Json:
    """An irregularity as somebody reported it."""
    return event("IrregularityReported", kind=kind, **fields)


def ruling(clause: str, decision: str, rank: str, **fields: Any) -> Json:
    """A decision of a person."""
    return event("RulingMade", clause=clause, decision=decision, rank=rank, **fields)


def views(box: str, player: str = "") -> Json:
    """A player looks at the cards of a box."""
    return event("CardHandled", hand=box, player_id=player or f"P{box}", purpose="look")


def happened(text: str) -> list[Json]:
    """What happened, one thing a comma: `report box_count 1, rule TH:7.1 continue pit_manager`."""
    return [_happened(*item.split()) for item in text.split(",") if item.strip()]


def codes(found: Judgement) -> list[str]:
    """The flags of a round."""
    return [flag.code for flag in found.flags]


def lines(found: Judgement) -> list[list[str]]:
    """What each wager is due, as the rows of the worked examples."""
    return [
        [
            due.box,
            due.bet,
            str(due.stake),
            str(due.action),
            due.outcome,
            due.odds or "-",
            str(due.paid),
            str(due.collected),
            str(due.returned),
            " ".join(due.flags) or "-",
        ]
        for due in found.dues
    ]


def dealt(cards: str, text: str = "", bets: str = BETS, **more: Any) -> Judgement:
    """A round judged from the draw order of its cards and what happened after them."""
    return judged(from_shoe(bets, cards, *happened(text), **more))


def seen(text: str = "", bets: str = BETS, **more: Any) -> Judgement:
    """A round of two boxes judged from its cards as they lie, and what else happened."""
    return judged(round_of(bets, HOLES, *happened(text), **more))


def _of(placed: list[Json], *bets: str) -> list[Json]:
    return [one for one in placed if one["bet"] in bets]


def _wager(box: str, bet: str, stake: str) -> Json:
    fields = {"player_id": f"P{box}", "box": box, "bet": bet, "stake": int(stake)}
    return event("WagerPlaced", wager_id=f"{box}-{bet}", **fields)


def _happened(verb: str, *words: str) -> Json:
    match verb, *words:
        case "report", kind:
            return report(kind)
        case "report", kind, subject:
            return report(kind, subject=subject)
        case "rule", clause, decision, rank:
            return ruling(clause, decision, rank)
        case "rule", clause, decision, rank, value:
            return ruling(clause, decision, rank, value=value)
        case "expose", place, card:
            return event("CardExposed", place=place, card=card)
        case "view", box:
            return views(box)
        case "view", box, player:
            return views(box, player)
        case "decide", box, decision:
            return decides(box, decision)
        case "withdraw", wager, clause:
            return event("WagerWithdrawn", wager_id=wager, clause=clause)
        case "withdraw", wager, clause, rank:
            return event("WagerWithdrawn", wager_id=wager, clause=clause, leave_rank=rank)
        case "settle", wager, paid, collected, returned:
            amounts = {"paid": paid, "collected": collected, "returned": returned}
            numbers = {name: int(amount) for name, amount in amounts.items()}
            return event("WagerSettled", wager_id=wager, **numbers)
        case "void", clause:
            return event("RoundVoided", clause=clause)
        case "close", status:
            return event("RoundClosed", status=status)
        case "load", deck:
            return event("ShoeLoaded", shoe_id=deck, decks=1)
        case "jam", code:
            return event("DeviceJammed", code=code)
        case "draw", card, hand, position:
            return drawn(f"{card}>{hand}", int(position))[0]
        case "place", hand, slot, card:
            return event("CardPlaced", hand=hand, slot=int(slot), card=card)
        case "camera", hand, slot, card, probability:
            guess = {"seen": card, "probability": float(probability)}
            return event("CardsObserved", zone=hand, slot=int(slot), guesses=[guess])
        case "bet", box, bet, stake:
            return wagers(f"{box} {bet} {stake}")[0]
        case "call", result:
            return event("ResultCalled", result=result)
    raise ValueError(f"{verb} {' '.join(words)}: nothing of the sort can happen")

"""Round sheets of Texas Hold'em Bonus Poker, written short.

Wagers as `1 ante 100` (box, bet, stake; P1 plays box 1), cards as `AS>1 KD>dealer 2S>community`.
"""

from collections.abc import Iterable
from typing import Any

from replay.judge import Judgement
from tests.tables import judged

Json = dict[str, Any]

LIMITS = [
    {"bet": "ante", "minimum": 100, "maximum": 1_000},
    {"bet": "bonus", "minimum": 20, "maximum": 400},
]
EARLY = ("ante", "bonus")
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


def told(events: Iterable[Json], **more: Any) -> Judgement:
    """The judgement of a sheet made of these events."""
    return judged(sheet(events, **more))


def _of(placed: list[Json], *bets: str) -> list[Json]:
    return [one for one in placed if one["bet"] in bets]


def _wager(box: str, bet: str, stake: str) -> Json:
    fields = {"player_id": f"P{box}", "box": box, "bet": bet, "stake": int(stake)}
    return event("WagerPlaced", wager_id=f"{box}-{bet}", **fields)

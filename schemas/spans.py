"""The smallest and largest value of each number in an event, for every check and every message.

The contract has limits where they were known from the start, and a limit never tightens. The table
here has the others. A message shows the span that both allow, as `span_text` writes it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from schemas import avro
from schemas import events as e
from schemas.money import MOST

Span = tuple[int, int]

MONEY: Span = (0, MOST)
CHANGE: Span = (-MOST, MOST)
CARDS: Span = (0, 10_000)  # sixteen decks hold 832
COUNT: Span = (0, 1_000_000)
DAY_S = 86_400


def _us(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000


# A clock that lost its battery shows 1970. SQL and Python can both compute with these years.
TIME: Span = (_us(1900), _us(2200))

# Every number of an event that neither its type nor the contract bounds tightly enough.
_TABLE: Mapping[type[Any], Mapping[str, Span]] = {
    e.Limit: {"minimum": MONEY, "maximum": MONEY},
    e.Chips: {"count": COUNT, "value": MONEY},
    e.TermsPosted: {"differential": MONEY},
    e.WagerPlaced: {"stake": MONEY, "reserve": MONEY, "stack": COUNT},
    e.WagerChanged: {"stake": MONEY, "reserve": MONEY},
    e.WagerSettled: dict.fromkeys(
        ("paid", "commission", "collected", "reserve_taken", "returned"), MONEY
    ),
    e.StakeRead: {"amount": MONEY, "change": CHANGE},
    e.DecisionMade: {"amount": MONEY, "response_ms": (0, 1_000 * DAY_S)},
    e.ColourChipsIssued: {"value": MONEY},
    e.TrayCounted: {"amount": MONEY},
    e.RoundOpened: {"number": (0, 1_000_000_000)},
    e.BettingOpened: {"countdown_s": (0, DAY_S)},
    e.CardsBurned: {"count": CARDS},
    e.CardDrawn: {"position": CARDS},
    e.CardPlaced: {"slot": CARDS},
    e.CardsObserved: {"slot": CARDS},
    e.ShoeRemoved: {"cards_left": CARDS},
    e.BallTracked: {"revolutions": CARDS},
    e.ShakerStopped: {"tumbles": CARDS},
    e.TokensRevealed: {"standing": CARDS},
    e.DeviceBeat: {"interval_s": (0, 7 * DAY_S), "offset_ms": (-1_000_000_000, 1_000_000_000)},
    e.CorrectionMade: {"claimed_at": TIME},
    e.ClockStepped: {"step_ms": (0, (TIME[1] - TIME[0]) // 1_000)},
}


def contracted(kind: str, field: Mapping[str, Any]) -> Span:
    """The span that the contract alone allows: the field's limits, or those of its type."""
    bits = 31 if kind == "int" else 63
    return field.get("minimum", -(2**bits)), field.get("maximum", 2**bits - 1)


def span_text(span: Span) -> str:
    """A span as text: `1 to 1,000,000,000,000,000`."""
    return f"{span[0]:,} to {span[1]:,}"


def _both(record: type[Any], name: str, span: Span) -> Span:
    """The span that contract and table both allow."""
    (field,) = (each for each in avro.RECORDS[record.__name__]["fields"] if each["name"] == name)
    low, high = contracted("long" if "long" in field["type"] else "int", field)
    return max(low, span[0]), min(high, span[1])


BOUNDS: Mapping[type[Any], Mapping[str, Span]] = {
    record: {name: _both(record, name, span) for name, span in fields.items()}
    for record, fields in _TABLE.items()
}
# The same, with the times of the envelopes.
EVERY: Mapping[type[Any], Mapping[str, Span]] = {
    **BOUNDS,
    e.Reading: {"occurred_at": TIME, "received_at": TIME},
    e.Event: {"occurred_at": TIME, "ingested_at": TIME},
}

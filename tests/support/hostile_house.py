"""A house whose people and devices write what a page, a query or a path must not believe.

Names of tables, people and devices must be ids, so the gate refuses worse ones; they are as long as
they may be. Ids of rounds, notes, calls and what people type are free text: they are hostile. Every
stake has twelve digits, and one round has forty wagers.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from replay.simulate import DayRequest, plan, simulate
from tests.support import console_house

TABLE = "T01-SALON-PRIVE-0001"  # twenty characters
ROUNDS, WAGERS, TIMES = 24, 40, 1_000_000
LONGEST = 64  # characters of an id
HOSTILE = (
    "<script>pwned()</script>",
    "<img src=x onerror=pwned()>",
    '"><svg onload=pwned()>',
    "' onmouseover='pwned()",
    "javascript:pwned()",
    "</script><script>pwned()</script>",
    "{{ 7 * 7 }}{% raise %}",
    "'; drop table rounds; --",
    "' or 1=1 union select * from findings --",
    "../../../../etc/passwd",
    "%2e%2e%2f%00/round",
    "a/b?c=d&e#f",
    "=HYPERLINK(pwned())",
    "\u202egnp.exe\u0000\u001b[31m",
    "\\\\host\\share\\round",
)


def made(home: Path) -> Path:
    """Play the day, derive and check it."""
    seats = plan.table_setups(f"{TABLE}:TB")
    day = simulate(DayRequest("7", seats, ROUNDS, "2026-03-01", {}), home / "day", "jsonl")
    events = [json.loads(line) for line in day.path.read_text("utf-8").splitlines()]
    written = home / "hostile.jsonl"
    lines = (json.dumps(each) + "\n" for each in _numbered(_hostile(events)))
    refused = [json.dumps(events[0] | {"table_id": name}) + "\n" for name in HOSTILE]
    written.write_text("".join([*lines, *refused]), "utf-8")
    console_house.taken_in(home, written)
    console_house.derived(home)
    return home


def _hostile(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    names: dict[str, str] = {}
    last = ""
    for event in events:
        payload, own = event["payload"], event["round_id"]
        if own:
            event["round_id"] = names.setdefault(own, _round(len(names), own))
        for key in ("person_id", "player_id"):
            if key in payload:
                payload[key] = f"{payload[key]}{'-long' * 12}"[:LONGEST]
        for key in ("stake", "amount", "paid", "collected", "returned", "commission", "stack"):
            if payload["type"] != "TrayCounted" and isinstance(payload.get(key), int):
                payload[key] *= TIMES
        if payload["type"] in ("BettingClosed", "TableClosed", "ResultCalled"):
            name = "result" if payload["type"] == "ResultCalled" else "note"
            payload[name] = HOSTILE[len(names) % len(HOSTILE)]
        if payload["type"] == "CardsObserved":
            payload["frame_hash"] = HOSTILE[1]
        yield event
        if payload["type"] == "WagerPlaced" and own != last:
            last = own
            yield from _more(event, WAGERS if len(names) == 2 else 0)


def _round(number: int, own: str) -> str:
    """The hostile ones first; each is another one."""
    return HOSTILE[number] if number < len(HOSTILE) else own


def _more(event: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """The same wager again and again, each of another player."""
    for n in range(count):
        payload = event["payload"]
        own = {"wager_id": f"{payload['wager_id']}-{n}", "player_id": f"P{n:03}", "box": "0"}
        yield event | {"payload": payload | own}


def _numbered(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every device counts its own events without a gap."""
    seen = Counter[str]()
    for event in events:
        seen[event["device_id"]] += 1
        yield event | {"device_seq": seen[event["device_id"]]}

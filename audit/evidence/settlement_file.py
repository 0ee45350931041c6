"""The settlement as a file from which a stranger derives the sums again: lines, facts, wagers."""

from typing import Any

from audit.evidence.gather import PackMaterial
from audit.evidence.redaction import commitment
from replay import payments
from replay.judge import Judgement
from replay.payments import AMOUNTS
from replay.rulebooks import edition as edition_text
from replay.rulebooks.edition import Line
from replay.ruled import Stand
from replay.settle import Due
from schemas import events as e

OWED = (
    *("stake", "gross_win", "commission", "paid", "collected", "returned"),
    *("reserve_taken", "reserve_returned"),
)


def settlement(material: PackMaterial) -> dict[str, Any]:
    """What every wager was due and what was seen, with all that the sums are made of."""
    judged, withheld = material.file.judged, material.file.withheld
    terms = judged.terms
    dues = {due.wager_id: due for due in judged.dues}
    seen, evidence = payments.totals(judged.round.events), _evidence(judged)
    rows = [
        (stand, _wager(stand, dues.get(name), seen.get(name), evidence.get(name, [])))
        for stand in judged.ruled.stands
        for name in (stand.wager.wager_id,)
    ]
    return {
        "currency": terms.currency if terms else "",
        "rounding": terms.rounding if terms else "",
        "paytable": terms.paytable if terms else "",
        "status": judged.ruled.status,
        "outcome": judged.ruled.outcome,
        "facts": sorted(judged.ruled.facts),
        "lines": [_line(line) for line in _lines(judged)],
        "wagers": [row for _, row in rows if row["wager"] not in withheld],
        "withheld": [
            _hidden(material, stand, row) for stand, row in rows if row["wager"] in withheld
        ],
    }


def _wager(
    stand: Stand, due: Due | None, seen: e.WagerSettled | None, evidence: list[str]
) -> dict[str, Any]:
    wager = stand.wager
    gaps = payments.differences(due, seen) if due and seen else {}
    return {
        "wager": wager.wager_id,
        "player": wager.player_id,
        "box": wager.box,
        "bet": wager.bet,
        "stake": str(wager.lying),
        "reserve": str(wager.placed.reserve),
        "action": str(stand.action),
        "fate": stand.fate,
        "facts": sorted(stand.facts),
        "parts": [{"position": part.position, "action": str(part.action)} for part in stand.parts],
        "shares": stand.shares,
        "recorded": _amounts(stand.recorded),
        "outcome": due.outcome if due else "",
        "odds": due.odds if due else "",
        "due": {name: str(getattr(due, name)) for name in OWED} if due else None,
        "seen": _amounts(seen),
        "differences": {name: f"{gap:+d}" for name, gap in gaps.items()},
        "clauses": list(due.clauses if due else stand.clauses),
        "stand_clauses": list(stand.clauses),
        "evidence": evidence,
    }


def _amounts(settled: e.WagerSettled | None) -> dict[str, str] | None:
    if settled is None:
        return None
    return {name: str(getattr(settled, name)) for name in AMOUNTS}


def _evidence(judged: Judgement) -> dict[str, list[str]]:
    """The events that tell of each wager."""
    found: dict[str, list[str]] = {}
    for event in judged.round.events:
        found.setdefault(getattr(event.payload, "wager_id", ""), []).append(event.event_id)
    return found


def _lines(judged: Judgement) -> list[Line]:
    """The paytable's lines of every bet and position in the round, in the paytable's order."""
    if judged.edition is None or judged.terms is None:
        return []
    table = judged.edition.paytables[judged.terms.paytable or judged.edition.paytable]
    positions = {stand.wager.bet for stand in judged.ruled.stands}
    positions |= {part.position for stand in judged.ruled.stands for part in stand.parts}
    names = positions | {position.partition(":")[0] for position in positions}
    return [line for name in table if name in names for line in table[name]]


def _line(line: Line) -> dict[str, Any]:
    return {
        "bet": line.bet,
        "fact": line.fact,
        "odds": edition_text.cell(line.odds),
        "clauses": list(line.clauses),
        "source": line.source,
    }


def _hidden(material: PackMaterial, stand: Stand, row: dict[str, Any]) -> dict[str, Any]:
    """A wager of somebody else: its bet, and a commitment that the full edition opens."""
    placing = material.record(stand.wager.event_id)
    return {
        "wager": row["wager"],
        "bet": row["bet"],
        "box": row["box"],
        "seq": placing.offset,
        "commitment": commitment(placing.body, "settlement", row),
    }

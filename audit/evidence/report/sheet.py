"""What was owed and what was seen, a row for each wager."""

from typing import Any

from audit.evidence.report.report_text import BEHIND, ReportText
from audit.evidence.settlement_sheet import SheetRow
from replay.sentence import say


def row(page: ReportText, line: SheetRow) -> dict[str, Any]:
    """One row of the sheet; of a withheld wager only its seat and bet are shown."""
    box = line.wager.box
    seat = page.words(say("page.behind")) if box == BEHIND else box
    cells: dict[str, Any] = {"seat": seat, "bet": page.label("bet", line.wager.bet)}
    if not page.shows(line):
        return cells | {"withheld": page.words(say("page.withheld")), "tone": "withheld"}
    unknown, unseen = page.words(say("page.unknown")), page.words(say("page.not_seen"))
    gap = line.difference
    return cells | {
        "player": line.wager.player_id,
        "stake": page.figure(line.wager.lying),
        "reserve": _reserve(page, line.wager.placed.reserve),
        "rule": _rule(page, line),
        "due": unknown if line.owed is None else page.figure(line.owed),
        "given": unseen if line.given is None else page.figure(line.given),
        "difference": unknown if gap is None else page.figure(gap, signed=True),
        "clauses": list(line.due.clauses) if line.due else [],
        "tone": "unknown" if gap is None else "wrong" if gap else "right",
    }


def total(page: ReportText) -> dict[str, str]:
    """The sums of the sheet; nothing where an amount is withheld or unknown."""
    lines = page.file.sheet
    owed = [line.owed for line in lines if line.owed is not None]
    given = [line.given for line in lines if line.given is not None]
    if page.file.withheld or len(lines) < 2 or not len(owed) == len(given) == len(lines):
        return {}
    stakes = sum(line.wager.lying for line in lines)
    reserves = sum(line.wager.placed.reserve for line in lines)
    return {
        "stake": page.figure(stakes),
        "reserve": _reserve(page, reserves),
        "due": page.figure(sum(owed)),
        "given": page.figure(sum(given)),
        "difference": page.figure(sum(given) - sum(owed), signed=True),
    }


def _reserve(page: ReportText, reserve: int) -> str:
    """What lies in reserve beside a stake; empty where nothing does."""
    return page.words(say("page.and_reserve", reserve=page.figure(reserve))) if reserve else ""


def _rule(page: ReportText, line: SheetRow) -> str:
    if line.due is None:
        return page.words(say("page.unknown"))
    outcome = page.label("outcome", line.due.outcome)
    pays, _, to = line.due.odds.partition("/")
    return f"{outcome} {pays}:{to or 1}" if line.due.odds else outcome

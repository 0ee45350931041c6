"""A judged round in full: terms, readings, numbered steps with their clauses, dues and payments."""

from dataclasses import replace
from typing import Any

from replay import payments
from replay.book import Edition
from replay.doubts import Doubt, doubts, sights_of
from replay.judge import Judgement, judge
from replay.settle import Due, differences

RESERVE = ("reserve_taken", "reserve_returned")


def explanation(judged: Judgement, wager_id: str = "") -> dict[str, Any]:
    """Everything behind a round, or behind one wager of it, as plain JSON values.

    Amounts are strings of minor units, so that no reader rounds them.
    """
    round, ruled = judged.round, judged.ruled
    steps = [
        {
            "n": n,
            "text": step.text,
            "clauses": list(step.clauses),
            "evidence": list(step.evidence),
            "wager": step.wager_id,
        }
        for n, step in enumerate(judged.steps, 1)
        if not wager_id or step.wager_id in ("", wager_id)
    ]
    dues = [due for due in judged.dues if wager_id in ("", due.wager_id)]
    return {
        "round": round.round_id,
        "table": round.table_id,
        "gaming_day": round.gaming_day,
        "wager": wager_id,
        "terms": _terms(judged),
        "status": ruled.status,
        "status_clauses": list(ruled.clauses),
        "outcome": ruled.outcome,
        "readings": _readings(judged),
        "doubts": [_doubt(doubt) for doubt in doubts(judged, sights_of(judged))],
        "steps": steps,
        "dues": [_due(due, judged) for due in dues],
        "flags": [flag._asdict() for flag in judged.flags],
        "clauses": _texts(judged, steps, dues),
    }


def _terms(judged: Judgement) -> dict[str, Any]:
    edition, terms = judged.edition, judged.terms
    if edition is None or terms is None:
        return {}
    limits = {
        limit.bet: {"minimum": str(limit.minimum), "maximum": str(limit.maximum)}
        for limit in terms.limits.values()
    }
    return {
        "rulebook": edition.code,
        "title": edition.title,
        "edition": edition.number,
        "paytable": terms.paytable,
        "currency": terms.currency,
        "differential": None if terms.differential is None else str(terms.differential),
        "decks": terms.decks,
        "rounding": terms.rounding,
        "limits": limits,
    }


def _readings(judged: Judgement) -> list[dict[str, Any]]:
    """Each rule issue the round was read by, and which other reading would change its dues."""
    edition = judged.edition
    if edition is None:
        return []
    return [
        {
            "issue": name,
            "anchor": edition.issues[name].anchor,
            "what": edition.issues[name].what,
            "reading": reading,
            "changed_by": _changed_by(judged, edition, name, reading),
        }
        for name, reading in sorted(judged.ruled.readings.items())
        if name in edition.issues
    ]


def _changed_by(judged: Judgement, edition: Edition, name: str, reading: str) -> list[str]:
    posted, issue = judged.round.terms, edition.issues[name]
    assert posted is not None
    others = []
    for other in (issue.reading, *issue.alternatives):
        terms = replace(posted, readings={**posted.readings, name: other})
        again = judge(replace(judged.round, terms=terms), edition, judged.memory)
        same = (again.ruled.status, again.dues) == (judged.ruled.status, judged.dues)
        if other != reading and not same:
            others.append(other)
    return others


def _doubt(doubt: Doubt) -> dict[str, Any]:
    """A card place in doubt; probabilities are millionths."""
    return {
        "place": f"{doubt.hand} card {doubt.slot}",
        "kind": doubt.kind,
        "explanations": dict(zip(("misread", "switched", "foreign"), doubt.ppm, strict=True)),
        "likely": dict(doubt.likely),
        "told": doubt.told,
        "evidence": list(doubt.evidence),
    }


def _due(due: Due, judged: Judgement) -> dict[str, Any]:
    seen = payments.totals(judged.round.events).get(due.wager_id)
    gaps = differences(due, seen) if seen else {}
    amounts = ("stake", "gross_win", "commission", "paid", "collected", "returned", *RESERVE)
    return {
        "wager": due.wager_id,
        "player": due.player_id,
        "bet": due.bet,
        "outcome": due.outcome,
        "odds": due.odds,
        "action": str(due.action),
        "due": {name: str(getattr(due, name)) for name in amounts},
        "seen": seen
        and {name: str(getattr(seen, name)) for name in amounts if hasattr(seen, name)},
        "differences": {name: str(gap) for name, gap in gaps.items()},
        "clauses": list(due.clauses),
        "flags": list(due.flags),
    }


def _texts(judged: Judgement, steps: list[dict[str, Any]], dues: list[Due]) -> dict[str, str]:
    """The text of each clause that is cited, word for word."""
    if judged.edition is None:
        return {}
    cited = {anchor for step in steps for anchor in step["clauses"]}
    cited |= {anchor for due in dues for anchor in due.clauses} | set(judged.ruled.clauses)
    cited |= {flag.clause for flag in judged.flags}
    known = judged.edition.clauses
    return {anchor: known[anchor].text for anchor in sorted(cited) if anchor in known}

"""A judged round in full: terms, readings, numbered steps with their clauses, dues and payments."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from replay import payments, wagers, words
from replay.disputes import payment_fit
from replay.disputes.doubts import Doubt, doubts, sights_of
from replay.judge import Judgement
from replay.relied_readings import relied
from replay.settle import Due
from replay.witnesses import Sight
from schemas import events as e

RESERVE = ("reserve_taken", "reserve_returned")
AMOUNTS = ("stake", "gross_win", "commission", "paid", "collected", "returned", *RESERVE)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# The moments of a round that people ask for, each by the first event of its kind.
MOMENTS: tuple[tuple[str, type[e.Payload]], ...] = (
    ("opened", e.RoundOpened),
    ("no more bets", e.BettingClosed),
    ("result called", e.ResultCalled),
    ("first settled", e.WagerSettled),
    ("voided", e.RoundVoided),
    ("closed", e.RoundClosed),
)


def explanation(
    judged: Judgement,
    wager_id: str = "",
    language: str = "en",
    *,
    known: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Everything behind a round, or behind one wager of it, as plain JSON values.

    Amounts are strings of minor units, so that no reader rounds them. Sentences are in words of the
    language; everything else is the code that the tables have. `known` are the readings that the
    round relies on, where the caller has them: to find them judges the round again and again.
    """
    round, ruled, reader = judged.round, judged.ruled, words.Reader(language, judged.code)
    steps = [
        {
            "n": n,
            "text": reader.text(step.text),
            "clauses": list(step.clauses),
            "evidence": list(step.evidence),
            "wager": step.wager_id,
        }
        for n, step in enumerate(judged.steps, 1)
        if not wager_id or step.wager_id in ("", wager_id)
    ]
    dues = [due for due in judged.dues if wager_id in ("", due.wager_id)]
    sights = sights_of(judged)
    seen = payments.totals(round.events)
    return {
        "round": round.round_id,
        "table": round.table_id,
        "gaming_day": round.gaming_day,
        "times": dict(_times(judged)),
        "staff": dict(round.staff),
        "wager": wager_id,
        "terms": _terms(judged),
        "status": ruled.status,
        "status_clauses": list(ruled.clauses),
        "outcome": ruled.outcome,
        "readings": _readings(judged, relied(judged) if known is None else known),
        "cards": [_card(sight) for sight in sights],
        "doubts": [_doubt(doubt, reader) for doubt in doubts(judged, sights)],
        "steps": steps,
        "dues": [_due(due, seen.get(due.wager_id)) for due in dues],
        "wagers": [] if judged.dues else list(_wagers(judged, wager_id)),
        "payments_fit": [
            fit._asdict() | {"readings": tuple(map(reader.text, fit.readings))}
            for fit in payment_fit.fits(judged)
        ],
        "flags": [flag._asdict() | {"note": reader.text(flag.note)} for flag in judged.flags],
        "clauses": _texts(judged, steps, dues),
    }


def _times(judged: Judgement) -> Iterator[tuple[str, str]]:
    """When each thing happened by its device's clock, as UTC."""
    for name, kind in MOMENTS:
        for event in judged.round.events:
            if isinstance(event.payload, kind):
                moment = EPOCH + timedelta(microseconds=event.occurred_at)
                yield name, moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                break


def _card(sight: Sight) -> dict[str, Any]:
    """One card place as each witness saw it."""
    return {
        "hand": sight.hand,
        "slot": sight.slot,
        "card": sight.card and str(sight.card),
        "shoe": sight.shoe,
        "camera": sight.camera,
        "camera_probability": sight.camera_probability if sight.camera else None,
        "dealer": sight.dealer,
        "evidence": list(sight.evidence),
    }


def _wagers(judged: Judgement, wager_id: str) -> Iterator[dict[str, Any]]:
    """The wagers of a round that owes nothing yet, with what was seen to be paid on them."""
    seen = payments.totals(judged.round.events)
    for wager in wagers.at_close(judged.round.events, judged.round.betting_end):
        if wager_id in ("", wager.wager_id):
            yield {
                "wager": wager.wager_id,
                "player": wager.player_id,
                "box": wager.box,
                "bet": wager.bet,
                "stake": str(wager.lying),
                "reserve": str(wager.placed.reserve),
                "seen": _seen(seen.get(wager.wager_id)),
            }


def _seen(settled: e.WagerSettled | None) -> dict[str, str] | None:
    if settled is None:
        return None
    return {name: str(getattr(settled, name)) for name in AMOUNTS if hasattr(settled, name)}


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


def _readings(judged: Judgement, known: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Each rule issue the round relies on, and which other reading would change it."""
    edition, terms = judged.edition, judged.terms
    if edition is None or terms is None:
        return []
    return [
        {
            "issue": name,
            "anchor": edition.issues[name].anchor,
            "what": edition.issues[name].what,
            "reading": terms.readings[name],
            "changed_by": list(others),
        }
        for name, others in known.items()
    ]


def _doubt(doubt: Doubt, reader: words.Reader) -> dict[str, Any]:
    """A card place in doubt; probabilities are millionths."""
    return {
        "hand": doubt.hand,
        "slot": doubt.slot,
        "kind": doubt.kind,
        "explanations": dict(zip(("misread", "switched", "foreign"), doubt.ppm, strict=True)),
        "likely": dict(doubt.likely),
        "told": reader.text(doubt.told),
        "evidence": list(doubt.evidence),
    }


def _due(due: Due, seen: e.WagerSettled | None) -> dict[str, Any]:
    gaps = payments.differences(due, seen) if seen else {}
    return {
        "wager": due.wager_id,
        "player": due.player_id,
        "box": due.box,
        "bet": due.bet,
        "outcome": due.outcome,
        "odds": due.odds,
        "odds_source": due.odds_source,
        "action": str(due.action),
        "due": {name: str(getattr(due, name)) for name in AMOUNTS},
        "seen": _seen(seen),
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

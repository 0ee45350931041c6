"""A finding for people: as lines and as a document, with its clauses and its events."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import duckdb

from audit.catalogue import SPOKEN
from audit.run_checks import Finding
from schemas.money import shown


class Seen(NamedTuple):
    """An event of the evidence."""

    event_id: str
    occurred_at: datetime
    device_id: str
    type: str
    payload: str


class Whole(NamedTuple):
    """A finding with the text of its clauses and the events it rests on."""

    finding: Finding
    clauses: dict[str, str]
    events: list[Seen]


def whole(connection: duckdb.DuckDBPyConnection, finding: Finding) -> Whole:
    """The finding with everything a reader needs to judge it."""
    clauses = connection.execute(
        "select anchor, any_value(text order by edition desc) from clauses "
        "where anchor in (select unnest(?)) group by anchor",
        [list(finding.clauses)],
    ).fetchall()
    events = connection.execute(
        "select event_id, occurred_at, device_id, type, payload from events "
        "where table_id = ? and event_id in (select unnest(?)) order by seq",
        [finding.table_id, list(finding.evidence)],
    ).fetchall()
    texts = dict(clauses)
    ordered = {anchor: texts[anchor] for anchor in finding.clauses if anchor in texts}
    return Whole(finding, ordered, [Seen(*event) for event in events])


def document(finding: Finding) -> dict[str, Any]:
    """The finding as plain JSON values; amounts are text, so that no reader rounds them."""
    row: dict[str, Any] = finding._asdict()
    row["clauses"], row["evidence"] = list(finding.clauses), list(finding.evidence)
    return row | {side: str(row[side]) for side in ("house_minor", "player_minor")}


def whole_document(told: Whole) -> dict[str, Any]:
    """The finding, its clauses and its events as plain JSON values."""
    return document(told.finding) | {
        "clause_texts": told.clauses,
        "events": [
            event._asdict() | {"occurred_at": utc(event.occurred_at)} for event in told.events
        ],
    }


def lines(told: Whole) -> Iterator[str]:
    """The finding as lines of text."""
    finding = told.finding
    sure = (
        "certain"
        if finding.certain
        else "possible: clocks, gaps or a misreading leave room for doubt"
    )
    yield f"{finding.finding_id}  {finding.title}"
    yield f"severity  {finding.severity}, {SPOKEN[finding.severity]}; {sure}; {finding.state}"
    yield f"where     {place(finding)}; {finding.subject}"
    yield f"expected  {finding.expected}"
    yield f"found     {finding.found}"
    yield f"at stake  {stake(finding) or 'no amount of its own'}"
    for anchor, text in told.clauses.items():
        yield f"clause    {anchor}  {text}"
    for event in told.events:
        yield f"event     {event.event_id}  {utc(event.occurred_at)}  {event.device_id}"
        yield f"          {event.type}  {event.payload}"
    for event_id in sorted(set(finding.evidence) - {event.event_id for event in told.events}):
        yield f"event     {event_id}  not among the events on file"


def place(finding: Finding) -> str:
    """Table, gaming day and round."""
    day = f" on {finding.gaming_day}" if finding.gaming_day else ""
    round = f", round {finding.round_id}" if finding.round_id else ""
    return f"table {finding.table_id}{day}{round}"


def stake(finding: Finding) -> str:
    """The money at stake for each side; empty where there is none."""
    sides = (("house", finding.house_minor), ("player", finding.player_minor))
    return ", ".join(
        f"{side} {shown(amount, finding.currency or '')}" for side, amount in sides if amount
    )


def utc(moment: datetime) -> str:
    """The moment as RFC 3339, to the microsecond."""
    return moment.isoformat(timespec="microseconds") + "Z"

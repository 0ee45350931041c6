"""A finding as text and as JSON, with its clauses and its events."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from audit.checks import wording
from audit.checks.catalogue import SPOKEN
from audit.checks.run import CheckFinding
from audit.checks.titles import title
from audit.cli import screen, times
from audit.cli.errors import Code, Stopped, explained
from audit.pages import clause_text
from replay import locate
from schemas import codec
from schemas import events as e
from schemas.money import shown

NOT_IN_LOG = "(the log of this house does not hold it)"


class EvidenceEvent(NamedTuple):
    """An event that a finding rests on."""

    event_id: str
    occurred_at: datetime
    device_id: str
    type: str
    payload: str  # as JSON; empty where the log does not hold it


class Whole(NamedTuple):
    """A finding with the text of its clauses and the events it rests on."""

    finding: CheckFinding
    clauses: dict[str, str]
    events: list[EvidenceEvent]
    seen_at: str | None  # RFC 3339; None if no event is on file


def whole(
    connection: duckdb.DuckDBPyConnection, finding: CheckFinding, home: Path | None = None
) -> Whole:
    """The finding with the text of its clauses and its events.

    What the events say is read from the log of the house, where it is named.
    """
    clauses = connection.execute(
        "select anchor, any_value(text order by edition desc) from clauses "
        "where anchor in (select unnest(?)) group by anchor",
        [list(finding.clauses)],
    ).fetchall()
    rows = connection.execute(
        "select event_id, occurred_at, device_id, type, arrived from events "
        "where table_id = ? and event_id in (select unnest(?)) order by seq",
        [finding.table_id, list(finding.evidence)],
    ).fetchall()
    texts = dict(clauses)
    ordered = {anchor: texts[anchor] for anchor in finding.clauses if anchor in texts}
    seen = seen_at(connection, [finding]).get(finding.finding_id)
    arrived = [row[-1] for row in rows if row[-1] is not None]
    said = locate.recorded(home, finding.table_id, arrived) if home else {}
    events = [
        EvidenceEvent(event_id, at, device_id, kind, _json(said.get(offset)))
        for event_id, at, device_id, kind, offset in rows
    ]
    return Whole(finding, ordered, events, seen)


def _json(payload: e.Payload | None) -> str:
    if payload is None:
        return ""
    return json.dumps(
        codec.to_json(payload), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def document(finding: CheckFinding) -> dict[str, Any]:
    """The finding as JSON values; amounts are text, so that no reader rounds them."""
    row: dict[str, Any] = finding._asdict()
    row["clauses"], row["evidence"] = list(finding.clauses), list(finding.evidence)
    return row | {side: str(row[side]) for side in ("house_minor", "player_minor")}


def whole_document(told: Whole) -> dict[str, Any]:
    """The finding, its clauses and its events as JSON values."""
    return document(told.finding) | {
        "seen_at": told.seen_at,
        "clause_texts": told.clauses,
        "events": [
            event._asdict() | {"occurred_at": utc(event.occurred_at)} for event in told.events
        ],
    }


def seen_at(
    connection: duckdb.DuckDBPyConnection, findings: Sequence[CheckFinding]
) -> dict[str, str]:
    """When each finding happened, in RFC 3339, by finding id.

    That is the time of its subject if the subject is an event, else of the last event it rests on:
    a payment comes after the wager that it is compared with. A finding without an event on file is
    left out.
    """
    rows = connection.execute(
        "with told as (select unnest($1) as finding_id, unnest($2) as table_id, "
        "unnest($3) as evidence, unnest($4) as subject), named as (select finding_id, table_id, "
        "subject, unnest(evidence) as event_id from told) "
        "select finding_id, coalesce(any_value(occurred_at) filter (event_id = subject), "
        "arg_max(occurred_at, seq)) from named "
        "join events using (table_id, event_id) group by finding_id",
        [
            [finding.finding_id for finding in findings],
            [finding.table_id for finding in findings],
            [list(finding.evidence) for finding in findings],
            [finding.subject for finding in findings],
        ],
    ).fetchall()
    return {finding_id: utc(moment) for finding_id, moment in rows}


def lines(told: Whole, zone: str = "UTC", language: str = "en") -> Iterator[str]:
    """The finding as lines of text in the language, times in the venue's zone."""
    worded = wording.told(told.finding, language)
    finding = CheckFinding(*(screen.visible_in(each) for each in worded))

    def local(text: str) -> str:
        return times.local(screen.visible(text), zone, finding.gaming_day or "")

    sure = "certain" if finding.certain else "possible: clocks, gaps or a misreading may explain it"
    yield f"{finding.finding_id}  {title(finding.title, language)}"
    yield f"severity  {finding.severity}, {SPOKEN[finding.severity]}; {sure}; {finding.state}"
    yield f"where     {place(finding)}; {finding.subject}"
    if told.seen_at:
        yield f"when      {times.local(told.seen_at, zone)}"
    yield f"expected  {local(finding.expected)}"
    yield f"found     {local(finding.found)}"
    yield f"at stake  {stake(finding) or 'no amount'}"
    for anchor, text in told.clauses.items():
        first, *rest = clause_text.lines(text)
        yield f"clause    {anchor}  {first}"
        yield from (f"          {line}" for line in rest)
    for event in told.events:
        at = times.local(utc(event.occurred_at), zone)
        yield f"event     {screen.visible(event.event_id)}  {at}  {screen.visible(event.device_id)}"
        yield f"          {event.type}  {screen.visible(event.payload) or NOT_IN_LOG}"
    for event_id in sorted(set(finding.evidence) - {event.event_id for event in told.events}):
        yield f"event     {event_id}  not on file"


def place(finding: CheckFinding) -> str:
    """Table, gaming day and round."""
    day = f" on {finding.gaming_day}" if finding.gaming_day else ""
    round = f", round {finding.round_id}" if finding.round_id else ""
    return f"table {finding.table_id}{day}{round}"


def stake(finding: CheckFinding) -> str:
    """The money at stake for each side; empty if there is none."""
    sides = (("house", finding.house_minor), ("player", finding.player_minor))
    return ", ".join(
        f"{side} {shown(amount, finding.currency or '')}" for side, amount in sides if amount
    )


def utc(moment: datetime) -> str:
    """The time in RFC 3339, to the microsecond."""
    return moment.isoformat(timespec="microseconds") + "Z"


def require_no_damage(damaged: Mapping[str, Exception], rest: str) -> None:
    """Name the tables whose findings log is damaged, and stop if there is one."""
    for table, error in damaged.items():
        screen.hint(f"the findings log of table {table} is damaged: {explained(error)}")
    if damaged:
        what = f"the findings log of {', '.join(damaged)} is damaged; {rest}"
        raise Stopped(what, explained(next(iter(damaged.values()))).next_step, Code.UNVERIFIED)

"""A check as text and as JSON, and all checks as the page docs/checks.md."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from audit.checks import catalogue
from audit.checks.catalogue import SPOKEN, Check

FAMILIES = {
    "BET": "Bets, limits and timing",
    "CASE": "Disputes, certificates and filings",
    "DEAL": "Dealing procedure",
    "INT": "Integrity of the record",
    "IRR": "Irregularities and authority",
    "PAY": "Settlement",
    "REC": "Witnesses against one another",
    "RNG": "Wheels, dice and tokens",
    "SHOE": "Cards",
    "STAFF": "Staff",
}
ELSEWHERE = {"held": "Held elsewhere", "open": "Not there yet"}
HEAD = """\
# Checks

What the audit looks for. Each check is one query in `audit/checks/`, with its examples in
`tests/audit/checks/`. This page is written from their headers by `roundproof checks --markdown`.

"""


def document(check: Check) -> dict[str, Any]:
    """A check's header as JSON values."""
    return {
        "title": check.title,
        "severity": check.severity,
        "mode": check.mode,
        "clauses": list(check.clauses),
        "why": check.why,
        "benign": check.benign,
        "budget": check.budget,
        "unseen": check.unseen,
    }


def told(check: Check) -> Iterator[str]:
    """One check as lines of text."""
    yield f"{check.check_id}  {check.title}"
    yield f"severity  {check.severity}, {SPOKEN[check.severity]}; runs {check.mode}"
    yield f"clauses   {', '.join(check.clauses)}"
    yield f"why       {check.why}"
    yield f"benign    {check.benign}"
    if check.budget:
        yield f"budget    {check.budget}"
    if check.unseen:
        yield f"unseen    {check.unseen}"
    yield ""
    yield check.sql.rstrip()


def page(checks: Iterable[Check]) -> str:
    """The catalogue as Markdown."""
    parts = [HEAD]
    parts += [f"- **{severity}** {meaning}\n" for severity, meaning in SPOKEN.items()]
    ordered = sorted(checks, key=lambda check: check.check_id)
    for family, members in groupby(ordered, key=lambda check: check.family):
        parts.append(f"\n## {FAMILIES[family]}\n")
        parts += [_section(check) for check in members]
    for heading, entries in catalogue.elsewhere().items():
        parts.append(f"\n## {ELSEWHERE[heading]}\n\n")
        parts += [
            f"- **{check_id} {title}.** {text}\n" for check_id, (title, text) in entries.items()
        ]
    return "".join(parts)


def _section(check: Check) -> str:
    budget = f"\n*By chance alone:* {check.budget}\n" if check.budget else ""
    unseen = f"\n*Not seen:* {check.unseen}\n" if check.unseen else ""
    return (
        f"\n### {check.check_id} {check.title}\n\n"
        f"{check.severity}, {check.mode}. Clauses: {', '.join(check.clauses)}.\n\n"
        f"{check.why}\n\n"
        f"*Benign:* {check.benign}\n{budget}{unseen}"
    )

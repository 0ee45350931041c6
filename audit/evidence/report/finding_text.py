"""What a finding expected and found, in the reader's language and the venue's time.

A check writes English with times in UTC. Money that a wager was due or given is said from the
settlement itself, and what a rule remarked from its own sentence; both are there in every language.
What is left is shown as the check wrote it, its times converted.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from audit.checks.run import CheckFinding
from audit.checks.titles import title
from audit.checks.wording import worded
from audit.cli import times
from audit.evidence.report.report_text import ReportText
from audit.evidence.settlement_sheet import SheetRow
from replay import words
from replay.sentence import Sentence, say
from replay.words import LANGUAGES

ENGLISH = LANGUAGES[0]
OF_MONEY = "PAY-"  # checks that compare what was due with what was given
AT = r"(?P<at>\S+ (?:UTC|[+-]\d\d:\d\d))"
AMOUNT = r"(?P<amount>[\d.,]+ [A-Z]+)"
Values = dict[str, str]
# What checks of late chips write, and the sentence for it.
PHRASES: tuple[tuple[str, Callable[[Values], Sentence]], ...] = (
    (
        rf"no chips added after no more bets at {AT}",
        lambda said: say("page.no_chips_late", at=said["at"]),
    ),
    (
        rf"{AMOUNT} added at {AT}",
        lambda said: say("page.chips_added", amount=said["amount"], at=said["at"]),
    ),
    (
        rf"no chips taken off between no more bets at {AT} and the settlement",
        lambda said: say("page.no_chips_off", at=said["at"]),
    ),
    (
        rf"{AMOUNT} taken off, first at {AT}",
        lambda said: say("page.chips_off", amount=said["amount"], at=said["at"]),
    ),
)


class FindingText(NamedTuple):
    """A finding in the reader's words."""

    title: str
    expected: str
    found: str


def told(page: ReportText, finding: CheckFinding) -> FindingText:
    """A finding as this reader reads it."""
    named = title(finding.title, page.language)
    row = next((row for row in page.file.sheet if row.wager.wager_id == finding.subject), None)
    if finding.check_id.startswith(OF_MONEY) and row and row.due and row.seen:
        return FindingText(named, _owed(page, row), _given(page, row))
    remark = _remark(page, finding) if page.language != ENGLISH else None
    if remark:
        ruled = page.words(say("page.as_clauses_say", clauses=finding.clauses))
        return FindingText(named, ruled, remark)
    return FindingText(named, *(_plain(page, text) for text in (finding.expected, finding.found)))


def _owed(page: ReportText, row: SheetRow) -> str:
    assert row.due is not None
    outcome = page.label("outcome", row.due.outcome)
    bet, stake = page.label("bet", row.wager.bet), page.money(row.wager.lying)
    due = row.due
    back = due.returned + due.reserve_returned
    moved = (due.paid, due.commission, due.collected, due.reserve_taken, back)
    amounts = _amounts(page, moved)
    return page.words(say("page.wager_due", bet=bet, stake=stake, outcome=outcome, amounts=amounts))


def _given(page: ReportText, row: SheetRow) -> str:
    assert row.seen is not None
    seen = row.seen
    amounts = (seen.paid, seen.commission, seen.collected, seen.reserve_taken, seen.returned)
    return _amounts(page, amounts)


def _amounts(page: ReportText, moved: tuple[int, int, int, int, int]) -> str:
    """What was paid, kept as commission, collected, taken of the Reserve and returned."""
    paid, commission, collected, reserve, returned = map(page.money, moved)
    sentences = (
        say("page.moved_paid", amount=paid),
        say("page.moved_commission", amount=commission),
        say("page.moved_collected", amount=collected),
        say("page.moved_reserve", amount=reserve),
        say("page.moved_returned", amount=returned),
    )
    told = [page.words(said) for said, amount in zip(sentences, moved, strict=True) if amount]
    return ", ".join(told) or page.words(say("page.moved_nothing"))


def _remark(page: ReportText, finding: CheckFinding) -> str | None:
    """What the rules remarked, where the finding repeats it."""
    for flag in page.judged.flags:
        note = words.text(flag.note, ENGLISH, page.judged.code)
        if note and note in finding.found:
            return f"{page.label('code', flag.code)}: {page.words(flag.note)}"
    return None


def _plain(page: ReportText, text: str) -> str:
    """What a check wrote, with times of the venue, in the reader's language where it is known."""
    local = times.local(text, page.zone, page.judged.round.gaming_day)
    return next(_phrases(page, local), worded(local, page.language, page.judged.code))


def _phrases(page: ReportText, text: str) -> Iterator[str]:
    for pattern, sentence in PHRASES:
        found = re.fullmatch(pattern, text)
        if found:
            yield page.words(sentence(found.groupdict()))

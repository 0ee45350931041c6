"""Why: the derivation step by step, the clauses word for word, doubts, and other readings."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from audit.evidence.report import finding_text
from audit.evidence.report.report_text import ReportText
from replay.disputes.doubts import doubts as doubts_of
from replay.disputes.doubts import sights_of
from replay.judge import Judgement
from replay.sentence import say
from replay.words.outcome import capital

CELLS = " | "  # between the cells of a table in a clause


def steps(page: ReportText) -> Iterator[dict[str, Any]]:
    """The derivation, numbered as everywhere else; steps that tell of others are named as such."""
    places = {row.wager.wager_id: page.where(row) for row in page.file.sheet}
    for n, step in enumerate(page.judged.steps, 1):
        if page.file.hidden.hides_step(step):
            words = page.words(say("page.step_withheld"))
            yield {"n": n, "text": words, "where": "", "clauses": [], "tone": "withheld"}
            continue
        where = capital(page.words(places[step.wager_id])) if step.wager_id in places else ""
        words = page.words(step.text)
        yield {
            "n": n,
            "text": words if where else capital(words),
            "where": where,
            "clauses": list(step.clauses),
            "tone": "wrong" if step.wager_id in page.file.flagged else "",
        }


def deciding(page: ReportText) -> Iterator[dict[str, Any]]:
    """The clauses that decide the wagers in dispute, word for word."""
    rows = [row for row in page.file.sheet if row.difference and page.shows(row)]
    anchors = [anchor for row in rows if row.due for anchor in row.due.clauses]
    anchors += page.file.costliest.clauses if page.file.costliest else ()
    yield from _texts(page, dict.fromkeys(anchors))


def clauses(page: ReportText) -> Iterator[dict[str, Any]]:
    """Every other clause that the report cites, word for word."""
    shown = {quote["anchor"] for quote in deciding(page)}
    cited = [anchor for step in steps(page) for anchor in step["clauses"]]
    cited += page.judged.ruled.clauses
    yield from _texts(page, (anchor for anchor in dict.fromkeys(cited) if anchor not in shown))


def cited(judged: Judgement) -> tuple[str, ...]:
    """Every clause that the derivation cites, in its order."""
    anchors = [anchor for step in judged.steps for anchor in step.clauses]
    anchors += [anchor for due in judged.dues for anchor in due.clauses]
    anchors += judged.ruled.clauses
    anchors += [flag.clause for flag in judged.flags if flag.clause]
    return tuple(dict.fromkeys(anchors))


def doubts(page: ReportText) -> Iterator[dict[str, str]]:
    """Each card place in doubt, with how likely each explanation is."""
    for doubt in doubts_of(page.judged, sights_of(page.judged)):
        place = page.card_place(doubt.hand, doubt.slot)
        yield {"place": place, "text": page.words(doubt.told)}


def alternatives(page: ReportText) -> Iterator[str]:
    """Each unclear clause that the round relies on, and whether another reading changes it."""
    edition, terms = page.judged.edition, page.judged.terms
    if edition is None or terms is None:
        return
    for name, others in page.file.relied.items():
        issue, reading = edition.issues[name], terms.readings[name].replace("_", " ")
        changed = tuple(other.replace("_", " ") for other in others)
        if changed:
            yield page.words(
                say(
                    "page.reading_matters",
                    clause=issue.anchor,
                    what=issue.what,
                    reading=reading,
                    others=changed,
                )
            )
        else:
            yield page.words(
                say("page.reading_chosen", clause=issue.anchor, what=issue.what, reading=reading)
            )


def findings(page: ReportText) -> Iterator[dict[str, Any]]:
    """The findings of the round that this edition may show."""
    for finding in page.file.shown_findings:
        yield finding_text.told(page, finding)._asdict() | {
            "id": finding.finding_id,
            "sure": page.words(say("page.certain") if finding.certain else say("page.possible")),
            "clauses": list(finding.clauses),
        }


def _texts(page: ReportText, anchors: Iterable[str]) -> Iterator[dict[str, Any]]:
    known = page.judged.edition.clauses if page.judged.edition else {}
    for anchor in anchors:
        if anchor in known:
            yield {"anchor": anchor, "parts": list(_parts(known[anchor].text))}


def _parts(text: str) -> Iterator[str | list[list[str]]]:
    """A clause's text, its tables as rows of cells."""
    for is_table, lines in groupby(text.split("\n"), key=lambda line: CELLS in line):
        if not is_table:
            yield "\n".join(lines)
            continue
        rows = [line.split(CELLS) for line in lines]
        wide = max(map(len, rows))
        yield [[cell.strip() for cell in row] + [""] * (wide - len(row)) for row in rows]

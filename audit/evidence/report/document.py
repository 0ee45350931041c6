"""A whole report as plain values in one language; `report.typ` lays it out and computes nothing."""

from typing import Any

from audit.evidence import figures
from audit.evidence.report import dispute, front, readings, sheet, why
from audit.evidence.report.report_text import ReportText
from audit.evidence.round_file import RoundFile
from replay.sentence import say

LABELS = {
    "alternatives": say("page.report_alternatives"),
    "bet": say("page.report_bet"),
    "case": say("page.report_case"),
    "clause": say("page.report_clause"),
    "clauses": say("page.report_clauses"),
    "difference": say("page.report_difference"),
    "digest": say("page.report_digest"),
    "due": say("page.report_due"),
    "expected": say("page.report_expected"),
    "findings": say("page.report_findings"),
    "found": say("page.report_found"),
    "frames": say("page.report_frames"),
    "given": say("page.report_given"),
    "happened": say("page.report_happened"),
    "missing": say("page.report_missing"),
    "next": say("page.report_next"),
    "no_picture": say("page.report_no_picture"),
    "option": say("page.report_option"),
    "options": say("page.report_options"),
    "option_owes": say("page.report_option_owes"),
    "option_outcome": say("page.fact_outcome"),
    "verdict": say("page.report_verdict"),
    "not_proven": say("page.report_not_proven"),
    "of": say("page.report_of"),
    "owed": say("page.report_owed"),
    "owed_note": say("page.report_owed_note"),
    "check": say("page.report_check"),
    "clauses_note": say("page.report_clauses_note"),
    "reference": say("page.report_reference"),
    "pack": say("page.report_pack"),
    "page": say("page.report_page"),
    "player": say("page.report_player"),
    "readings": say("page.report_readings"),
    "rule": say("page.report_rule"),
    "seat": say("page.report_seat"),
    "stake": say("page.report_stake"),
    "total": say("page.report_total"),
    "why": say("page.report_why"),
}
NOT_PROVEN = (
    say("page.not_proven_camera"),
    say("page.not_proven_sensor"),
    say("page.not_proven_key"),
)


def document(
    file: RoundFile, language: str, zone: str, pack: str, missing: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The report of a round; `pack` is the id of its pack, `missing` what the pack lacks."""
    page = ReportText(file, language, zone)
    return {
        "language": language,
        "labels": {name: page.words(sentence) for name, sentence in LABELS.items()},
        "pack": pack,
        "title": page.words(say("page.report_title", round=page.judged.round.round_id)),
        "subtitle": _subtitle(page),
        "edition": page.words(say("page.party_edition", player=file.party)) if file.party else "",
        "headline": front.headline(page),
        "facts": list(front.facts(page)),
        "happened": [page.words(sentence) for sentence in front.happened(page)],
        "caption": page.words(front.caption(page)),
        "currency": page.currency,
        "owed": [sheet.row(page, line) for line in file.sheet],
        "total": sheet.total(page),
        "why": list(why.steps(page)),
        "quoted": list(why.deciding(page)),
        "clauses": list(why.clauses(page)),
        "readings": readings.tables(page),
        "doubts": list(why.doubts(page)),
        "alternatives": list(why.alternatives(page)),
        "findings": list(why.findings(page)),
        "case": list(dispute.steps(page)),
        "verdict": [page.words(sentence) for sentence in dispute.verdict(page)],
        "options": list(dispute.options(page)),
        "next": [page.words(sentence) for sentence in dispute.next_steps(page)],
        "missing": list(missing),
        "not_proven": [page.words(sentence) for sentence in NOT_PROVEN],
        "frames": [{"file": frame.name, "event": frame.event_id} for frame in file.frames],
        "digest": file.digest,
    }


def _subtitle(page: ReportText) -> str:
    round, edition = page.judged.round, page.judged.edition
    game = edition.title if edition else page.judged.code
    day = figures.day(round.gaming_day, page.language)
    return page.words(say("page.report_subtitle", game=game, table=round.table_id, day=day))

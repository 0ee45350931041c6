"""The pack builder: what a case's evidence pack holds, building, verifying, and handing it out."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse, Response

from audit.cases.case import Case
from audit.checks import findings as findings_on_file
from audit.cli.errors import Code, Stopped
from audit.console import packs, rendering, words
from audit.console.guard import Visit, asks
from audit.console.packs import Drafts, ExportRefused, PackDraft
from audit.console.questions import case as desk
from audit.console.questions import pack as question
from audit.console.roles import Action
from audit.console.routes.cases import find_case, find_round
from audit.evidence import missing
from ingest.seal.keys import NoKey
from ingest.seal.proof import NotSealed
from schemas import events as e

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.EXPORT_PACKS)]
Builder = Annotated[Visit, asks(Action.BUILD_PACKS)]
REPORTS = ("en", "vi")


@router.get("/cases/{case_id:path}/pack")
def pack(visit: Visitor, case_id: str, party: str = "") -> Response:
    """What the pack of a case holds and lacks, its drafts, and its edition for a player."""
    visit.saw(case_id, "viewed")
    return _page(visit, find_case(visit, case_id), party)


@router.post("/cases/{case_id:path}/pack")
def build(
    visit: Builder, case_id: str, party: Annotated[str, Form(max_length=64)] = ""
) -> Response:
    """Build a draft and verify it."""
    case = find_case(visit, case_id)
    visit.saw(case.case_id, "built pack")
    try:
        _drafts(visit).build(case, party, visit.request.app.state.zone, visit.who)
    except (NoKey, NotSealed) as error:
        return _page(visit, case, party, problem=str(error), status=409)
    return _back(case, party)


@router.post("/cases/{case_id:path}/pack/{pack_id}/verify")
def verify(visit: Visitor, case_id: str, pack_id: str) -> Response:
    """Verify a draft again, with the program that every pack carries."""
    case, draft = _found(visit, case_id, pack_id)
    visit.saw(case.case_id, "verified pack")
    _drafts(visit).verify(draft)
    return _back(case, draft.party)


@router.post("/cases/{case_id:path}/pack/{pack_id}/ask")
def ask(
    visit: Visitor, case_id: str, pack_id: str, reason: Annotated[str, Form(max_length=400)] = ""
) -> Response:
    """Ask to hand a pack out; a second person approves."""
    case, draft = _found(visit, case_id, pack_id)
    visit.saw(case.case_id, "asked to export pack")
    return _done(visit, case, draft, lambda: _drafts(visit).ask(draft, visit.who, reason.strip()))


@router.post("/cases/{case_id:path}/pack/{pack_id}/approve")
def approve(visit: Visitor, case_id: str, pack_id: str) -> Response:
    """Approve the export as the second person (R20)."""
    case, draft = _found(visit, case_id, pack_id)
    visit.saw(case.case_id, "approved export of pack")
    return _done(visit, case, draft, lambda: _drafts(visit).approve(draft, visit.who))


@router.get("/cases/{case_id:path}/pack/{pack_id}.zip")
def download(visit: Visitor, case_id: str, pack_id: str) -> Response:
    """The pack itself, once a second person has approved."""
    case, draft = _found(visit, case_id, pack_id)
    visit.saw(case.case_id, "downloaded pack")
    try:
        body = _drafts(visit).body(draft)
    except ExportRefused as error:
        visit.refused(case.case_id, "downloaded pack", str(error))
        return _page(visit, case, draft.party, problem=_spoken(visit, error), status=403)
    name = f'attachment; filename="{draft.pack_id}.zip"'
    return Response(body, media_type="application/zip", headers={"content-disposition": name})


@router.get("/cases/{case_id:path}/pack/{pack_id}/report.{language}.pdf")
def report(visit: Visitor, case_id: str, pack_id: str, language: str) -> Response:
    """The report of a draft, to look at."""
    case, draft = _found(visit, case_id, pack_id)
    visit.saw(case.case_id, "viewed")
    if language not in REPORTS:
        raise Stopped(f"no report in {language!r}", "en and vi are there", Code.NOT_FOUND)
    body = packs.report(_drafts(visit).path(draft.pack_id), language)
    return Response(body, media_type="application/pdf")


def _done(visit: Visit, case: Case, draft: PackDraft, act: Any) -> Response:
    try:
        act()
    except ExportRefused as error:
        visit.refused(case.case_id, "export pack", str(error))
        return _page(visit, case, draft.party, problem=_spoken(visit, error), status=403)
    return _back(case, draft.party)


def _spoken(visit: Visit, error: ExportRefused) -> str:
    text = words.translations(visit.language).gettext(error.text)
    return text % error.values if error.values else text


def _back(case: Case, party: str) -> Response:
    asked = f"?party={rendering.in_path(party)}" if party else ""
    return RedirectResponse(f"/cases/{rendering.in_path(case.case_id)}/pack{asked}", 303)


def _found(visit: Visit, case_id: str, pack_id: str) -> tuple[Case, PackDraft]:
    case = find_case(visit, case_id)
    draft = _drafts(visit).named(case.case_id, pack_id)
    if draft is None:
        step = "open the pack builder of the case"
        raise Stopped(f"no pack {pack_id!r} of case {case.case_id}", step, Code.NOT_FOUND)
    return case, draft


def _drafts(visit: Visit) -> Drafts:
    drafts: Drafts = visit.request.app.state.drafts
    return drafts


def _page(
    visit: Visit, case: Case, party: str, *, problem: str = "", status: int = 200
) -> Response:
    drafts = _drafts(visit).of_case(case.case_id)
    newest = next((each for each in drafts if each.party == party), None)
    told = packs.manifest(_drafts(visit).path(newest.pack_id)) if newest else {}
    found = find_round(visit, case.table_id, case.raised.round_id)
    posted = desk.posted(found)
    with visit.request.app.state.snapshot.cursor() as db:
        ran = findings_on_file.exists(db)
    lacking = list(
        missing.lacking(case, has_rules=found.judged.edition is not None, checks_ran=ran)
    )
    return rendering.page(
        visit,
        "pack.html",
        status,
        case=case,
        party=party,
        players=sorted({line.player_id for line in posted.lines if line.player_id}),
        items=question.items(case, lacking, told, visit.language),
        lacking=lacking,
        manifest=told,
        drafts=drafts,
        draft=newest,
        view=question.party_view(found, posted.lines, party) if party else None,
        lines=posted.lines,
        custody=_custody(case, drafts),
        problem=problem,
    )


def _custody(case: Case, drafts: list[PackDraft]) -> list[tuple[float, str, str, str]]:
    """Who had the evidence in hand: what the case took in, and what was made of it."""
    rows = []
    for event in case.steps:
        step = event.step
        if isinstance(step, e.EvidenceAdded):
            rows.append((event.done_at / 1e6, event.person_id, "added evidence", step.sha256))
        elif isinstance(step, e.StatementTaken):
            rows.append((event.done_at / 1e6, event.person_id, "took a statement", ""))
        elif isinstance(step, e.HoldPlaced):
            rows.append((event.done_at / 1e6, event.person_id, "placed a hold", ""))
    for draft in drafts:
        rows.append((draft.built_at, draft.built_by, "built a draft", draft.sha256))
        if draft.asked_by:
            rows.append((draft.asked_at, draft.asked_by, "asked to export", draft.sha256))
        if draft.approved_by:
            rows.append((draft.approved_at, draft.approved_by, "approved the export", draft.sha256))
    return sorted(rows, reverse=True)


CUSTODY_WORDS = (
    "added evidence",
    "took a statement",
    "placed a hold",
    "built a draft",
    "asked to export",
    "approved the export",
)

"""The dispute desk: the cases, one case, and every step that `roundproof case` takes."""

import mimetypes
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from audit.cases import (
    case_log,
    evidence_store,
    jurisdiction,
    new_steps,
    precedents,
    recompute,
    rules,
)
from audit.cases.case import Case
from audit.cases.case_log import StepRefused, Taking, UnknownCase
from audit.cli import amounts, screen
from audit.cli.errors import Code, Stopped
from audit.console import rendering, table_files, words
from audit.console.case_forms import BY_VERB, GivenValues, StepForm
from audit.console.guard import Visit, asks
from audit.console.questions import case as question
from audit.console.questions.case import CaseFilter
from audit.console.roles import Action
from audit.pages import case as case_page
from replay import words as sentences
from replay.locate import LocatedRound, UnknownRound, locate
from schemas import events as e
from schemas.shape import Refused

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_CASES)]
Worker = Annotated[Visit, asks(Action.WORK_CASES)]
Judge = Annotated[Visit, asks(Action.DECIDE_CASES)]
US = 1_000_000
UNKNOWN_TYPE = "application/octet-stream"


@router.get("/cases")
def cases(visit: Visitor, state: str = "open", table: str = "") -> Response:
    """Every case, the newest first."""
    visit.saw("cases")
    if state not in ("open", "closed", "all"):
        what = f"one of open, closed, all expected, {state!r} found"
        raise Stopped(what, "/cases lists the open ones", Code.USAGE)
    book = case_log.load(_home(visit))
    wanted = CaseFilter(state, table, visit.session.account.pit)
    found = list(question.rows(book.cases, wanted, _now(visit), _duties))
    return rendering.page(
        visit, "cases.html", rows=found, wanted=wanted, damaged=book.damaged, now_us=_now(visit)
    )


@router.get("/api/cases")
def cases_as_data(visit: Visitor, state: str = "open", table: str = "") -> dict[str, Any]:
    """The same list as data; amounts are text."""
    visit.saw("cases")
    book, now = case_log.load(_home(visit)), _now(visit)
    wanted = CaseFilter(state, table, visit.session.account.pit)
    found = [
        case_page.document(row.case, _duties(row.case), now)
        for row in question.rows(book.cases, wanted, now, _duties)
    ]
    return {"cases": found, "damaged": {name: str(why) for name, why in book.damaged.items()}}


@router.get("/cases/new")
def new(visit: Worker, table: str = "", round: str = "", finding: str = "") -> Response:
    """The form that raises a dispute over a round (8.1)."""
    visit.saw(f"{table}/{round}")
    return _new_page(visit, {"table": table, "round": round, "finding": finding})


@router.post("/cases")
async def raise_case(visit: Worker) -> Response:
    """Raise a dispute, as `roundproof case open` does."""
    form = await visit.request.form()
    return await run_in_threadpool(_raised, visit, form)


@router.get("/cases/{case_id:path}")
def desk(visit: Visitor, case_id: str) -> Response:
    """One case."""
    visit.saw(case_id)
    return _desk_page(visit, find_case(visit, case_id))


@router.get("/api/cases/{case_id:path}")
def case_as_data(visit: Visitor, case_id: str) -> dict[str, Any]:
    """One case as data; amounts are text."""
    visit.saw(case_id)
    case = find_case(visit, case_id)
    return case_page.document(case, _duties(case), _now(visit))


@router.post("/cases/{case_id:path}/steps/{verb}")
async def take(visit: Worker, case_id: str, verb: str) -> Response:
    """Take a step that rules on no money."""
    form = await visit.request.form()
    return await run_in_threadpool(_step, visit, case_id, _form(verb, rules_on_money=False), form)


@router.post("/cases/{case_id:path}/rulings/{verb}")
async def rule(visit: Judge, case_id: str, verb: str) -> Response:
    """Decide, confirm or review."""
    form = await visit.request.form()
    return await run_in_threadpool(_step, visit, case_id, _form(verb, rules_on_money=True), form)


@router.post("/cases/{case_id:path}/uploads")
async def add(visit: Worker, case_id: str) -> Response:
    """Take a file into evidence (8.4.6, 8.4.7)."""
    async with visit.request.form() as form:
        return await run_in_threadpool(_step, visit, case_id, BY_VERB["add"], form)


def _form(verb: str, *, rules_on_money: bool) -> StepForm:
    form = BY_VERB.get(verb)
    if form is None or form.rules_on_money != rules_on_money or verb == "add":
        raise Stopped(f"no step {verb!r} here", "/cases lists the cases", Code.NOT_FOUND)
    return form


def _step(visit: Visit, case_id: str, form: StepForm, given: FormData) -> Response:
    """Take a step and show the case; where it is refused, the page says by which clause."""
    case = find_case(visit, case_id)
    visit.saw(case.case_id, f"case {form.verb}")
    taking = _taking(visit)
    values = {name: value for name, value in given.items() if isinstance(value, str)}
    try:
        make = _maker(visit, case, form, given, GivenValues(values, taking.done_at))
        case_log.take(_home(visit), case.case_id, make, taking)
    except StepRefused as error:
        visit.refused(case.case_id, f"case {form.verb}", str(error))
        said = _refusal(visit, error)
        return _desk_page(visit, case, problem=said, verb=form.verb, given=values, status=403)
    except (Refused, Stopped, evidence_store.EvidenceRefused) as error:
        said = {"what": str(error).lstrip("-"), "clause": case.clause(form.clause), "who": ""}
        return _desk_page(visit, case, problem=said, verb=form.verb, given=values, status=400)
    return RedirectResponse(f"/cases/{rendering.in_path(case.case_id)}", 303)


def _maker(
    visit: Visit, case: Case, form: StepForm, given: FormData, values: GivenValues
) -> Callable[[Case], e.CaseStep]:
    if form.verb == "recompute":
        found = _located(visit, case)
        with visit.request.app.state.snapshot.cursor() as db:
            others = case_log.load(_home(visit)).cases.values()
            known = precedents.found(others, case, found.judged, db)
        return lambda _: recompute.recomputed(found, known)
    if form.verb == "add":
        return _evidence(visit, given, values)
    make = form.make
    assert make is not None, form.verb
    make(case, values)  # a value that cannot be is refused before the stream is locked
    return lambda current: make(current, values)


def _evidence(visit: Visit, given: FormData, values: GivenValues) -> Callable[[Case], e.CaseStep]:
    """Store an uploaded file under the hash of its bytes, before the case says that it has it."""
    file = given.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        raise Stopped("a file expected, none found", "choose a file", Code.USAGE)
    name = screen.encodable(Path(file.filename).name)
    with tempfile.NamedTemporaryFile() as copy:
        while chunk := file.file.read(evidence_store.CHUNK):
            copy.write(chunk)
        copy.flush()
        stored = evidence_store.put(_home(visit), Path(copy.name))
    entry = {
        "basis": values["basis"],
        "name": name,
        "media_type": mimetypes.guess_type(name)[0] or UNKNOWN_TYPE,
        "source": values["source"],
        "obtained_at": values.done_at,
        "note": values["note"],
    }
    return lambda case: new_steps.evidence(case, stored, entry)


def _raised(visit: Visit, form: FormData) -> Response:
    values = {name: value for name, value in form.items() if isinstance(value, str)}
    given = GivenValues(values, 0)
    visit.saw(f"{given['table']}/{given['round']}", "case open")
    try:
        found = find_round(visit, given["table"], given["round"])
        raised = new_steps.raised(
            found,
            given["player"],
            [str(wager) for wager in form.getlist("wager")],
            claim=given["claim"],
            amount=_claimed(given["amount"]),
            finding_id=given["finding"],
            jurisdiction=visit.request.app.state.place.jurisdiction,
        )
        case = case_log.open_case(_home(visit), given["table"], raised, _taking(visit))
    except StepRefused as error:
        visit.refused(given["round"], "case open", str(error))
        return _new_page(visit, values, problem=_refusal(visit, error), status=403)
    except (Refused, Stopped) as error:
        said = {"what": str(error).lstrip("-"), "clause": "8.1", "who": ""}
        return _new_page(visit, values, problem=said, status=400)
    return RedirectResponse(f"/cases/{rendering.in_path(case.case_id)}", 303)


def _claimed(text: str) -> int:
    plain = text.replace(",", "").replace(".", "").replace(" ", "")
    return amounts.minor_units(plain, "amount", example="300000") if plain else 0


def _new_page(
    visit: Visit,
    given: dict[str, str],
    *,
    problem: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    table, round_id = given.get("table", ""), given.get("round", "")
    found = find_round(visit, table, round_id)
    known = [
        case
        for case in case_log.load(_home(visit)).cases.values()
        if (case.table_id, case.raised.round_id) == (table, round_id)
    ]
    return rendering.page(
        visit,
        "case_new.html",
        status,
        given=given,
        posted=question.posted(found),
        round=found.judged.round,
        known=known,
        problem=problem,
    )


def _desk_page(
    visit: Visit,
    case: Case,
    *,
    problem: dict[str, str] | None = None,
    verb: str = "",
    given: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    translate = words.translations(visit.language).gettext
    actor = visit.actor
    others, rows = question.wagers(case)
    return rendering.page(
        visit,
        "case.html",
        status,
        case=case,
        actor=actor,
        steps=question.steps(case, actor, _duties(case)),
        more=question.more(case, actor),
        forms=BY_VERB,
        needs={name: rules.unmet(case, actor, BY_VERB[name].step) for name in NEEDED},
        options=question.options(case),
        precedents=question.precedents(case),
        others=others,
        wager_rows=rows,
        accounts_missing=question.accounts_missing(case),
        owed=_owed(visit, case),
        letters=_letters(visit, case),
        kinds=e,
        spoken=lambda need: question.spoken(need, translate),
        now_us=_now(visit),
        verb=verb,
        given=given or {},
        problem=problem,
    )


NEEDED = ("decide", "confirm", "statement", "recompute", "add")


def _letters(visit: Visit, case: Case) -> dict[str, Markup]:
    """The letter to the player in each language, as far as the case is."""
    state = visit.request.app.state
    return {
        language: Markup(rendering.part(language, "letter.html", state.zone, case=case, kinds=e))  # noqa: S704  (our template)
        for language in ("vi", "en")
    }


def _owed(visit: Visit, case: Case) -> dict[str, Any] | None:
    """What the round owed on the disputed wagers, as posted; None where it is not there."""
    try:
        found = _located(visit, case)
    except Stopped:
        return None
    option = question.posted(found)
    lines = new_steps.disputed_lines(case, option)
    steps = [
        sentences.text(step.text, visit.language, found.judged.code)
        for step in found.judged.steps
        if step.wager_id and step.wager_id in {line.wager_id for line in lines[:4]}
    ]
    return {"option": option, "lines": lines, "steps": steps[:4]}


def _refusal(visit: Visit, error: StepRefused) -> dict[str, str]:
    translate = words.translations(visit.language).gettext
    found = error.refusal
    who = ", ".join(translate(rank.replace("_", " ")) for rank in found.who)
    return {
        "what": question.spoken(found.need, translate),
        "clause": found.clause,
        "who": "" if found.first else who,
    }


def find_case(visit: Visit, case_id: str) -> Case:
    """A case of the person's pit; Stopped where there is none."""
    try:
        case = case_log.load(_home(visit)).named(case_id)
    except UnknownCase as error:
        raise Stopped(str(error), "/cases lists the cases", Code.NOT_FOUND) from error
    if not visit.sees(case.table_id):
        what = f"table {case.table_id} is not one of your pit"
        raise Stopped(what, "ask somebody who sees all tables", Code.NOT_ALLOWED)
    return case


def _located(visit: Visit, case: Case) -> LocatedRound:
    return find_round(visit, case.table_id, case.raised.round_id)


def find_round(visit: Visit, table: str, round_id: str) -> LocatedRound:
    """A round of the person's pit, judged from the log; Stopped where there is none."""
    if not visit.sees(table):
        what = f"table {table} is not one of your pit"
        raise Stopped(what, "ask somebody who sees all tables", Code.NOT_ALLOWED)
    try:
        return locate(_home(visit), f"{table}/{round_id}")
    except UnknownRound as error:
        raise Stopped(str(error), "/find looks for a round", Code.NOT_FOUND) from error


def _taking(visit: Visit) -> Taking:
    now = _now(visit)
    return Taking(visit.actor, now, now)


def _now(visit: Visit) -> int:
    return int(visit.request.app.state.now() * US)


def _duties(case: Case) -> Any:
    return jurisdiction.of(case.raised.jurisdiction)


def _home(visit: Visit) -> Path:
    home: Path = visit.request.app.state.place.home
    return home


table_files.add(router, "cases", cases_as_data, "cases")

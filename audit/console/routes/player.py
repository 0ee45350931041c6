"""The round player: one round as if one had been there."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Form, Query
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from audit.checks import findings as findings_on_file
from audit.checks import reviews
from audit.cli.errors import Code, Stopped
from audit.console import frames, rendering, stills, table_files, timeline, words
from audit.console.guard import Visit, asks
from audit.console.questions import round as question
from audit.console.questions.round import KnownRound
from audit.console.roles import Action
from audit.drawing.felt import felt
from audit.pages import finding as finding_page
from replay.locate import LocatedRound, UnknownRound
from replay.rounds import Round
from replay.whatif import WhatIf, whatif
from replay.whatif_changes import BadChange

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_ROUNDS)]
MOST_CHANGES = 12
KEPT = {"cache-control": "private, max-age=60"}
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  (times of the tables are UTC without a zone)

LANE_WORDS = {
    "console": "Dealer console",
    "pit": "Pit",
    "chips": "Chip sensor",
    "shoe": "Shoe",
    "wheel": "Wheel",
    "shaker": "Shaker",
    "camera": "Camera",
    "gateway": "Gateway",
    "betting": "Betting",
    "deal": "Deal",
    "result": "Result",
    "settlement": "Settlement",
    "timeline": "Timeline",
}

# What a sensor read that is no card.
SENSED_WORDS = {
    "directions": "Directions",
    "revolutions": "Revolutions",
    "number": "Number",
    "tumbles": "Tumbles",
    "faces": "Faces",
}


@router.get("/t/{table_id}/r/{round_id:path}")
def player(
    visit: Visitor,
    table_id: str,
    round_id: str,
    known: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    set: Annotated[list[str] | None, Query(max_length=MOST_CHANGES)] = None,
) -> Response:
    """The player; `at` in the address is read by the browser and moves the cursor."""
    visit.saw(f"{table_id}/{round_id}")
    located = _located(visit, table_id, round_id)
    changes = [change for each in set or [] for change in each.split()][:MOST_CHANGES]
    shown, supposed, problem = _shown(visit, located, known, changes)
    told = _document(visit, located, shown)
    zone = ZoneInfo("UTC" if visit.zone_is_utc else visit.request.app.state.zone)
    names = {
        key: words.translations(visit.language).gettext(word) for key, word in LANE_WORDS.items()
    }
    flagged = [each["subject"] for each in told["findings"]]
    felts = _frames(visit, shown, flagged, tuple(changes))
    return rendering.page(
        visit,
        "round.html",
        round=told,
        picture=Markup(frames.unpacked(felts)[-1][1]) if felts else "",  # noqa: S704  (our drawing)
        frames=rendering.embedded(
            {"frames": felts, "marks": _cursor_stops(told), "stills": _stills(visit, told)}
        ),
        timeline=timeline.timeline(told, zone, names),
        known_at=_at(shown.known_us),
        arrivals=[(each - 1, _at(each)) for each in question.arrivals(located.judged.round)],
        remarks=[
            (each, _at(each.at_us))
            for each in visit.request.app.state.remarks.of(table_id, round_id)
        ],
        changes=changes,
        supposed=supposed,
        problem=problem,
        offset=_offset(zone, told),
        moments=_moments(told),
        book=reviews.load(visit.request.app.state.place.home),
        sensed_words=SENSED_WORDS,
    )


@router.get("/t/{table_id}/r/{round_id:path}/felt.svg")
def thumbnail(visit: Visitor, table_id: str, round_id: str) -> Response:
    """The felt at the end of a round, for the wall and the queue."""
    located = _located(visit, table_id, round_id)
    picture = felt(located.judged, language=visit.language)
    return Response(picture, media_type="image/svg+xml", headers=KEPT)


@router.get("/t/{table_id}/r/{round_id:path}/still/{number}")
def still(visit: Visitor, table_id: str, round_id: str, number: int) -> Response:
    """One of the pictures that were kept of the round, by its place among them."""
    visit.saw(f"{table_id}/{round_id} still {number}")
    located = _located(visit, table_id, round_id)
    found = _stills_of(visit, located.judged.round)
    if not 0 <= number < len(found):
        what = f"still {number} of {round_id}: one of {len(found)} expected"
        raise Stopped(what, "open the round again", Code.NOT_FOUND)
    body, media = stills.picture(visit.request.app.state.place.home, found[number])
    return Response(body, media_type=media, headers=KEPT)


@router.post("/t/{table_id}/r/{round_id:path}/remarks")
def remark(
    visit: Annotated[Visit, asks(Action.WORK_FINDINGS)],
    table_id: str,
    round_id: str,
    kind: Annotated[Literal["marker", "reviewed"], Form()],
    at_us: Annotated[int, Form(ge=0, le=2**53)],
    note: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Mark a moment with a note, or say that one has reviewed the round."""
    _located(visit, table_id, round_id)
    visit.saw(f"{table_id}/{round_id} {kind}", "remarked")
    visit.request.app.state.remarks.add(
        (table_id, round_id), at_us, kind=kind, note=note.strip(), by_whom=visit.who
    )
    where = f"/t/{rendering.in_path(table_id)}/r/{rendering.in_path(round_id)}?at={at_us // 1000}"
    return RedirectResponse(where, 303)


@router.get("/api/t/{table_id}/r/{round_id:path}")
def round_as_data(
    visit: Visitor,
    table_id: str,
    round_id: str,
    known: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> dict[str, Any]:
    """Everything behind a round as data; amounts are text."""
    visit.saw(f"{table_id}/{round_id}")
    located = _located(visit, table_id, round_id)
    return _document(visit, located, question.as_known(located.judged, known))


def _located(visit: Visit, table_id: str, round_id: str) -> LocatedRound:
    state = visit.request.app.state
    if not visit.sees(table_id):
        what = f"table {table_id} is not one of your pit"
        raise Stopped(what, "ask somebody who sees all tables", Code.NOT_ALLOWED)
    try:
        found: LocatedRound = state.rounds.find(table_id, round_id, state.snapshot.swapped().inode)
    except UnknownRound as error:
        raise Stopped(str(error), "/find looks for a round", Code.NOT_FOUND) from error
    return found


def _shown(
    visit: Visit, located: LocatedRound, known: int | None, changes: list[str]
) -> tuple[KnownRound, WhatIf | None, str]:
    """What the page shows: the round, as known at a moment, or with something supposed."""
    shown = question.as_known(located.judged, known)
    if not changes:
        return shown, None, ""
    if not visit.may(Action.ASK_WHAT_IF):
        raise Stopped("your role may not ask what if", "ask surveillance", Code.NOT_ALLOWED)
    visit.saw(f"{located.judged.round.round_id} {' '.join(changes)}", "asked what if")
    try:
        supposed = whatif(shown.judged, changes)
    except BadChange as error:
        return shown, None, str(error)
    return shown._replace(judged=supposed.after), supposed, ""


def _document(visit: Visit, located: LocatedRound, shown: KnownRound) -> dict[str, Any]:
    round = located.judged.round
    with visit.request.app.state.snapshot.cursor() as db:
        wanted = findings_on_file.Wanted(table_id=round.table_id, round_id=round.round_id)
        found = [finding_page.document(each) for each in findings_on_file.read(db, wanted)]
    told = question.document(located, shown, found, visit.language)
    return told if visit.may(Action.ASK_WHAT_IF) else _without_others(told)


def _without_others(told: dict[str, Any]) -> dict[str, Any]:
    """The round for a pit tablet: facts, and no player's id."""
    return told | {"dues": [row | {"player": ""} for row in told["dues"]]}


def _frames(
    visit: Visit, shown: KnownRound, flagged: list[str], changes: tuple[str, ...]
) -> list[dict[str, Any]]:
    """The pictures of the round; those that were drawn lately are kept."""
    state, round = visit.request.app.state, shown.judged.round
    key = (
        *(round.table_id, round.round_id, state.snapshot.swapped().inode, visit.language),
        *(shown.known_us, changes, tuple(flagged)),
    )

    def made() -> list[dict[str, Any]]:
        return frames.frames(shown.judged, language=visit.language, flagged=flagged)

    found: list[dict[str, Any]] = state.rounds.pictures.get(key, made)
    return found


def _stills(visit: Visit, told: dict[str, Any]) -> list[dict[str, Any]]:
    located = _located(visit, told["table"], told["round"])
    return [
        {"at_us": each.at_us, "camera": each.camera, "number": each.number}
        for each in _stills_of(visit, located.judged.round)
    ]


def _stills_of(visit: Visit, round: Round) -> list[stills.Still]:
    cameras = sorted({each.device_id for each in round.events if each.device_kind == "camera"})
    times = [each.occurred_at for each in round.events]
    home = visit.request.app.state.place.home
    return stills.of_round(home, cameras, min(times), max(times)) if times else []


def _cursor_stops(told: dict[str, Any]) -> list[dict[str, Any]]:
    """The events in the order the cursor walks them: by their place at the table."""
    names = ("seq", "at_us", "kind", "type", "event_id", "late", "err_ms", "lane")
    return [
        {name: mark[name] for name in names} | _framed(mark["payload"]) for mark in told["marks"]
    ]


def _framed(payload: dict[str, Any]) -> dict[str, Any]:
    """The frame that a camera's reading came from."""
    return {"frame": payload["frame"]} if payload.get("frame") else {}


def _at(us: int | None) -> datetime | None:
    return None if us is None else EPOCH + timedelta(microseconds=us)


def _moments(told: dict[str, Any]) -> dict[str, datetime]:
    return {
        mark["event_id"]: EPOCH + timedelta(microseconds=mark["at_us"]) for mark in told["marks"]
    }


def _offset(zone: ZoneInfo, told: dict[str, Any]) -> dict[str, Any]:
    """The zone's offset at the round, in minutes and in words, for the clock of the transport."""
    first = told["marks"][0]["at_us"] if told["marks"] else 0
    local = datetime.fromtimestamp(first / 1e6, UTC).astimezone(zone)
    minutes = int((local.utcoffset() or timedelta()).total_seconds() // 60)
    text = f"{local:%z}"
    return {"minutes": minutes, "words": text[:3] if text.endswith("00") else text}


table_files.add(router, "t/{table_id}/r/{round_id:path}/settlement", round_as_data, "dues")

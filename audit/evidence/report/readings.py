"""The three-way table: what every witness read of cards, ball, dice or tokens, and who agrees."""

from collections.abc import Iterator, Sequence
from typing import Any

from audit.evidence import figures
from audit.evidence.report.report_text import ReportText, marked
from replay.disputes.doubts import sights_of
from replay.sentence import Sentence, say
from replay.tables import instrument_rows
from replay.witnesses import Sight
from replay.words.outcome import CLASS, TOKENS, SpokenWords, capital, spoken_outcome
from schemas import events as e

NOTHING = "–"


def tables(page: ReportText) -> list[dict[str, Any]]:
    """A table of the cards, of the spin, of each throw, and of what was called."""
    found = [_cards(page), _spin(page), _throws(page), _calls(page)]
    return [table for table in found if table["rows"]]


def _table(
    page: ReportText, title: Sentence, head: Sequence[Sentence], rows: Iterator[list[str]]
) -> dict[str, Any]:
    return {
        "title": page.words(title),
        "head": [page.words(cell) for cell in head],
        "rows": [[marked(cell) for cell in row] for row in rows],
    }


def _cards(page: ReportText) -> dict[str, Any]:
    head = (
        say("page.place"),
        say("page.shoe"),
        say("page.camera"),
        say("page.dealer"),
        say("page.agreed"),
    )
    rows = (_card(page, sight) for sight in sights_of(page.judged))
    return _table(page, say("page.cards_read"), head, rows)


def _card(page: ReportText, sight: Sight) -> list[str]:
    camera = NOTHING
    if sight.camera:
        camera = f"{sight.camera} {figures.percent(sight.camera_probability, page.language)}"
    agreed = str(sight.card) if sight.card else page.words(say("page.unknown"))
    place = page.card_place(sight.hand, sight.slot)
    return [place, sight.shoe or NOTHING, camera, sight.dealer or NOTHING, agreed]


def _spin(page: ReportText) -> dict[str, Any]:
    head = (say("page.reading"), say("page.sensor"))
    return _table(page, say("page.spin_read"), head, _spin_rows(page))


def _spin_rows(page: ReportText) -> Iterator[list[str]]:
    for row in instrument_rows.spins(page.judged.round, page.judged.memory):
        _, _, _, ball, wheel, revolutions, disturbed, pocket, dolly, *_ = row
        named = (
            (say("page.ball_direction"), ball),
            (say("page.wheel_direction"), wheel),
            (say("page.ball_revolutions"), revolutions),
            (say("page.disturbed_by"), ", ".join(disturbed)),
            (say("page.ball_rested"), pocket),
            (say("page.dolly_on"), dolly),
        )
        for sentence, value in named:
            if value not in (None, ""):
                yield [page.words(sentence), str(value)]


def _throws(page: ReportText) -> dict[str, Any]:
    head = (
        say("page.throw"),
        say("page.sensor"),
        say("page.camera"),
        say("page.tumbled"),
        say("page.lay_flat"),
    )
    return _table(page, say("page.throws_read"), head, _throw_rows(page))


def _throw_rows(page: ReportText) -> Iterator[list[str]]:
    for row in instrument_rows.shakes(page.judged.round):
        _, _, n, _, _, tumbles, flat, overlap, faces, seen, sure = row
        camera = f"{_faces(page, seen)} {figures.percent(sure, page.language)}" if seen else NOTHING
        yield [
            str(n),
            _faces(page, faces) or NOTHING,
            camera,
            NOTHING if tumbles is None else str(tumbles),
            NOTHING if flat is None else page.words(_lie(flat, overlap)),
        ]


def _faces(page: ReportText, faces: str | None) -> str:
    """Faces as people say them: `3 red, 1 white`, `gourd · fish · fish`, `1-2-4`."""
    return spoken_outcome(faces, page.language, page.judged.code) if faces else ""


def _lie(flat: bool, overlap: bool) -> Sentence:
    return say("page.flat_and_apart") if flat and not overlap else say("page.not_flat")


def _calls(page: ReportText) -> dict[str, Any]:
    head = (say("page.called_by"), say("page.hand_or_box"), say("page.called_result"))
    rows = (
        [page.label("witness", call.shown_by), _called_for(page, call), _called(page, call.result)]
        for call in (event.payload for event in page.judged.round.events)
        if isinstance(call, e.ResultCalled)
    )
    return _table(page, say("page.calls"), head, rows)


def _called_for(page: ReportText, call: e.ResultCalled) -> str:
    """The hand or box that a call is about."""
    return capital(page.label("hand", call.box)) if call.box else NOTHING


def _called(page: ReportText, result: str) -> str:
    """A called result as people say it."""
    said = SpokenWords(page.language, page.judged.code)
    if CLASS.fullmatch(result) and len(result) > 2 and not TOKENS.fullmatch(result):
        return said.held(result)
    spoken = spoken_outcome(result, page.language, page.judged.code)
    return capital(page.label("hand", result)) if spoken == result else spoken

"""One round for the player: events on lanes, witnesses, steps and sheet, tied to one cursor.

Everything that the player shows is made once, here. Each part says from which event on it shows
(`seq`, the event's place at the table), so the browser moves its cursor without asking again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from replay.explain import explanation
from replay.judge import Judgement, judge
from replay.locate import LocatedRound
from replay.rounds import Round
from schemas import codec
from schemas import events as e

# The lanes of the timeline, top to bottom in the order people trust them.
LANES = ("console", "pit", "chips", "shoe", "wheel", "shaker", "camera", "gateway")

# The colour of a mark says what kind of event it is.
KINDS: Mapping[str, tuple[type[e.Payload], ...]] = {
    "bet": (e.WagerPlaced, e.WagerChanged, e.WagerWithdrawn, e.BettingOpened),
    "chips": (e.StakeRead, e.ColourChipsIssued, e.TrayCounted),
    "call": (e.BettingClosed,),
    "play": (
        *(e.CardDrawn, e.CardPlaced, e.CardExposed, e.CardHandled, e.CardsObserved, e.DecisionMade),
        *(e.BallReleased, e.BallTracked, e.BallLanded, e.DiceObserved, e.TokensObserved),
        *(e.ShakerStarted, e.ShakerStopped, e.ShakerOpened, e.TokensRevealed, e.TokensRearranged),
    ),
    "result": (e.ResultCalled, e.DollyPlaced),
    "settled": (e.WagerSettled,),
    "gap": (e.GapFound, e.LateArrived, e.ClockStepped, e.TwinConflicted, e.CameraDisturbed),
}


class EventMark(NamedTuple):
    """One event of the round."""

    seq: int
    event_id: str
    lane: str
    kind: str
    type: str
    at_us: int  # device time
    err_ms: int
    ingested_us: int
    late: bool  # arrived after events that happened later
    payload: dict[str, Any]


class KnownRound(NamedTuple):
    """A round as it is judged now, or as it was judged with what was known at a moment."""

    judged: Judgement
    known_us: int | None  # nothing that arrived later is in it
    hidden: int  # events that are not in it


def as_known(judged: Judgement, known_us: int | None) -> KnownRound:
    """The round without what had not arrived at a moment; whole where none is named."""
    if known_us is None or judged.edition is None:
        return KnownRound(judged, None, 0)
    kept = tuple(event for event in judged.round.events if event.ingested_at <= known_us)
    hidden = len(judged.round.events) - len(kept)
    if not hidden:
        return KnownRound(judged, known_us, 0)
    again = judge(replace(judged.round, events=kept), judged.edition, judged.memory)
    return KnownRound(again, known_us, hidden)


def document(
    located: LocatedRound,
    known: KnownRound,
    findings: Sequence[Mapping[str, Any]],
    language: str = "en",
) -> dict[str, Any]:
    """The whole round as plain values; amounts are text, steps are in a language."""
    judged = known.judged
    told = explanation(judged, language=language)
    marks = list(_marks(judged.round))
    shown_from = {mark.event_id: mark.seq for mark in marks}
    end = marks[-1].seq if marks else 0
    return told | {
        "before": located.before,
        "after": located.after,
        "game": judged.round.terms.game if judged.round.terms else "",
        "number": judged.round.number,
        "shoe": judged.round.shoe.shoe_id if judged.round.shoe else "",
        "marks": [mark._asdict() for mark in marks],
        "lanes": [lane for lane in LANES if any(mark.lane == lane for mark in marks)],
        "phases": [phase._asdict() for phase in _phases(marks)],
        "cards": [
            card | {"seq": _last(card["evidence"], shown_from, end)} for card in told["cards"]
        ],
        "steps": list(_timed_steps(told["steps"], judged, shown_from, end)),
        "dues": sorted(
            (_sheet_row(row, judged, shown_from, end) for row in told["dues"]),
            key=lambda row: not row["differences"],  # what was paid otherwise comes first
        ),
        "results": [
            {
                "seq": mark.seq,
                "shown_by": mark.payload.get("shown_by") or "dolly",
                "box": str(mark.payload.get("box", "")),
                "result": str(mark.payload.get("result", mark.payload.get("number", ""))),
            }
            for mark in marks
            if mark.kind == "result"
        ],
        "findings": [
            dict(each) | {"seq": _last(each["evidence"], shown_from, end)} for each in findings
        ],
        "sensed": list(_sensed(judged.round)),
        "cameras": sorted(
            {each.device_id for each in judged.round.events if each.device_kind == "camera"}
        ),
        "known_us": known.known_us,
        "hidden": known.hidden,
    }


def arrivals(round: Round) -> list[int]:
    """The moments at which a late event arrived: those at which the round was known otherwise."""
    late = [event.ingested_at for event, is_late in _lateness(round) if is_late]
    return sorted(set(late))


class SensedReading(NamedTuple):
    """What a wheel, a shaker or a camera read that is no card."""

    seq: int
    what: str
    by: str  # the lane of the device
    said: str
    probability: float | None = None


def _sensed(round: Round) -> Iterable[dict[str, Any]]:
    for event in round.events:
        lane = event.device_kind if event.device_kind in LANES else "console"
        for what, said, probability in _said(event.payload):
            yield SensedReading(event.seq, what, lane, said, probability)._asdict()


def _said(payload: e.Payload) -> Iterable[tuple[str, str, float | None]]:
    """What a reading says, in the words of SENSED."""
    match payload:
        case e.BallReleased():
            yield "directions", f"{payload.ball_direction}, {payload.wheel_direction}", None
        case e.BallTracked():
            yield "revolutions", str(payload.revolutions), None
        case e.BallLanded():
            yield "number", "" if payload.pocket is None else str(payload.pocket), None
        case e.ShakerStopped():
            yield "tumbles", str(payload.tumbles), None
        case e.ShakerOpened() | e.TokensRevealed() | e.TokensRearranged():
            yield "faces", "-".join(payload.faces), None
        case e.DiceObserved() | e.TokensObserved():
            seen = [guess.seen for guess in payload.guesses]
            sure = min((guess.probability for guess in payload.guesses), default=None)
            yield "faces", "-".join(seen), sure


class RoundPhase(NamedTuple):
    """A stretch of the round: betting, deal, settlement."""

    name: str
    from_us: int
    until_us: int


def _marks(round: Round) -> Iterable[EventMark]:
    for event, late in _lateness(round):
        yield EventMark(
            event.seq,
            event.event_id,
            event.device_kind if event.device_kind in LANES else "console",
            _kind(event.payload),
            type(event.payload).__name__,
            event.occurred_at,
            event.err_ms,
            event.ingested_at,
            late,
            codec.to_json(event.payload),
        )


def _lateness(round: Round) -> Iterable[tuple[e.Event, bool]]:
    """Each event, and whether it arrived after one that stands behind it in the round."""
    soonest_behind = [0] * len(round.events)
    least = None
    for n in range(len(round.events) - 1, -1, -1):
        soonest_behind[n] = least if least is not None else round.events[n].ingested_at
        arrived = round.events[n].ingested_at
        least = arrived if least is None else min(least, arrived)
    for event, behind in zip(round.events, soonest_behind, strict=True):
        yield event, event.ingested_at > behind


def _kind(payload: e.Payload) -> str:
    return next((kind for kind, types in KINDS.items() if isinstance(payload, types)), "other")


def _phases(marks: Sequence[EventMark]) -> Iterable[RoundPhase]:
    """Betting until no more bets, the deal until the first result or payment, then settlement."""
    if not marks:
        return
    times = [mark.at_us for mark in marks]
    begun, over = min(times), max(times)
    closed = _first(marks, "call", over)
    result = min(_first(marks, "result", over), _first(marks, "settled", over))
    settled = _first(marks, "settled", over)
    edges = (("betting", begun), ("deal", closed), ("result", result), ("settlement", settled))
    for (name, start), (_, end) in zip(edges, (*edges[1:], ("", over)), strict=True):
        if end > start:
            yield RoundPhase(name, start, end)


def _first(marks: Sequence[EventMark], kind: str, otherwise: int) -> int:
    return min((mark.at_us for mark in marks if mark.kind == kind), default=otherwise)


def _last(evidence: Sequence[str], shown_from: Mapping[str, int], otherwise: int) -> int:
    """The place of the last event behind something: from there on it shows."""
    return max((shown_from[name] for name in evidence if name in shown_from), default=otherwise)


def _timed_steps(
    steps: Sequence[dict[str, Any]],
    judged: Judgement,
    shown_from: Mapping[str, int],
    end: int,
) -> Iterable[dict[str, Any]]:
    """Each step with the event at which it lights up; a wager's step waits for its settlement."""
    settled = {
        event.payload.wager_id: event.seq
        for event in judged.round.events
        if isinstance(event.payload, e.WagerSettled)
    }
    reached = 0
    for step in steps:
        if step["wager"]:
            seq = settled.get(step["wager"], end)
        else:
            reached = max(reached, _last(step["evidence"], shown_from, reached))
            seq = reached
        yield step | {"seq": seq}


def _sheet_row(
    row: dict[str, Any], judged: Judgement, shown_from: Mapping[str, int], end: int
) -> dict[str, Any]:
    """A due with what the player should have and has, as one line of the sheet."""
    due, seen = row["due"], row["seen"]
    to_player = sum(int(due[name]) for name in ("paid", "returned", "reserve_returned"))
    given = sum(int(seen[name]) for name in ("paid", "returned")) if seen else None
    placed = [
        event.event_id
        for event in judged.round.events
        if isinstance(event.payload, e.WagerPlaced) and event.payload.wager_id == row["wager"]
    ]
    return row | {
        "stake": due["stake"],
        "to_player": str(to_player),
        "given": None if given is None else str(given),
        "difference": None if given is None else str(given - to_player),
        "seq": _last(placed, shown_from, end),
    }

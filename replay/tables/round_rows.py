"""One table-day as rows of replay/tables/tables.sql: what was recorded beside what the rules say.

Pure: events with their hashes go in, rows come out, in the order of the columns. Times are UTC
microseconds and money is minor units, both whole numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from replay import betting_end, game_modules, sentence, witnesses
from replay.betting_end import End
from replay.disputes.doubts import Doubt, doubts, sights_of
from replay.game_modules import Rulings
from replay.judge import Judgement, judge
from replay.rounds import Round
from replay.sentence import Prose, say
from replay.settle import Due
from replay.tables import dictionary, event_rows, instrument_rows, round_digest, settlement_rows
from replay.tables.rows import Row, Rows
from replay.wagers import at_close
from schemas import bounds
from schemas import events as e

PLAY = (e.CardDrawn, e.CardPlaced, e.BallReleased, e.ShakerStarted)
MAKE_UNKNOWN = ("RESULT_UNKNOWN", "TERMS_MISSING", "RULEBOOK_MISMATCH")
BY_PEOPLE = (e.RulingMade, e.IrregularityReported, e.CorrectionMade, e.RoundVoided)
DIFFERS = [column.name for column in dictionary.dictionary()["settlements"].stored].index("differs")
OPENS_BETTING = "game"  # the hand of Andar Bahar's Game Card


def of_failed(day: str, sealed: Sequence[tuple[e.Event, str]], why: str) -> Rows:
    """The rows of a day of which nothing could be derived: that it failed, and its events."""
    events = [bounds.bounded(event) for event, _ in sealed]
    opened, closed = (_first_at(events, kind) for kind in (e.TableOpened, e.TableClosed))
    row = (events[0].table_id, day, opened, closed, len(events), 0, "", why)
    recorded = event_rows.copied(day, sealed, {}, {})["events"]
    return {"events": recorded, "table_days": [row]}


def of_round(judged: Judgement) -> tuple[Rows, str]:
    """What was derived for one round, and its digest."""
    found = _round_rows(judged)
    # The digest covers what the rest is made of: readings and dues here, payments in the log.
    digest = round_digest.of_round(found)
    found["rounds"] = [(*found["rounds"][0], digest)]
    found["cards"] = [(*row, witnesses.differing(*row[4:5], *row[6:10])) for row in found["cards"]]
    found["shakes"] = [(*row, _differing_faces(row)) for row in found["shakes"]]
    wagers = {row[0] for row in found["wagers"]}
    found["settlements"] = list(settlement_rows.settlements(judged, wagers))
    found["steps"] = list(_steps(judged)) if _worth_a_look(judged, found) else []
    return found, digest


def _worth_a_look(judged: Judgement, found: Rows) -> bool:
    """Whether somebody will read the steps of a round; those of others are made on demand.

    It is flagged or doubted, not settled, settled otherwise than due, or somebody ruled, reported
    or corrected something in it.
    """
    unusual = any(isinstance(event.payload, BY_PEOPLE) for event in judged.round.events)
    flagged = bool(judged.flags) or any(due.flags for due in judged.dues)
    differs = any(row[DIFFERS] is not False for row in found["settlements"])
    settled = judged.ruled.status == "settled" and _recorded(judged.round) == "settled"
    return flagged or differs or unusual or bool(found["doubts"]) or not settled


def _steps(judged: Judgement) -> Iterator[Row]:
    round = judged.round
    for n, step in enumerate(judged.steps, 1):
        keys = (round.round_id, round.table_id, judged.code, step.wager_id, n)
        yield (*keys, *_stored(step.text), step.clauses, step.evidence)


def _differing_faces(shake: Row) -> tuple[str, ...]:
    *_, faces, camera_faces, probability = shake
    return ("camera",) if witnesses.faces_differ(faces, camera_faces, probability) else ()


def _round_rows(judged: Judgement) -> Rows:
    round = judged.round
    sights = sights_of(judged)
    return {
        "rounds": [_round(judged)],
        "wagers": list(_wagers(judged)),
        "dues": [_due(round, due) for due in judged.dues],
        "unruled_dues": list(_unruled(judged)),
        "flags": list(_flags(judged)),
        "cards": [_card(round, sight) for sight in sights],
        "doubts": [_doubt(judged, doubt) for doubt in doubts(judged, sights)],
        "results": list(_results(judged)),
        "spins": list(instrument_rows.spins(round, judged.memory)),
        "shakes": list(instrument_rows.shakes(round)),
    }


def _round(judged: Judgement) -> Row:
    """The round without its digest, which is taken over this row and all others."""
    round, terms, ruled = judged.round, judged.terms, judged.ruled
    rulings = game_modules.rulings(judged.edition.game) if judged.edition else None
    opened, closed, play, settled, ended = _marks(round)
    return (
        round.round_id,
        round.table_id,
        round.gaming_day,
        round.terms.game if round.terms else "",
        judged.edition.number if judged.edition else "",
        terms.paytable if terms else "",
        round.terms.currency if round.terms else "",
        round.number,
        round.shoe.shoe_id if round.shoe else None,
        round.staff.get("dealer"),
        round.staff.get("dealer_inspector"),
        *_seen(opened, 2),
        *_seen(closed, 3),
        rulings is not None and rulings.COUNTDOWN,
        *_ended(round.betting_end),
        *_seen(_early_play(round, rulings), 3),
        *_seen(play, 3),
        *_seen(settled, 2),
        *_seen(ended, 2),
        _recorded(round),
        ruled.status,
        ruled.clauses,
        ruled.outcome,
        ruled.result,
        judged.memory.get("free_hand") not in (None, False),
        *_stored(_unknown_because(judged)),
        len(_late(round)),
        _changed_by_late(judged),
        round.bounds_doubtful,
        judged.lacks,
    )


def _wagers(judged: Judgement) -> Iterator[Row]:
    round = judged.round
    placing = {event.event_id: event for event in round.events}
    wagers = [stand.wager for stand in judged.ruled.stands]
    wagers = wagers or list(at_close(round.events, round.betting_end))
    sensed = _sensed_late(round, {wager.wager_id: wager.end for wager in wagers})
    for wager in wagers:
        event, chips = placing[wager.event_id], wager.placed.chips
        yield (
            wager.wager_id,
            round.round_id,
            round.table_id,
            round.gaming_day,
            wager.player_id,
            wager.box,
            wager.bet,
            wager.bet.partition(":")[0],
            wager.stake,
            event.seq,
            event.occurred_at,
            event.err_ms,
            *_ended(wager.end),
            wager.late if judged.edition else None,
            len(wager.late_changes) + sensed[wager.wager_id],
            wager.withdrawal is not None,
            chips and chips.table_id,
            wager.event_id,
        )


def _due(round: Round, due: Due) -> Row:
    return (
        due.wager_id,
        round.round_id,
        round.table_id,
        round.gaming_day,
        due.player_id,
        due.bet,
        due.stake,
        str(due.action),
        due.outcome,
        due.odds,
        due.gross_win,
        due.commission,
        due.paid,
        due.collected,
        due.returned,
        due.reserve_taken,
        due.reserve_returned,
        due.clauses,
        due.flags,
        due.odds_source,
    )


def _unruled(judged: Judgement) -> Iterator[Row]:
    """What would be due without the rulings of a round; nothing where there are none."""
    round, edition = judged.round, judged.edition
    kept = tuple(event for event in round.events if not isinstance(event.payload, e.RulingMade))
    if edition is None or len(kept) == len(round.events):
        return
    unruled = judge(replace(round, events=kept), edition, judged.memory)
    for due in unruled.dues:
        yield (
            due.wager_id,
            round.round_id,
            round.table_id,
            round.gaming_day,
            unruled.ruled.status,
            due.outcome,
            due.paid,
            due.commission,
            due.collected,
            due.returned,
            due.reserve_taken,
            due.reserve_returned,
        )


def _flags(judged: Judgement) -> Iterator[Row]:
    round = judged.round
    code = judged.code
    for flag in judged.flags:
        *known, note = flag
        yield (round.round_id, round.table_id, code, *known, *_stored(note))


def _card(round: Round, sight: witnesses.Sight) -> Row:
    agreed = sight.card
    return (
        round.round_id,
        round.table_id,
        sight.hand,
        sight.slot,
        max(0, sight.position),
        agreed and str(agreed),
        sight.shoe,
        sight.camera,
        sight.camera_probability,
        sight.dealer,
        sight.exposed,
        sight.evidence,
    )


def _doubt(judged: Judgement, doubt: Doubt) -> Row:
    return (
        judged.round.round_id,
        judged.round.table_id,
        doubt.hand,
        doubt.slot,
        doubt.kind,
        *doubt.ppm,
        [card for card, _ in doubt.likely],
        [ppm for _, ppm in doubt.likely],
        doubt.erring,
        doubt.evidence,
    )


def _results(judged: Judgement) -> Iterator[Row]:
    """What was called, shown or entered; the dolly is an entry of the dealer's too."""
    round = judged.round
    for event in round.events:
        match event.payload:
            case e.ResultCalled(result=result, shown_by=shown_by, box=box):
                pass
            case e.DollyPlaced(number=number):
                result, shown_by, box = str(number), "dolly", ""
            case _:
                continue
        said = game_modules.rulings(judged.edition.game).said(result) if judged.edition else ""
        keys = (event.event_id, round.round_id, round.table_id, event.seq, event.occurred_at)
        yield (*keys, shown_by, box, result, said)


def _marks(round: Round) -> tuple[e.Event | None, ...]:
    """Its first event, no more bets, the first play, the last settlement, its closing."""
    closed = play = settled = ended = None
    for event in round.events:
        payload = event.payload
        if closed is None and isinstance(payload, e.BettingClosed):
            closed = event
        elif play is None and _begins_play(payload):
            play = event
        elif isinstance(payload, e.WagerSettled):
            settled = event
        elif ended is None and isinstance(payload, e.RoundClosed):
            ended = event
    return round.events[0], closed, play, settled, ended


def _early_play(round: Round, rulings: Rulings | None) -> e.Event | None:
    waits = rulings.WAITS if rulings else ()
    return betting_end.early_play(round.events, round.betting_end, waits)


def _sensed_late(round: Round, ends: Mapping[str, End | None]) -> Counter[str]:
    """How often a sensor saw the stake of each wager change after betting on it had ended.

    Chips that move once a wager is settled, or once the round was called off, are no stake.
    """
    over: set[str] = set()
    lying: dict[str, int] = {}
    found: Counter[str] = Counter()
    ended_by = defaultdict[int, list[str]](list)
    for name, end in ends.items():
        if end:
            ended_by[end.event.seq].append(name)
    for event in round.events:
        over.update(ended_by.get(event.seq, ()))
        match event.payload:
            case e.WagerSettled(wager_id=name):
                over.discard(name)
            case e.NoSpinCalled() | e.RoundVoided():
                break
            case e.StakeRead(wager_id=name, amount=amount, change=change):
                if change or amount != lying.get(name, amount):
                    found[name] += name in over
                lying[name] = amount
    return found


def _ended(end: End | None) -> Row:
    return (None, None, None, "") if end is None else (*_seen(end.event, 3), end.by)


def _begins_play(payload: e.Payload) -> bool:
    """A card that is turned to open the betting is no play yet."""
    opens = isinstance(payload, e.CardDrawn | e.CardPlaced) and payload.hand == OPENS_BETTING
    return isinstance(payload, PLAY) and not opens


def _seen(event: e.Event | None, count: int) -> Row:
    """The event's place, time and error bound, as many of them as asked for."""
    if event is None:
        return (None,) * count
    return (event.seq, event.occurred_at, event.err_ms)[:count]


def _recorded(round: Round) -> str | None:
    for event in round.events:
        if isinstance(event.payload, e.RoundClosed):
            return event.payload.status
    voided = any(isinstance(event.payload, e.RoundVoided) for event in round.events)
    return "void" if voided else None


def _unknown_because(judged: Judgement) -> Prose:
    """The flags that made the round unknown, or else the last step by the clause that did."""
    ruled = judged.ruled
    if ruled.status != "unknown":
        return ""
    notes = [flag.note for flag in ruled.flags if flag.code in MAKE_UNKNOWN and flag.note]
    steps = [step.text for step in ruled.steps if set(step.clauses) & set(ruled.clauses)]
    found = notes or steps[-1:]
    return say("shared.notes", notes=tuple(found)) if len(found) > 1 else next(iter(found), "")


def _stored(said: Prose) -> Row:
    """A sentence as two columns: its key, and its values as JSON in one form only."""
    if not said:
        return "", ""
    said = say("shared.prose", text=said) if isinstance(said, str) else said
    return said.key, sentence.as_json(said)


def _late(round: Round) -> tuple[e.Event, ...]:
    """The events that came after the round was closed, or after what happened later."""
    closings = (at for at in round.events if isinstance(at.payload, e.RoundClosed))
    closed = next((_arrived(round, at) for at in closings), None)
    return tuple(
        at
        for at in round.events
        if _arrived(round, at) > (at.seq if closed is None else min(at.seq, closed))
    )


def _arrived(round: Round, event: e.Event) -> int:
    return round.moved.get(event.event_id, event.seq)


def _changed_by_late(judged: Judgement) -> bool:
    """Whether the round as it had come in by its closing would have other dues."""
    round = judged.round
    if not _late(round) or judged.edition is None:
        return False
    came = sorted(round.events, key=lambda at: _arrived(round, at))
    ends = (n for n, at in enumerate(came) if isinstance(at.payload, e.RoundClosed))
    in_time = replace(round, events=tuple(came[: next(ends, len(came)) + 1]))
    before = judge(in_time, judged.edition, judged.memory)
    return (before.dues, before.ruled.status) != (judged.dues, judged.ruled.status)


def _first_at(events: Sequence[e.Event], kind: type[Any]) -> int | None:
    return next((event.occurred_at for event in events if isinstance(event.payload, kind)), None)

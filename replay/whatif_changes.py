"""Changes one thing in a round: a card, the pocket, a wager, a ruling, the terms, or any field."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from replay import game_modules, rulebooks
from replay.games.shared.roulette_layout import COLOUR
from replay.rounds import Round
from schemas import bounds, codec, shape
from schemas import events as e
from schemas.ranks import LADDER

FORMS = (
    "card:HAND.SLOT, pocket, faces, wager:ID.FIELD, ruling:CLAUSE, ruling:CLAUSE.FIELD, "
    "terms.FIELD, reading:NAME, EVENT_ID.FIELD"
)
ADDED_RANK = LADDER[-1]  # an added ruling has the highest rank until one is set

Edit = Callable[[e.Event], e.Event | None]


class BadChange(ValueError):
    """A change that cannot be made to this round."""


def changed(round: Round, change: str) -> Round:
    """The round with one change of the form KEY=VALUE."""
    key, sign, value = change.partition("=")
    if not sign or not key:
        raise BadChange(f"{change!r}: KEY=VALUE expected, KEY being one of {FORMS}")
    kind, _, name = key.partition(":")
    if kind in CHANGES:
        return CHANGES[kind](round, name, value)
    target, _, field = key.rpartition(".")
    if target == "terms":
        return replace(round, terms=_set(_terms(round), field, value))
    return _event(round, key, value)


def _reading(round: Round, name: str, value: str) -> Round:
    terms = _terms(round)
    return replace(round, terms=replace(terms, readings={**terms.readings, name: value}))


def _event(round: Round, key: str, value: str) -> Round:
    """Change one field of an event, or take the event away."""
    ids = {event.event_id for event in round.events}
    event_id, _, field = key.rpartition(".")
    if key in ids and value == "none":
        return _edited(round, lambda event: None if event.event_id == key else event)
    if event_id not in ids:
        raise BadChange(f"{key!r} is nothing of round {round.round_id}: one of {FORMS} expected")

    def edit(event: e.Event) -> e.Event:
        if event.event_id != event_id:
            return event
        edited = _with(event, field, value)
        if isinstance(edited.payload, e.RulingMade) and field in ("clause", "decision"):
            _must_know_decision(round, edited.payload.clause, edited.payload.decision)
        return edited

    return _edited(round, edit)


def _wager(round: Round, key: str, value: str) -> Round:
    wager_id, _, field = key.rpartition(".")
    placed = [p.wager_id for p in _payloads(round) if isinstance(p, e.WagerPlaced)]
    if wager_id not in placed:
        known = ", ".join(placed) or "nothing"
        raise BadChange(f"wager:{key}: wager:ID.FIELD with an ID of {known} expected")

    def edit(event: e.Event) -> e.Event:
        match event.payload:
            case e.WagerPlaced(wager_id=found) if found == wager_id:
                return _with(event, field, value)
            case e.WagerChanged(wager_id=found) if found == wager_id and field in ("bet", "stake"):
                return _with(event, field, "none")  # it would undo the change
        return event

    return _edited(round, edit)


def _ruling(round: Round, key: str, value: str) -> Round:
    """Change, add or take away the ruling under a clause."""
    made = [
        (event, event.payload) for event in round.events if isinstance(event.payload, e.RulingMade)
    ]
    clause, _, field = key.rpartition(".")
    if field not in {member.name for member in fields(e.RulingMade)}:
        clause, field = key, "decision"
    ids = {event.event_id for event, ruling in made if ruling.clause == clause}
    if value == "none" and clause == key:
        if not ids:
            raise BadChange(f"ruling:{clause}=none: {_ruled(made)}, none of them under {clause}")
        return _edited(round, lambda event: None if event.event_id in ids else event)
    if field == "decision":
        _must_know_decision(round, clause, value)
    if ids:
        return _edited(
            round, lambda event: _with(event, field, value) if event.event_id in ids else event
        )
    if clause != key:
        raise BadChange(
            f"ruling:{key}: {_ruled(made)}, none of them under {clause}; "
            f"add one first with ruling:{clause}=DECISION"
        )
    return _with_ruling(round, e.RulingMade(clause, "", ADDED_RANK), value)


def _ruled(made: Sequence[tuple[e.Event, e.RulingMade]]) -> str:
    clauses = ", ".join(ruling.clause for _, ruling in made)
    return f"rulings under {clauses} are on record" if made else "no ruling is on record"


def _with_ruling(round: Round, ruling: e.RulingMade, decision: str) -> Round:
    """The round with one more ruling, made before anything was settled or closed."""
    ends = (e.WagerSettled, e.RoundClosed)
    place = next(
        (n for n, event in enumerate(round.events) if isinstance(event.payload, ends)),
        len(round.events),
    )
    if not round.events:
        raise BadChange(f"round {round.round_id}: no event is on record, so no ruling can follow")
    before = round.events[max(place - 1, 0)]
    added = replace(
        before,
        event_id=f"{before.event_id}+ruling:{ruling.clause}",
        payload=_set(ruling, "decision", decision),
    )
    return replace(round, events=(*round.events[:place], added, *round.events[place:]))


def _must_know_decision(round: Round, clause: str, decision: str) -> None:
    """Refuse a decision that the clause does not know: the rules would ignore it."""
    terms = _terms(round)
    edition = rulebooks.in_force(terms.game, round.gaming_day, terms.edition)
    rulings = game_modules.rulings(edition.game)
    choices = rulings.CHOICE_CLAUSES
    if not choices:
        raise BadChange(
            f"ruling:{clause}={decision}: no ruling expected, as the rules of {edition.code} ask "
            "for none"
        )
    if clause not in edition.clauses:
        raise BadChange(
            f"ruling:{clause}: a clause of {edition.code} {edition.number} expected, "
            f"such as {', '.join(choices)}"
        )
    words = rulings.ruling_words(clause)
    if not words:
        raise BadChange(
            f"ruling:{clause}={decision}: a clause that leaves somebody a choice expected, "
            f"one of {', '.join(choices)}"
        )
    if decision not in words:
        one_of = "one of " if len(words) > 1 else ""
        raise BadChange(f"ruling:{clause}={decision}: {one_of}{', '.join(words)} expected")


def _pocket(round: Round, _: str, value: str) -> Round:
    """Put the ball and the dolly on another pocket."""
    if value != "none" and value not in map(str, COLOUR):
        raise BadChange(f"pocket={value}: a pocket 0 to {max(COLOUR)} or none expected")
    _must_have(round, e.BallLanded, f"pocket={value}")
    return _edited(
        round,
        lambda event: _if(
            _if(event, e.BallLanded, "pocket", value), e.DollyPlaced, "number", value
        ),
    )


def _faces(round: Round, _: str, value: str) -> Round:
    """Change the faces of the dice or tokens, for the sensor and the camera."""
    tokens = any(isinstance(payload, e.TokensRevealed) for payload in _payloads(round))
    sensor: type[Any] = e.TokensRevealed if tokens else e.ShakerOpened
    camera: type[Any] = e.TokensObserved if tokens else e.DiceObserved
    _must_have(round, sensor, f"faces={value}")
    shown = () if value == "none" else tuple(value.split("-"))
    wanted, reads = _shows(round)
    if shown and reads(shown) is None:
        raise BadChange(f"faces={value}: {wanted} or none expected")
    faces = json.dumps(shown)
    seen = json.dumps([{"seen": value, "probability": 1.0}] if shown else [])
    return _edited(
        round, lambda event: _if(_if(event, sensor, "faces", faces), camera, "guesses", seen)
    )


def _shows(round: Round) -> tuple[str, Callable[[tuple[str, ...]], object]]:
    terms = _terms(round)
    game = rulebooks.in_force(terms.game, round.gaming_day, terms.edition).game
    return game_modules.game(game).SHOWS


def _card(round: Round, key: str, value: str) -> Round:
    """Change the card in a hand's place for every witness; add a card, or take one away."""
    hand, _, slot = key.rpartition(".")
    if not hand or not slot.isdigit() or slot == "0":
        raise BadChange(f"card:{key}: card:HAND.SLOT such as card:player.2 expected")
    drawn = [
        event
        for event in round.events
        if isinstance(event.payload, e.CardDrawn) and event.payload.hand == hand
    ]
    place = int(slot)
    if place == len(drawn) + 1 and value != "none":
        return _one_more(round, hand, value)
    if place > len(drawn):
        raise BadChange(f"card:{key}: {hand} has {len(drawn)} cards in round {round.round_id}")
    drawn_by = drawn[place - 1].event_id
    if value == "none":
        return _edited(round, lambda event: _without(event, drawn_by, hand, place))
    return _edited(round, lambda event: _as_card(event, drawn_by, hand, place, value))


def _as_card(event: e.Event, drawn_by: str, hand: str, place: int, value: str) -> e.Event:
    if event.event_id == drawn_by:
        return _with(event, "card", value)
    match event.payload:
        case e.CardPlaced(hand=found, slot=slot) if (found, slot) == (hand, place):
            return _with(event, "card", value)
        case e.CardsObserved(zone=found, slot=slot) if (found, slot) == (hand, place):
            return _with(event, "guesses", json.dumps([{"seen": value, "probability": 1.0}]))
    return event


def _without(event: e.Event, drawn_by: str, hand: str, place: int) -> e.Event | None:
    """The event without the card; the cards after it move up one place."""
    if event.event_id == drawn_by:
        return None
    match event.payload:
        case e.CardPlaced(hand=found, slot=slot) | e.CardsObserved(zone=found, slot=slot):
            if found == hand and slot >= place:
                return None if slot == place else _with(event, "slot", str(slot - 1))
    return event


def _one_more(round: Round, hand: str, value: str) -> Round:
    """Add a card after the last one that left the shoe."""
    last = max(
        (n for n, payload in enumerate(_payloads(round)) if isinstance(payload, e.CardDrawn)),
        default=None,
    )
    if last is None:
        raise BadChange(f"round {round.round_id}: no card was drawn, so none can follow")
    event = round.events[last]
    assert isinstance(event.payload, e.CardDrawn)
    extra = replace(event.payload, position=event.payload.position + 1, hand=hand, exposed=True)
    added = replace(event, event_id=f"{event.event_id}+1", payload=_set(extra, "card", value))
    return replace(round, events=(*round.events[: last + 1], added, *round.events[last + 1 :]))


def _edited(round: Round, edit: Edit) -> Round:
    events = (edit(event) for event in round.events)
    return replace(round, events=tuple(event for event in events if event is not None))


def _if(event: e.Event, kind: type[Any], field: str, value: str) -> e.Event:
    return _with(event, field, value) if isinstance(event.payload, kind) else event


def _with(event: e.Event, field: str, value: str) -> e.Event:
    return replace(event, payload=_set(event.payload, field, value))


def _set(payload: Any, field: str, value: str) -> Any:
    """The payload with one field set, checked like anything that comes from outside."""
    name = type(payload).__name__
    known = [member.name for member in fields(payload)]
    if field not in known:
        raise BadChange(f"{name}.{field}: one of {', '.join(known)} expected")
    body = codec.to_json(payload)
    try:
        return bounds.must_be_within(shape.payload(body | {field: _plain(value)}, name))
    except shape.Refused as error:
        if error.code != "wrong_type":
            raise
        return shape.payload(body | {field: value}, name)  # text that looks like a number


def _plain(value: str) -> Any:
    if value == "none":
        return None
    try:
        return json.loads(value)
    except ValueError:
        return value


def _terms(round: Round) -> e.TermsPosted:
    if round.terms is None:
        raise BadChange(f"round {round.round_id}: no terms were posted")
    return round.terms


def _payloads(round: Round) -> list[e.Payload]:
    return [event.payload for event in round.events]


def _must_have(round: Round, kind: type[Any], change: str) -> None:
    if not any(isinstance(payload, kind) for payload in _payloads(round)):
        raise BadChange(f"{change}: round {round.round_id} has no {kind.__name__}")


CHANGES: Mapping[str, Callable[[Round, str, str], Round]] = {
    "card": _card,
    "faces": _faces,
    "pocket": _pocket,
    "reading": _reading,
    "ruling": _ruling,
    "wager": _wager,
}

"""Round sheets: one round as a person writes it down, and the answer to it.

A sheet is the posted terms plus the round's events without their envelope (docs/round-sheets.md).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from replay import game_modules, rulebooks, words
from replay.game_modules import Rulings
from replay.judge import Judgement
from replay.relied_readings import relied
from replay.rounds import Round, Shoe, fold
from replay.ruled import Memory
from replay.settle import Due
from replay.sheets import opening as sheet_opening
from replay.sheets import unused_fields
from replay.witnesses import CODES
from schemas import avro, bounds, shape
from schemas import events as e
from schemas.money import ISO_4217

TABLE, DAY, ROUND = "T1", "2026-03-01", "R1"
KEYS: Mapping[str, type[Any]] = {
    "round": str,
    "table": str,
    "gaming_day": str,
    "terms": dict,
    "shoe": dict,
    "carry": dict,
    "events": list,
}
NEEDED = ("terms", "events")
WORDS = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}

# The state of a shoe that a sheet may state, as Shoe has it.
SHOE: Mapping[str, type[Any]] = {
    "shoe_id": str,
    "decks": int,
    "shuffled": bool,
    "burned": bool,
    "drawn": dict,
    "cards_out": int,
    "hands": int,
    "last_hand_announced": bool,
    "cut_card_out": bool,
}

LOADED = {"shoe_id", "decks", "shuffled", "hands"}  # what the loading of a shoe settles


class Sheet(NamedTuple):
    """A round and what the rounds before it left behind."""

    round: Round
    memory: Memory


def loads(text: str) -> Any:
    """The value of a JSON text; a key that stands twice is refused, as only one can be meant."""
    return json.loads(text, object_pairs_hook=_once)


def read(value: Any) -> Sheet:
    """The sheet a JSON object describes; shape.Refused says where it is wrong."""
    if not isinstance(value, dict):
        raise shape.Refused("wrong_type", "sheet", "an object", type(value).__name__)
    for key in sorted(set(value) - set(KEYS)):
        raise shape.Refused("unknown_field", f"sheet.{key}", f"one of {', '.join(KEYS)}", key)
    sheet = {key: _checked(key, kind, value.get(key)) for key, kind in KEYS.items()}
    terms = _payload({"type": "TermsPosted", **sheet["terms"]}, "sheet.terms")
    said = [_payload(item, f"sheet.events[{n}]") for n, item in enumerate(sheet["events"])]
    table, name = sheet["table"] or TABLE, sheet["round"] or ROUND
    opening = _payload({"type": "TableOpened", "gaming_day": sheet["gaming_day"] or DAY}, "sheet")
    assert isinstance(opening, e.TableOpened)
    told = [opening, terms, *sheet_opening.opened(said)]
    (round,) = fold(opening.gaming_day, _events(table, name, told))
    assert isinstance(terms, e.TermsPosted)
    _check_terms(sheet["terms"])
    edition = rulebooks.in_force(terms.game, opening.gaming_day, terms.edition)
    rulings = game_modules.rulings(edition.game)
    _check_wagers(said, rulings)
    unused_fields.check(terms, said, rulings, game_modules.game(edition.game))
    return Sheet(_with_shoe(round, sheet["shoe"]), _carry(sheet["carry"] or {}, rulings))


def answer(judged: Judgement, language: str = "en") -> dict[str, Any]:
    """The judged round as plain JSON values; amounts are whole minor units."""
    ruled, reader = judged.ruled, words.Reader(language, judged.code)
    return {
        "round": judged.round.round_id,
        "table": judged.round.table_id,
        "status": ruled.status,
        "outcome": ruled.outcome,
        "result": ruled.result,
        "clauses": list(ruled.clauses),
        "facts": sorted(ruled.facts),
        "lines": [_line(due) for due in judged.dues],
        "flags": [flag._asdict() | {"note": reader.text(flag.note)} for flag in judged.flags],
        "pay_order": list(ruled.pay_order),
        "readings": _readings(judged),
        "carry": dict(sorted(ruled.memory.items())),
    }


def _readings(judged: Judgement) -> dict[str, str]:
    """The readings that the answer relies on."""
    return {name: judged.terms.readings[name] for name in relied(judged)} if judged.terms else {}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for n, key in enumerate(keys) if key in keys[:n])
        raise shape.Refused("duplicate_key", "sheet", "each key once", f"{twice!r} twice")
    return found


def _check_terms(stated: Mapping[str, Any]) -> None:
    """Terms that a table can post: a real currency, and no shoe without a deck."""
    if stated["currency"] not in ISO_4217:
        wanted = "a currency of ISO 4217 such as VND"
        raise shape.Refused("bad_value", "sheet.terms.currency", wanted, repr(stated["currency"]))
    if stated.get("decks") == 0:  # left out it is the edition's
        wanted = "1 or more, or nothing for the edition's number"
        raise shape.Refused("bad_value", "sheet.terms.decks", wanted, "0")


def _check_wagers(said: list[e.Payload], rulings: Rulings) -> None:
    """An id names one wager, and what is done to a wager comes after its placing."""
    placed, lying = set[str](), set[str]()
    for n, payload in enumerate(said):
        match payload:
            case e.WagerPlaced(wager_id=wager_id):
                _check_chips(payload, f"sheet.events[{n}].stake")
                fits, wanted = wager_id not in lying, "an id of its own"
                placed.add(wager_id)
                lying.add(wager_id)
            case e.WagerSettled() if rulings.TELLS_OF_OTHER_ROUNDS:
                continue  # no slip of the pen but an irregularity of the rulebook
            case e.WagerSettled(wager_id=wager_id) if rulings.ADDS_WAGERS:
                main = wager_id.rpartition(".")[0]
                fits, wanted = {wager_id, main} & placed != set(), "a wager placed before it"
            case (
                e.WagerChanged(wager_id=wager_id)
                | e.WagerWithdrawn(wager_id=wager_id)
                | e.WagerSettled(wager_id=wager_id)
            ):
                fits, wanted = wager_id in placed, "a wager placed before it"
                if isinstance(payload, e.WagerWithdrawn):
                    lying.discard(wager_id)
            case _:
                continue
        if not fits:
            where = f"sheet.events[{n}].wager_id"
            raise shape.Refused("bad_value", where, wanted, repr(wager_id))


def _check_chips(placed: e.WagerPlaced, where: str) -> None:
    """A stake told together with its chips is what these add up to."""
    chips = placed.chips
    if chips and placed.stake != chips.count * chips.value:
        wanted = f"{chips.count * chips.value} for {chips.count} chips at {chips.value}"
        raise shape.Refused("bad_value", where, wanted, str(placed.stake))


def _carry(stated: Mapping[str, Any], rulings: Rulings) -> Memory:
    """What the rounds before left, in the words of the game."""
    known = rulings.CARRIED
    for key in sorted(set(stated) - set(known)):
        one = f"one of {', '.join(sorted(known))}"
        wanted = one if known else "nothing, as the game carries none"
        raise shape.Refused("unknown_field", f"sheet.carry.{key}", wanted, repr(key))
    checked = {key: _checked(f"carry.{key}", known[key], stated[key]) for key in sorted(stated)}
    return {key: found for key, found in checked.items() if found is not None}


def _line(due: Due) -> dict[str, Any]:
    row: dict[str, Any] = due._asdict()
    row |= {"action": str(due.action), "clauses": list(due.clauses), "flags": list(due.flags)}
    return row | {"back": due.back}


def _payload(item: Any, where: str) -> e.Payload:
    try:
        return bounds.must_be_within(shape.payload(item, where))
    except shape.Refused as error:
        at = error.where if error.where.startswith(where) else f"{where} {error.where}"
        raise shape.Refused(error.code, at, error.expected, error.found) from None


def _checked(key: str, kind: type[Any], found: Any) -> Any:
    """The value of a key, which must be of its kind; None where it may be left out and was."""
    if found is None and key not in NEEDED:
        return None
    if type(found) is not kind:
        code = "missing_field" if found is None else "wrong_type"
        seen = "nothing" if found is None else repr(found)[:60]
        raise shape.Refused(code, f"sheet.{key}", WORDS[kind], seen)
    return found


def _events(table: str, name: str, payloads: list[e.Payload]) -> Iterator[e.Event]:
    """The payloads in their envelopes; all from the round's opening on belong to it."""
    inside = None
    for seq, payload in enumerate(payloads):
        inside = name if isinstance(payload, e.RoundOpened) else inside
        yield e.Event(
            event_id=f"{table}/sheet/{seq}",
            table_id=table,
            seq=seq,
            device_kind="sheet",
            device_id="sheet",
            device_seq=seq,
            occurred_at=0,
            err_ms=0,
            ingested_at=0,
            schema=avro.FINGERPRINT,
            prev_hash=bytes(32),
            payload=payload,
            round_id=inside,
        )


def _with_shoe(round: Round, stated: Mapping[str, Any] | None) -> Round:
    """The round with the state of its shoe as the sheet says, where it says anything."""
    if stated is None:
        return round
    for key in sorted(set(stated) - set(SHOE)):
        raise shape.Refused("unknown_field", f"sheet.shoe.{key}", f"one of {', '.join(SHOE)}", key)
    checked = {key: _shoe_value(key, stated[key]) for key in sorted(stated)}
    for key in sorted(LOADED & checked.keys()) if round.shoe else ():
        told = getattr(round.shoe, key)
        if checked[key] != told:
            wanted = f"{told!r}, as ShoeLoaded says"
            raise shape.Refused("bad_value", f"sheet.shoe.{key}", wanted, repr(checked[key]))
    shoe = round.shoe or Shoe("shoe", 0, shuffled=True, burned=True)
    return replace(round, shoe=replace(shoe, **checked, stated=True))


def _shoe_value(key: str, found: Any) -> Any:
    """One value of the shoe's state: never nothing, never a negative count, real cards only."""
    if found is None:
        raise shape.Refused("wrong_type", f"sheet.shoe.{key}", WORDS[SHOE[key]], "nothing")
    checked = _checked(f"shoe.{key}", SHOE[key], found)
    if SHOE[key] is int and checked < 0:
        raise shape.Refused("bad_value", f"sheet.shoe.{key}", "0 or more", str(checked))
    if key == "drawn":
        for code, copies in checked.items():
            where = f"sheet.shoe.drawn.{code}"
            if code not in CODES:
                raise shape.Refused("bad_value", where, "a card such as 9H", repr(code))
            if type(copies) is not int or copies < 0:
                raise shape.Refused("bad_value", where, "copies, 0 or more", repr(copies)[:60])
    return checked

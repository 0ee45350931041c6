"""What the bulk lane derives, as columns of replay/tables/tables.sql."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from replay.bulk.frame import Column, RoundFrame
from replay.bulk.prices import Amounts, Priced
from replay.bulk.results import Results
from replay.bulk.usual import owner
from replay.payments import AMOUNTS
from replay.tables import parquet
from replay.tables.rows import day_of
from schemas import events as e

VERDICTS = ("round_id", "status", "status_clauses", "outcome", "result")  # columns of `rounds`


class Derived(NamedTuple):
    """The usual rounds of a frame, derived: their part of `rounds`, their dues and settlements."""

    rounds: Any
    dues: Any
    settlements: Any


class Dues(NamedTuple):
    """The wagers of a frame with the line that decides each, and its amounts."""

    line: Column
    lines: Sequence[Priced]
    amounts: Amounts


def gaps(frame: RoundFrame, dues: Dues) -> Column:
    """Whether each settlement moved other amounts than are due."""
    seen, due = frame.of(e.WagerSettled), dues.amounts
    own = owner(frame, seen["wager_id"])
    owed = {
        "paid": due.paid,
        "commission": due.commission,
        "collected": due.collected,
        "reserve_taken": due.reserve_taken,
        "returned": due.returned + due.reserve_returned,
    }
    differs = np.zeros(len(seen), bool)
    for name in AMOUNTS:
        differs |= seen[name] != owed[name][own]
    return differs


def derived(frame: RoundFrame, chosen: Column, found: Results, dues: Dues) -> Derived:
    """The columns of the chosen rounds, all of them usual."""
    return Derived(
        _rounds(frame, chosen, found), _dues(frame, chosen, dues), _settlements(frame, chosen)
    )


def _rounds(frame: RoundFrame, chosen: Column, found: Results) -> Any:
    kept = np.flatnonzero(chosen)
    key, verdicts = found.key[kept], found.verdicts
    columns = {
        "round_id": frame.round_id.take(pa.array(kept)),
        "status": _constant("settled", len(kept)),
        "status_clauses": _lists([verdict.clauses for verdict in verdicts], key),
        "outcome": _texts([verdict.outcome for verdict in verdicts], key),
        "result": _texts([verdict.result for verdict in verdicts], key),
    }
    return pa.table(columns)


def _dues(frame: RoundFrame, chosen: Column, dues: Dues) -> Any:
    placed = frame.of(e.WagerPlaced)
    rows = np.flatnonzero(chosen[placed.round])
    line, stake = dues.line[rows], placed["stake"][rows]
    columns = _keys(frame, placed["wager_id"][rows], placed.round[rows]) | {
        "player_id": frame.texts["player_id"].take(pa.array(placed["player_id"][rows])),
        "bet": frame.texts["bet"].take(pa.array(placed["bet"][rows])),
        "stake": pa.array(stake),
        "action": pa.array(stake).cast(pa.string()),
        "outcome": _texts([at.outcome for at in dues.lines], line),
        "odds": _texts([at.odds for at in dues.lines], line),
        "clauses": _lists([at.clauses for at in dues.lines], line),
        "flags": _lists([()], np.zeros(len(rows), np.int64)),
        "odds_source": _texts([at.source for at in dues.lines], line),
    }
    columns |= {name: pa.array(at[rows]) for name, at in dues.amounts._asdict().items()}
    return _table("dues", columns)


def _settlements(frame: RoundFrame, chosen: Column) -> Any:
    """What was seen on each wager: once, and as due, or the round were not usual."""
    seen = frame.of(e.WagerSettled)
    rows = np.flatnonzero(chosen[seen.round])
    place, count = seen.place[rows], len(rows)
    columns = _keys(frame, seen["wager_id"][rows], seen.round[rows]) | {
        "first_seq": pa.array(frame.seq[place]),
        **{name: pa.array(seen[name][rows]) for name in AMOUNTS},
        "differs": pa.array(np.zeros(count, bool)),
        "evidence": _each_alone(frame.event_id.take(pa.array(place))),
    }
    nothing = pa.array(np.zeros(count, np.int64))
    columns |= dict.fromkeys(GAPS, nothing)
    return _table("settlements", columns)


GAPS = ("paid_gap", "commission_gap", "collected_gap", "reserve_gap", "returned_gap")


def _keys(frame: RoundFrame, wager: Column, round: Column) -> dict[str, Any]:
    one = frame.rounds[0]
    return {
        "wager_id": frame.texts["wager_id"].take(pa.array(wager)),
        "round_id": frame.round_id.take(pa.array(round)),
        "table_id": _constant(one.table_id, len(round)),
        "gaming_day": pa.repeat(pa.scalar(day_of(one.gaming_day), pa.date32()), len(round)),
    }


def _texts(words: Any, codes: Column) -> Any:
    return pa.array(words, pa.string()).take(pa.array(codes))


def _lists(words: Any, codes: Column) -> Any:
    return pa.array(list(map(list, words)), pa.list_(pa.string())).take(pa.array(codes))


def _each_alone(texts: Any) -> Any:
    """A column of lists of one text each."""
    return pa.ListArray.from_arrays(pa.array(np.arange(len(texts) + 1, dtype=np.int32)), texts)


def _constant(text: str, count: int) -> Any:
    return pa.repeat(pa.scalar(text, pa.string()), count)


def _table(name: str, columns: dict[str, Any]) -> Any:
    shape = parquet.schema(name)
    return pa.Table.from_arrays([columns[field.name] for field in shape], schema=shape)

"""Rows as SQL has them: as they are stored, with English words beside the sentences."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import pyarrow as pa

from replay import sentence, words
from replay.disputes.doubts import Doubt
from replay.tables import dictionary, parquet

Worded = Callable[[Mapping[str, Any]], str]  # the words of a row, from its stored columns


def arrow(table: str, rows: Sequence[tuple[Any, ...]]) -> Any:
    """Rows of a table as Arrow, with the columns of SQL."""
    return worded(table, parquet.arrow(table, rows))


def worded(table: str, part: Any) -> Any:
    """Stored rows with their columns in words."""
    columns = dictionary.dictionary()[table].columns
    if table not in WORDS:
        return part
    texts = pa.array(map(WORDS[table], part.to_pylist()), pa.string())
    return pa.table(
        {column.name: texts if column.in_words else part[column.name] for column in columns}
    )


def _step(row: Mapping[str, Any]) -> str:
    return _text(row["key"], row["params"], row["game"])


def _round(row: Mapping[str, Any]) -> str:
    return _text(row["unknown_key"], row["unknown_params"], row["game"])


def _doubt(row: Mapping[str, Any]) -> str:
    ppm = (row["misread_ppm"], row["switched_ppm"], row["foreign_ppm"])
    likely = tuple(zip(row["likely"], row["likely_ppm"], strict=True))
    erring = tuple(row["erring"])
    doubt = Doubt(row["hand"], row["slot"], row["kind"], ppm, likely, (), erring)
    return words.text(doubt.told)


@cache
def _text(key: str | None, params: str | None, game: str) -> str:
    return words.text(sentence.parsed(key, json.loads(params or "{}")), game=game) if key else ""


WORDS: Mapping[str, Worded] = {
    "steps": _step,
    "flags": _step,
    "rounds": _round,
    "doubts": _doubt,
}

"""A change to the code or rules that derive rows derives table-days anew; no other change does."""

from pathlib import Path

import grimp
import pytest

from replay.tables import code_hash

HOUSE = Path(__file__).parents[3]

COUNTS = """
    replay/__init__.py
    replay/batch/__init__.py replay/batch/replay.py replay/batch/source.py
    replay/betting_end.py
    replay/camera_rounds.py
    replay/disputes/__init__.py replay/disputes/doubts.py replay/disputes/lawful_deal.py
    replay/event_order.py
    replay/game_modules.py
    replay/games
    replay/judge.py
    replay/likelihood
    replay/payments.py
    replay/play_events.py
    replay/rounds.py
    replay/rulebooks
    replay/ruled.py
    replay/rulings
    replay/sentence.py
    replay/sequence_gaps.py
    replay/settle.py
    replay/short_record.py
    replay/tables/__init__.py replay/tables/code_hash.py replay/tables/derive.py
    replay/tables/dictionary.py
    replay/tables/event_rows.py replay/tables/instrument_rows.py replay/tables/parquet.py
    replay/tables/round_digest.py replay/tables/round_rows.py replay/tables/round_starts.py
    replay/tables/rows.py
    replay/tables/settlement_rows.py replay/tables/tables.sql
    replay/tabulated.py
    replay/unusable_amounts.py
    replay/wagers.py
    replay/witnesses.py
    schemas
"""
COUNTS_NOT = """
    replay/batch/derived_memory.py replay/batch/digest.py replay/batch/failures.py
    replay/batch/first_digest.py replay/batch/log_memory.py
    replay/batch/plan.py replay/batch/pool.py replay/batch/reaudit.py
    replay/bulk
    replay/disputes/payment_fit.py
    replay/explain.py
    replay/lint
    replay/live
    replay/locate.py
    replay/reaudit.py
    replay/relied_readings.py
    replay/sheets
    replay/simulate
    replay/tables/duckdb_contents.py replay/tables/duckdb_file.py replay/tables/file_stamps.py
    replay/tables/name_index.py replay/tables/proven_file.py replay/tables/sql_rows.py
    replay/theory
    replay/whatif.py
    replay/whatif_changes.py
    replay/words
"""


def test_every_source_counts_or_is_left_out_by_name() -> None:
    there = {
        str(path.relative_to(HOUSE))
        for room in code_hash.ROOMS
        for path in (HOUSE / room).rglob("*")
        if path.name.endswith(code_hash.SOURCES)
    }
    counted = set(code_hash.sources())

    assert named(counted, COUNTS) == set(COUNTS.split())
    assert named(there - counted, COUNTS_NOT) == set(COUNTS_NOT.split()) == code_hash.LEFT_OUT


def test_nothing_that_derives_rows_imports_what_is_left_out() -> None:
    graph = grimp.build_graph("schemas", "replay")
    by_name = ("replay.games.", "replay.rulings.")  # the judge imports these by a game's name
    derive = {"replay.tables.derive", "replay.tables.parquet", "replay.batch.source"}
    derive |= {module for module in graph.modules if module.startswith(by_name)}
    imported = set.union(*(graph.find_upstream_modules(module) for module in derive))

    assert len(imported) > 100
    assert {path_of(module) for module in derive | imported} <= set(code_hash.sources())


def test_another_returns_file_makes_another_database_and_the_same_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, database = code_hash.of_rows(), code_hash.of_database()
    monkeypatch.setattr(code_hash, "OF_DATABASE", code_hash.OF_DATABASE[:-1])

    assert code_hash.of_rows.__wrapped__() == rows
    assert code_hash.of_database.__wrapped__() != database


def named(paths: set[str], names: str) -> set[str]:
    """Each path by its own name or by the room that is listed for it."""
    listed = set(names.split())
    return {
        next((name for name in listed if f"{path}/".startswith(f"{name}/")), path) for path in paths
    }


def path_of(module: str) -> str:
    path = Path(module.replace(".", "/"))
    return f"{path}/__init__.py" if (HOUSE / path).is_dir() else f"{path}.py"

"""The auditor's tables: dictionary, rows of a table-day, Parquet files, DuckDB file."""

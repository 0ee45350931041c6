"""Read-only SQL over the DuckDB file: every query runs in a sandboxed process of its own."""

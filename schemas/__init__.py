"""The words: what may be said about a table, and how it is written down."""

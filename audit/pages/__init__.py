"""Rounds, findings, editions, checks and tables as text, as JSON documents and as Markdown."""

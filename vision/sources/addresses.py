"""Addresses of sources: which are streams, and how messages may show them."""

from pathlib import Path

STREAMS = ("rtsp://", "rtsps://", "http://", "https://", "rtmp://", "udp://", "rtp://")


def is_stream(source: str | Path) -> bool:
    """Whether a source is a stream URL."""
    return str(source).lower().startswith(STREAMS)


def shown_address(source: str | Path) -> str:
    """The source for messages and records: a URL without user, password and query."""
    if not is_stream(source):
        return str(source)
    scheme, _, rest = str(source).partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"

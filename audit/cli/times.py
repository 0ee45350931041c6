"""Times as users write and read them.

The code holds UTC microseconds. JSON documents and log lines have UTC with a Z; text for people has
the venue's time zone, with its offset.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from audit.cli.errors import Code, Stopped

SPAN = re.compile(r"([0-9]{1,6})([smhd])")
SPAN_UNITS_US = {"s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOMENT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z")
CLOCK = re.compile(r"\b(\d\d:\d\d:\d\d(?:\.\d{1,6})?) UTC\b")


def microseconds(text: str, option: str) -> int:
    """A time with its zone as UTC microseconds; 0 for an empty text."""
    if not text:
        return 0
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        step = "write it as 2026-03-01T20:00:00Z, or with an offset such as +07:00"
        raise Stopped(f"{option} {text}: a time with its zone expected", step, Code.USAGE)
    return (found - EPOCH) // timedelta(microseconds=1)


def span_us(text: str, option: str) -> int:
    """A span such as 90s, 10m, 2h or 3d in microseconds."""
    found = SPAN.fullmatch(text)
    if found is None:
        step = f"write it as {option} 90m, 2h or 3d"
        raise Stopped(f"{option} {text}: a span of time expected", step, Code.USAGE)
    return int(found[1]) * SPAN_UNITS_US[found[2]]


def told(at_us: int) -> str:
    """A time in RFC 3339, in UTC, to the millisecond."""
    at = EPOCH + timedelta(microseconds=at_us)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def clock(text: str, zone: str) -> str:
    """The time of day of an RFC 3339 moment in a zone, to the second."""
    return f"{datetime.fromisoformat(text).astimezone(ZoneInfo(zone)):%H:%M:%S}"


def local(text: str, zone: str, day: str = "") -> str:
    """A text with every UTC time in it converted to the venue's zone, with its offset.

    A time of day (`20:00:10.100 UTC`, as checks write it) needs the day it belongs to.
    """
    venue = ZoneInfo(zone)

    def moment(found: re.Match[str]) -> str:
        try:
            return _offset(datetime.fromisoformat(found[0]).astimezone(venue), found[0])
        except (OverflowError, ValueError):  # not a time, or out of the zone's range
            return found[0]

    def of_day(found: re.Match[str]) -> str:
        try:
            at = datetime.combine(date.fromisoformat(day), time.fromisoformat(found[1]), UTC)
            there = at.astimezone(venue)
        except (OverflowError, ValueError):
            return found[0]
        return f"{_digits(f'{there:%H:%M:%S.%f}', found[1])} {there.isoformat()[-6:]}"

    text = MOMENT.sub(moment, text)
    return CLOCK.sub(of_day, text) if day else text


def local_in(document: Any, zone: str) -> Any:
    """A document with every time in it converted to the venue's zone."""
    if isinstance(document, str):
        return local(document, zone)
    if isinstance(document, dict):
        return {key: local_in(value, zone) for key, value in document.items()}
    if isinstance(document, list):
        return [local_in(value, zone) for value in document]
    return document


def _offset(there: datetime, like: str) -> str:
    digits = _digits(f"{there:%Y-%m-%dT%H:%M:%S.%f}", like.removesuffix("Z"))
    return digits + there.isoformat()[-6:]


def _digits(text: str, like: str) -> str:
    """A time cut to as many digits as another one has."""
    return text[: len(like)]

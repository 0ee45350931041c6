"""Times that people give and read: always with their zone, inside UTC microseconds."""

from datetime import UTC, datetime, timedelta

from audit.errors import Code, Stopped

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(text: str, option: str) -> int:
    """A time with its zone as UTC microseconds; 0 where none was given."""
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


def told(at_us: int) -> str:
    """A time as RFC 3339 has it, in UTC and milliseconds."""
    at = EPOCH + timedelta(microseconds=at_us)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""What the values of settings may be: each kind reads a value, or says what it expects instead.

A value is text where the environment or a flag gave it, and whatever TOML has where the settings
file did. A kind raises ValueError with the words that follow the name of the setting.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from schemas.ranks import LADDER, OFFICES

WEB = re.compile(r"https?://[^\s,@]+")
ADDRESS = re.compile(r"(?:[0-9A-Za-z.-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})")
TOPICS = re.compile(r"[0-9A-Za-z._-]{0,60}")
ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._~\-]{0,63}")
PORTS = range(1, 65_536)
YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")

T = TypeVar("T")
Kind = Callable[[Any], T]


def text(value: Any) -> str:
    """A text."""
    if isinstance(value, str):
        return value
    raise ValueError("a text expected")


def path(value: Any) -> Path:
    """A path."""
    if isinstance(value, str | Path):
        return Path(value)
    raise ValueError("a path expected")


def whole(least: int, most: int | None = None) -> Kind[int]:
    """A whole number of a span."""

    def read(value: Any) -> int:
        try:
            found = int(value) if isinstance(value, str) else value
        except ValueError:
            found = None
        if not isinstance(found, int) or isinstance(found, bool):
            raise ValueError("a whole number expected") from None
        if found < least:
            raise ValueError(f"{least} or more expected")
        if most is not None and found > most:
            raise ValueError(f"{most} or less expected")
        return found

    return read


def seconds(most: int, *, positive: bool = False) -> Kind[float]:
    """A number of seconds, which need not be whole."""

    def read(value: Any) -> float:
        try:
            found = float(value) if isinstance(value, str | int) else value
        except ValueError:
            found = None
        if not isinstance(found, float) or isinstance(value, bool):
            raise ValueError("a number expected") from None
        if positive and not found > 0:
            raise ValueError("more than 0 expected")
        if not found >= 0:
            raise ValueError("0 or more expected")
        if found > most:
            raise ValueError(f"{most} or less expected")
        return found

    return read


def one_of(*words: str) -> Kind[str]:
    """One of some words."""
    *first, last = map(repr, words)

    def read(value: Any) -> str:
        if isinstance(value, str) and value in words:
            return value
        raise ValueError(f"{', '.join(first)} or {last} expected")

    return read


def yes_or_no(value: Any) -> bool:
    """True or false."""
    word = str(value).lower()
    if word not in YES + NO:
        raise ValueError("true or false expected")
    return word in YES


def zone(value: Any) -> str:
    """A time zone."""
    try:
        return ZoneInfo(text(value)).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("a time zone such as Asia/Ho_Chi_Minh or UTC expected") from None


def person(value: Any) -> str:
    """The pseudonym of a person; empty for nobody."""
    found = text(value)
    if found and not ID.fullmatch(found):
        raise ValueError("an id of letters, digits, . _ ~ - expected")
    return found


def rank(value: Any) -> str:
    """A rank or an office; empty for none."""
    found, known = text(value), (*LADDER, *OFFICES)
    if found and found not in known:
        raise ValueError(f"one of {', '.join(known)} expected")
    return found


def addresses(value: Any) -> str:
    """Addresses of brokers; empty for none."""
    given = text(value)
    found = [ADDRESS.fullmatch(each) for each in given.split(",")] if given else []
    if not all(each and int(each[1]) in PORTS for each in found):
        raise ValueError("host:port expected, or several separated by commas")
    return given


def web_addresses(value: Any) -> str:
    """Addresses of the web, separated by commas."""
    said = text(value)
    if said and not all(WEB.fullmatch(each) for each in said.split(",")):
        raise ValueError("https://host:port expected, or several separated by commas")
    return said


def topic_prefix(value: Any) -> str:
    """What the names of topics begin with."""
    found = text(value)
    if not TOPICS.fullmatch(found):
        raise ValueError("up to 60 letters, digits, dots, dashes and underscores expected")
    return found

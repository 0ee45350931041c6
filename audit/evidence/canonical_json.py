"""Canonical JSON (RFC 8785), at the speed of the standard library where that writes the same bytes.

The two differ in fractions, in whole numbers that a double does not hold, and in the order of keys
beyond ASCII. A value with any of these goes to `rfc8785`, which writes or refuses it.
"""

import json
from typing import Any

import rfc8785

MOST = 2**53 - 1  # the largest whole number that every reader of JSON keeps exact
_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def dumps(value: Any) -> bytes:
    """A value as canonical JSON."""
    return _encoder.encode(value).encode() if _is_plain(value) else rfc8785.dumps(value)


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is dict:
        return all(type(key) is str and key.isascii() for key in value) and all(
            map(_is_plain, value.values())
        )
    if kind is list:
        return all(map(_is_plain, value))
    return kind is int and -MOST <= value <= MOST

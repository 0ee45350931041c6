"""What a setting must be, in plain words instead of pydantic's."""

from collections.abc import Mapping
from typing import Any

WORDS = {
    "int_parsing": "a whole number expected",
    "int_parsing_size": "a whole number expected",
    "int_type": "a whole number expected",
    "int_from_float": "a whole number expected",
    "float_parsing": "a number expected",
    "float_type": "a number expected",
    "string_type": "a text expected",
    "path_type": "a path expected",
    "literal_error": "{expected} expected",
    "greater_than": "more than {gt} expected",
    "greater_than_equal": "{ge} or more expected",
    "less_than_equal": "{le} or less expected",
    "value_error": "{error}",
    "extra_forbidden": "the name of a setting expected",
}


def expected(error: Mapping[str, Any]) -> str:
    """What the setting must be, given pydantic's error."""
    words = WORDS.get(error["type"])
    return words.format(**error.get("ctx", {})) if words else str(error["msg"])

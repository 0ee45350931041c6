"""Canonical JSON is RFC 8785's, whichever of the two writers makes it."""

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from audit.evidence import canonical_json

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
VALUES = st.recursive(
    LEAVES, lambda deeper: st.lists(deeper) | st.dictionaries(KEYS, deeper), max_leaves=12
)


@given(VALUES)
def test_both_writers_write_the_same_bytes(value: Any) -> None:
    assert canonical_json.dumps(value) == rfc8785.dumps(value)


def test_keys_beyond_ascii_are_ordered_as_the_standard_says() -> None:
    keys = {"\U00010000": 1, "\ue000": 2, "z": 3}

    assert canonical_json.dumps(keys) == rfc8785.dumps(keys)


@pytest.mark.parametrize("value", [2**53, float("nan"), {"deep": [-(2**53)]}, "\ud800"])
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises((rfc8785.CanonicalizationError, UnicodeEncodeError)):
        canonical_json.dumps(value)

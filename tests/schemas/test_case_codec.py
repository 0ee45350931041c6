"""Steps of disputes and access records survive the way to bytes and back."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas import case_codec, contract, lock
from schemas import events as e
from tests.support import any_word


@pytest.mark.parametrize("name", case_codec.STEPS)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_step_reads_back_as_it_was(name: str, data: st.DataObject) -> None:
    event = replace(_EVENT, step=data.draw(any_word.record(name)))

    body = case_codec.encode(event)

    assert case_codec.decode_case(body) == event
    assert case_codec.decode_case(body, case_codec.fingerprint(e.CaseEvent)) == event


@given(any_word.record("AccessRecorded"))
def test_every_access_record_reads_back_as_it_was(record: e.AccessRecorded) -> None:
    assert case_codec.decode_access(case_codec.encode(record)) == record


def test_what_the_lock_holds_is_what_is_written() -> None:
    for kind in (e.CaseEvent, e.AccessRecorded):
        records = lock.records_of(case_codec.fingerprint(kind))
        assert contract.fingerprint(contract.whole(kind.__name__, records)) == (
            case_codec.fingerprint(kind)
        )


def test_bytes_that_are_no_step_are_refused() -> None:
    with pytest.raises(ValueError, match="bytes expected"):
        case_codec.decode_access(case_codec.encode(_RECORD) + b"\0")
    with pytest.raises(LookupError, match=r"one of schemas\.lock expected"):
        case_codec.decode_case(b"", "0123456789abcdef")


_RECORD = e.AccessRecorded(1, bytes(32), 0, "P1", "root", "view", "explain", "round")
_EVENT = e.CaseEvent("T1", "T1-R7-D1", 1, bytes(32), "I1", "dealer", 5, 6, e.HoldReleased("H1"))

"""Framing: every body comes out as it went in, and everything else is refused with its reason."""

import pytest

from ingest.log import MAX_BODY
from ingest.parse import framing
from schemas import avro, contract, lock
from schemas.shape import Refused

BODY = b"the body"
FRAMED = framing.frame(BODY, avro.FINGERPRINT)


def test_the_header_is_avros_single_object_header() -> None:
    """The fingerprint of "int" is 7275d51a3f395c8f in Avro's own tests; it travels backwards."""
    fingerprint = contract.fingerprint({"type": "int"})

    framed = framing.frame(b"\x02", fingerprint)

    assert framed == b"\xc3\x01" + (0x7275D51A3F395C8F).to_bytes(8, "little") + b"\x02"


@pytest.mark.parametrize("version", lock.installed().versions, ids=lambda each: str(each.number))
def test_what_is_framed_comes_out_again(version: lock.Version) -> None:
    for fingerprint in version[1:]:
        assert framing.unframe(framing.frame(BODY, fingerprint)) == (fingerprint, BODY)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        pytest.param(b"", "empty", id="nothing at all"),
        pytest.param(b"\xc3", "truncated", id="half a marker"),
        pytest.param(FRAMED[:9], "truncated", id="half a fingerprint"),
        pytest.param(b'{"table_id": "T12"}', "not_framed", id="JSON"),
        pytest.param(b"\x00\x00\x00\x00\x07" + BODY, "not_framed", id="the other framing"),
        pytest.param(b"\xc3\x02" + FRAMED[2:], "not_framed", id="a later version of the marker"),
        pytest.param(b"Obj\x01" + FRAMED, "not_framed", id="a container"),
        pytest.param(framing.frame(BODY, "00" * 8), "unknown_schema", id="a foreign schema"),
        pytest.param(
            framing.frame(BODY, bytes.fromhex(avro.FINGERPRINT)[::-1].hex()),
            "unknown_schema",
            id="a fingerprint the wrong way round",
        ),
        pytest.param(
            framing.frame(bytes(MAX_BODY + 1), avro.FINGERPRINT), "too_large", id="too long"
        ),
    ],
)
def test_what_is_not_framed_is_refused(value: bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        framing.unframe(value)

    assert refused.value.code == code


def test_the_longest_body_passes() -> None:
    framed = framing.frame(bytes(MAX_BODY), avro.FINGERPRINT)

    assert len(framing.unframe(framed)[1]) == MAX_BODY

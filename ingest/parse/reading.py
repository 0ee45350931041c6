"""One message: bytes to a reading, or a refusal with its reason code.

Size, depth and schema are checked before anything is decoded. We decode only with our own schemas;
a message may only name which of them it was written with.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from typing import Any, NoReturn

from ingest.order import ALARMS, GATEWAY
from ingest.parse import framing
from schemas import bounds, codec, contract, history, lock, shape, speakers
from schemas.avro import READING
from schemas.events import Reading
from schemas.shape import Refused

MAX_MESSAGE = 1024 * 1024  # bytes
MAX_DEPTH = 16  # a reading needs five
MAX_SCHEMA = 256 * 1024  # bytes of a container's schema; ours has 30 KiB
CURRENT = contract.fingerprint(READING)

_BLANK = " \t\r\n"
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


def json_reading(message: bytes) -> Reading:
    """The reading that one JSON object describes."""
    value = json_value(json_text(message))
    return from_device(shape.reading(value))


def json_text(message: bytes) -> str:
    """A message as text that is safe to parse: not empty, too long or nested too deep."""
    if len(message) > MAX_MESSAGE:
        _refuse("too_large", f"at most {MAX_MESSAGE} bytes", str(len(message)))
    try:
        text = message.decode().strip(_BLANK)
    except UnicodeDecodeError as error:
        _refuse("not_utf8", "UTF-8", f"byte {message[error.start]:#04x} at {error.start}")
    if not text:
        _refuse("empty", "a reading", "nothing")
    if text.count("{") + text.count("[") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        _refuse("too_deep", f"at most {MAX_DEPTH} levels", "more")
    return text


def json_value(text: str) -> Any:
    """The one value a text holds."""
    value, end = parsed(text, 0)
    if text[end:].strip(_BLANK):
        _refuse("trailing_bytes", f"{end} characters", str(len(text)))
    return value


def parsed(text: str, at: int) -> tuple[Any, int]:
    """The value that starts at a character, and the character after it."""
    try:
        value, end = _JSON.raw_decode(text, at)
    except json.JSONDecodeError as error:
        _refuse("not_json", "JSON", f"{error.msg} at {error.pos}")
    except Refused:
        raise
    except ValueError:  # Python limits the digits of a number
        _refuse("bad_value", "a number of at most 4300 digits", "a longer one")
    if "\\u" in text[at:end] and _has_lone_surrogate(value):
        _refuse("not_utf8", "text", "half a character")
    return value, end


def skip_blank(text: str, at: int) -> int:
    """The index of the next character that is not blank."""
    end = len(text)
    while at < end and text[at] in _BLANK:
        at += 1
    return at


def single_object(message: bytes) -> Reading:
    """The reading that a device sent as an Avro single object."""
    return from_device(stored_reading(message))


def stored_reading(message: bytes) -> Reading:
    """The reading in an Avro single object that a gateway once accepted and stored."""
    if len(message) > MAX_MESSAGE:
        _refuse("too_large", f"at most {MAX_MESSAGE} bytes", str(len(message)))
    if not message:
        _refuse("empty", "a reading", "nothing")
    fingerprint, body = framing.split(message, "reading", not_framed="not_avro")
    written_with, stream = known(fingerprint), BytesIO(body)
    raw = avro_raw(stream, written_with)
    if stream.tell() != len(body):
        _refuse("trailing_bytes", f"{stream.tell()} bytes", str(len(body)))
    return _checked(raw, written_with)


def frame_reading(reading: Reading) -> bytes:
    """A reading as an Avro single object."""
    return framing.frame(codec.encode_reading(reading), CURRENT)


def avro_raw(stream: BytesIO, written_with: str) -> dict[str, Any]:
    """The next reading of a stream in its writer's schema; its fields are not checked yet."""
    schema = READING if written_with == CURRENT else lock.known(written_with)
    try:
        return codec.read(stream, schema)
    except codec.UNREADABLE as error:
        _refuse("not_avro", "a Reading in Avro", str(error)[:60] or type(error).__name__)


def avro_checked(raw: dict[str, Any], written_with: str) -> Reading:
    """A decoded reading, lifted to today's schema and checked in every field."""
    return from_device(_checked(raw, written_with))


@lru_cache(maxsize=64)
def writer(schema_text: bytes) -> str:
    """The fingerprint of a container's schema; Refused unless it is one of ours."""
    if len(schema_text) > MAX_SCHEMA:
        _refuse("too_large", f"a schema of at most {MAX_SCHEMA} bytes", str(len(schema_text)))
    json_text(schema_text)
    return known(lock.writer(schema_text) or "no schema")


def known(written_with: str) -> str:
    """The fingerprint; Refused unless it is that of a Reading in schemas.lock."""
    readings = {version.reading for version in lock.installed().versions} | {CURRENT}
    if written_with not in readings:
        wanted = ", ".join(sorted(readings))
        _refuse("unknown_schema", f"a Reading with fingerprint {wanted}", written_with)
    return written_with


def from_device(reading: Reading) -> Reading:
    """The reading; Refused where its values are out of bounds or no device of its kind sends it."""
    named = GATEWAY in (reading.device_id, reading.device_kind)
    if named or isinstance(reading.payload, ALARMS):
        _refuse("reserved", "a device's own reading", "the gateway's words")
    return speakers.must_be_its_own(bounds.must_hold(reading))


def _checked(raw: dict[str, Any], written_with: str) -> Reading:
    if written_with == CURRENT:
        return codec.checked_reading(raw)
    return history.reading_as(written_with, raw)


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _brackets(text):
        depth += 1 if bracket in "{[" else -1
        deepest = max(deepest, depth)
    return deepest


def _brackets(text: str) -> Iterator[str]:
    return (found for found in _STRING.sub("", text) if found in "{}[]")


def _has_lone_surrogate(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        _refuse("duplicate_key", "each key once", f"{len(pairs)} entries of {len(made)} keys")
    return made


def _no_number(word: str) -> NoReturn:
    _refuse("bad_value", "a number", word)


def _refuse(code: str, expected: str, found: str) -> NoReturn:
    raise Refused(code, "reading", expected, found)


_JSON = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)

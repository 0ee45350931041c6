"""Batches and files of messages: every form gives the same readings, and a bad one costs itself."""

from collections.abc import Iterator
from io import BytesIO

import fastavro
import pytest

from ingest.parse import batch as parse_batch
from ingest.parse import reading as parse_reading
from ingest.parse.batch import Unread
from ingest.parse.reading import MAX_MESSAGE
from schemas import codec, contract, lock
from tests.support.readings import container, json_line, reading, talk

WHOLE = container(list(talk(20)), sync_interval=200)


def forms() -> Iterator[tuple[str, bytes]]:
    sent = list(talk(20))
    yield "lines", b"".join(map(json_line, sent))
    yield "lines with blank ones", b"\n\r\n".join(map(json_line, sent))
    yield "array", b" [" + b" ,\n".join(map(json_line, sent)) + b"]\n"
    yield "container", container(sent)
    yield "container of small blocks", container(sent, sync_interval=1)


@pytest.mark.parametrize(("form", "body"), list(forms()), ids=[form for form, _ in forms()])
def test_every_form_gives_the_same_readings(form: str, body: bytes) -> None:
    assert list(parse_batch.batch(body)) == list(talk(20)), form


def test_a_single_object_is_a_batch_of_one() -> None:
    assert list(parse_batch.batch(parse_reading.frame_reading(reading(0)))) == [reading(0)]
    assert list(parse_batch.batch(b"[]")) == []


def test_a_bad_element_leaves_the_others_alone() -> None:
    body = b'["\xc3\xa9", ' + json_line(reading(0)) + b', 7, {"a": 1}]'

    found = list(parse_batch.batch(body))

    assert found[1] == reading(0)
    unread = [each for each in found if isinstance(each, Unread)]
    assert [each.body for each in unread] == [b'"\xc3\xa9"', b"7", b'{"a": 1}']
    assert [body[each.position :][: each.size] for each in unread] == [each.body for each in unread]


def test_after_a_broken_array_the_rest_is_kept() -> None:
    found = list(parse_batch.batch(b"[" + json_line(reading(0)) + b", {], 5]"))

    assert found[0] == reading(0)
    assert isinstance(found[1], Unread)
    assert found[1].body == b"{], 5]"


def test_a_broken_block_costs_only_itself() -> None:
    starts = [at for at in range(len(WHOLE)) if WHOLE.startswith(WHOLE[-16:], at)]
    header, first, second = (at + 16 for at in starts[:3])
    broken = WHOLE[:first] + b"\xff" * 12 + WHOLE[first + 12 :]

    found = list(parse_batch.batch(broken))

    lost = [each for each in found if isinstance(each, Unread)]
    assert [(each.position, each.size) for each in lost] == [(first, second - first)]
    assert lost[0].body == broken[first:second]
    before = len(list(parse_batch.batch(WHOLE[:first])))
    assert header < first
    assert found[:before] == list(talk(20))[:before]
    assert found[-1] == list(talk(20))[-1]


def test_a_line_over_the_limit_is_skipped_whole() -> None:
    long = b"x" * (MAX_MESSAGE * 5)

    found = list(parse_batch.lines(BytesIO(long + b"\n" + json_line(reading(0)))))

    assert isinstance(found[0], Unread)
    assert (found[0].why.code, found[0].size, len(found[0].body)) == (
        "too_large",
        len(long) + 1,
        MAX_MESSAGE,
    )
    assert found[1:] == [reading(0)]


def test_a_reading_of_an_older_contract_is_lifted() -> None:
    oldest = lock.installed().versions[0]
    schema = fastavro.parse_schema(
        contract.whole("Reading", lock.installed().records(oldest.number))
    )
    old = {k: v for k, v in codec.to_json(reading(0)).items() if k != "payload"}
    stream = BytesIO()
    payload = ("roundproof.CardDrawn", {"position": 1, "hand": "player", "card": "9H"})
    fastavro.writer(stream, schema, [{**old, "payload": payload}])

    assert list(parse_batch.batch(stream.getvalue())) == [reading(0)]

"""The lock knows every writer there ever was."""

from copy import deepcopy

import pytest

from schemas import avro, contract, lock

LOCK = lock.installed()


def test_the_working_contract_is_locked() -> None:
    """Where this fails: `roundproof schemas check --write`."""
    assert lock.grown(LOCK, avro.RECORDS) == LOCK


def test_the_newest_version_is_what_the_house_writes() -> None:
    newest = LOCK.versions[-1]

    assert newest.event == avro.FINGERPRINT
    assert lock.known(newest.event) == avro.EVENT
    assert lock.known(newest.reading) == avro.READING
    assert LOCK.records(newest.number) == avro.RECORDS


@pytest.mark.parametrize("version", LOCK.versions, ids=lambda version: str(version.number))
def test_every_version_spells_out_the_schemas_it_names(version: lock.Version) -> None:
    records = LOCK.records(version.number)

    assert contract.fingerprint(contract.whole("Event", records)) == version.event
    assert contract.fingerprint(contract.whole("Reading", records)) == version.reading
    assert lock.version_of(version.event) == lock.version_of(version.reading) == version.number


@pytest.mark.parametrize("entry", LOCK.frozen, ids=lambda entry: f"{entry.name}-{entry.version}")
def test_every_frozen_record_has_its_own_fingerprints(entry: lock.Frozen) -> None:
    records = LOCK.records(entry.version)

    assert lock.frozen(entry.name, entry.version, records) == entry


def test_a_stranger_is_not_known() -> None:
    assert lock.known("0123456789abcdef") is None
    assert lock.version_of("0123456789abcdef") is None


def test_a_lock_reads_back_as_it_was_written() -> None:
    assert lock.read(lock.dump(LOCK)) == LOCK


def test_the_first_lock_is_version_one() -> None:
    first = lock.grown(lock.Lock((), ()), avro.RECORDS)

    assert first.newest == 1
    assert first.records(1) == avro.RECORDS


def test_a_doc_line_is_taken_up_without_a_new_version() -> None:
    records = deepcopy(avro.RECORDS)
    records["ShakerStopped"]["doc"] = "The shaker stood still."

    now = lock.grown(LOCK, records)

    assert now.versions == LOCK.versions
    assert now.records(now.newest) == records
    assert lock.grown(now, records) == now


def test_a_new_field_makes_a_new_version_and_leaves_the_old_ones_known() -> None:
    records = deepcopy(avro.RECORDS)
    added = {"name": "lid", "type": "boolean", "doc": "Whether a lid was on.", "default": True}
    records["ShakerStopped"]["fields"].append(added)

    now = lock.grown(LOCK, records)

    assert now.versions[:-1] == LOCK.versions
    assert now.records(LOCK.newest) == avro.RECORDS
    assert {f.name for f in now.frozen if f.version == now.newest} == {
        "Event",
        "Reading",
        "ShakerStopped",
    }


@pytest.mark.parametrize(
    "text",
    ["", "null", "7", "{}", '"strng"', '{"type": "record"}', '{"type": ["x"]}', "[" * 9000],
)
def test_a_header_that_holds_no_schema_has_no_writer(text: str) -> None:
    assert lock.writer(text.encode()) is None


def test_a_header_without_doc_lines_names_the_same_writer() -> None:
    bare = contract.whole("Event", avro.RECORDS) | {"doc": "Something else."}

    assert contract.fingerprint(bare) == avro.FINGERPRINT

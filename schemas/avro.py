"""The Avro contract of today: every record by name, both envelopes parsed for fastavro."""

from importlib.resources import files

import fastavro

from schemas import contract

NAMESPACE = contract.NAMESPACE

RECORDS = contract.load(files("schemas") / "avsc")
PAYLOADS = tuple(
    branch.removeprefix(NAMESPACE)
    for field in RECORDS["Event"]["fields"]
    if field["name"] == "payload"
    for branch in field["type"]
)
EVENT = fastavro.parse_schema(contract.whole("Event", RECORDS))
READING = fastavro.parse_schema(contract.whole("Reading", RECORDS))
FINGERPRINT = contract.fingerprint(EVENT)

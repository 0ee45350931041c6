"""Opens the commitments of a party's edition with the full edition of the same record.

Both packs are verified first, each by itself. Then every withheld field is looked up in the full
edition and committed to again: the party sees that nobody could have hidden something else there.
"""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit.evidence.redaction import commitment
from audit.evidence.verify import PARSED, Pack, PackRefused, need, read_records

EVENTS, CONTEXT = "8.4.6-surveillance/events", "8.4.6-surveillance/context"
STEPS, SETTLEMENT = "decision/case", "derivation/settlement.json"
SAME = ("subject", "span", "round_digest")  # what both manifests say of the record
Row = dict[str, Any]


def opened(party: Path, full: Path, key: str = "") -> int:
    """How many commitments of a party's edition the full edition opens; PackRefused if one fails.

    Whatever else raises on hostile bytes has been refused by then.
    """
    hidden, whole = (_verified(path, key) for path in (party, full))
    need(whole.manifest["edition"] == "full", f"{full}: a full edition expected")
    need(hidden.manifest["edition"] == "party", f"{party}: the edition for a party expected")
    for name in SAME:
        fits = hidden.manifest[name] == whole.manifest[name]
        need(fits, f"manifest.json: both editions of one record expected, {name} differs")
    fits = hidden.files["proof/leaves.txt"] == whole.files["proof/leaves.txt"]
    need(fits, "proof/leaves.txt: the same events in both editions expected")
    return sum(1 for _ in _opened(hidden, whole))


def _verified(path: Path, key: str) -> Pack:
    pack = Pack(str(path))
    try:
        pack.verify(Namespace(key=key, witness=[]))
    except PackRefused as error:
        code, what = error.args
        raise PackRefused(code, f"{path}: {what}") from error
    return pack


def _opened(hidden: Pack, whole: Pack) -> Iterator[str]:
    """Every commitment of the party's edition, as it opens."""
    for path, number, part in ((EVENTS, "seq", "payload"), (CONTEXT, "seq", "payload"),
                               (STEPS, "number", "step")):  # fmt: skip
        if f"{path}.jsonl" not in hidden.files:
            continue
        known = {row[number]: (row, body) for row, body in read_records(whole, path)}
        for row in map(PARSED.decode, hidden.lines(f"{path}.jsonl")):
            if "withheld" in row:
                where = f"{path}.jsonl: {number} {row[number]}"
                yield from _fields(row[part], *known[row[number]], part, where)
    yield from _wagers(hidden, whole)


def _fields(shown: Row, row: Row, body: bytes, part: str, where: str) -> Iterator[str]:
    need(shown.keys() == row[part].keys(), f"{where}: other fields than the full edition has")
    for name, value in shown.items():
        if isinstance(value, dict) and "commitment" in value:
            made = commitment(body, f"{part}.{name}", row[part][name])
            need(made == value["commitment"], f"{where}: {name} opens to something else")
            yield name
        else:
            need(value == row[part][name], f"{where}: {name} is another one in the full edition")


def _wagers(hidden: Pack, whole: Pack) -> Iterator[str]:
    rows = {row["wager"]: row for row in PARSED.decode(whole.text(SETTLEMENT))["wagers"]}
    for row in PARSED.decode(hidden.text(SETTLEMENT))["withheld"]:
        made = commitment(whole.shown[row["seq"]], "settlement", rows[row["wager"]])
        fits = made == row["commitment"]
        need(fits, f"{SETTLEMENT}: wager {row['wager']} opens to something else")
        yield str(row["wager"])

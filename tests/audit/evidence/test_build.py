"""A pack holds the whole record of a round, the same each time, and hides others from a party."""

import hashlib
import io
import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import fastavro
import pytest

from audit.evidence import redaction
from audit.evidence.build import BuiltPack
from audit.evidence.gather import gather
from ingest.local.log import LocalLog
from ingest.seal.proof import NotSealed
from replay.locate import locate
from tests.support import houses, packs, sealed_houses

ROUND = "T1-20260301-0003"
SURVEILLANCE = "8.4.6-surveillance"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packs.sealed_house(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def full(home: Path) -> BuiltPack:
    return packs.packed(home, ROUND, languages=packs.LANGUAGES)


@pytest.fixture(scope="module")
def party(home: Path) -> str:
    return locate(home, ROUND).judged.dues[0].player_id


@pytest.fixture(scope="module")
def for_party(home: Path, party: str) -> BuiltPack:
    return packs.packed(home, ROUND, party, packs.LANGUAGES)


def test_a_pack_is_the_same_each_time(home: Path, full: BuiltPack) -> None:
    again = packs.packed(home, ROUND, languages=packs.LANGUAGES)

    assert again.body == full.body
    assert packs.files(full.body) == dict(full.files)


def test_a_later_event_and_a_later_seal_change_nothing(tmp_path: Path) -> None:
    home = packs.sealed_house(tmp_path)
    before = packs.packed(home, ROUND)
    sealed_houses.grown(home, "T2", 5)
    sealed_houses.seal(home)

    assert packs.packed(home, ROUND).body == before.body


def test_the_manifest_names_every_file_with_its_hash(full: BuiltPack) -> None:
    manifest = json.loads(full.files["manifest.json"])
    listed = {
        name: {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
        for name, body in full.files.items()
        if name not in ("manifest.json", "manifest.sig")
    }

    assert manifest["files"] == listed
    assert manifest["pack"] == full.pack_id
    assert manifest["edition"] == "full"
    assert {item["what"] for item in manifest["missing"]} >= {"case", "camera_frames"}
    assert len(full.files["manifest.sig"]) == 64


def test_the_events_are_those_of_the_log_and_none_is_missing(home: Path, full: BuiltPack) -> None:
    span = json.loads(full.files["manifest.json"])["span"]
    records = LocalLog(home / "log").read("events", "T1", span["start"])
    expected = [record.body for record in islice(records, span["end"] - span["start"])]
    reader: Any = fastavro.reader(io.BytesIO(full.files[f"{SURVEILLANCE}/events.avro"]))
    decoded = list(reader)
    rows = packs.lines(full.files[f"{SURVEILLANCE}/events.jsonl"])

    assert [event["seq"] for event in decoded] == list(range(span["start"], span["end"]))
    assert [row["seq"] for row in rows] == list(range(span["start"], span["end"]))
    assert [row["event_id"] for row in rows] == [event["event_id"] for event in decoded]
    leaves = full.files["proof/leaves.txt"].decode().split()
    assert leaves == [hashlib.sha256(b"\0" + body).hexdigest() for body in expected]
    rounds = {row["round_id"] for row in rows if row["round_id"]}
    assert rounds == {"T1-20260301-0002", ROUND, "T1-20260301-0004"}


def test_the_settlement_is_what_the_rules_owe(home: Path, full: BuiltPack) -> None:
    judged = locate(home, ROUND).judged
    settlement = json.loads(full.files["derivation/settlement.json"])

    assert {row["wager"]: row["due"]["paid"] for row in settlement["wagers"]} == {
        due.wager_id: str(due.paid) for due in judged.dues
    }
    assert set(settlement["facts"]) == set(judged.ruled.facts)
    bets = {line["bet"] for line in settlement["lines"]}
    assert bets == {due.bet for due in judged.dues}


def test_certificates_name_devices_clocks_and_both_runs(full: BuiltPack) -> None:
    coverage = json.loads(full.files[f"{SURVEILLANCE}/coverage.json"])
    clocks = json.loads(full.files[f"{SURVEILLANCE}/clocks.json"])
    process = json.loads(full.files["process/process.json"])

    assert coverage["complete"]
    assert {device["kind"] for device in coverage["devices"]} >= {"console", "shoe", "camera"}
    assert all(device["err_ms"] > 0 for device in clocks["devices"])
    assert process["run_sha256"] == process["second_run_sha256"]
    assert process["runs_agree"]


def test_no_file_for_a_party_names_another_player_or_his_stake(
    home: Path, party: str, for_party: BuiltPack
) -> None:
    judged = locate(home, ROUND).judged
    others = {due.player_id for due in judged.dues if due.player_id != party}
    own = {due.stake for due in judged.dues if due.player_id == party}
    stakes = {due.stake for due in judged.dues if due.player_id in others} - own
    assert others
    assert stakes

    for name, body in for_party.files.items():
        text = body.decode("latin-1")
        for other in others:
            assert not re.search(rf"{other}(?!\d)", text), name
        for stake in stakes:
            assert str(stake) not in text, name
            assert f"{stake:,}" not in text, name


def test_a_party_sees_her_own_wager_with_its_proof(
    home: Path, party: str, for_party: BuiltPack
) -> None:
    rows = packs.lines(for_party.files[f"{SURVEILLANCE}/events.jsonl"])
    own = [row for row in rows if row["payload"].get("player_id") == party]
    placed = [row for row in own if row["payload"]["type"] == "WagerPlaced"]
    manifest = json.loads(for_party.files["manifest.json"])
    mine = [due for due in locate(home, ROUND).judged.dues if due.player_id == party]

    assert {row["payload"]["wager_id"] for row in placed} >= {due.wager_id for due in mine}
    assert manifest["counts"]["withheld"] == sum("withheld" in row for row in rows) > 0
    assert manifest["edition"] == "party"
    settlement = json.loads(for_party.files["derivation/settlement.json"])
    assert {row["wager"] for row in settlement["wagers"]} == {due.wager_id for due in mine}


def test_both_editions_have_one_root_and_the_same_leaves(
    full: BuiltPack, for_party: BuiltPack
) -> None:
    for name in ("proof/checkpoint", "proof/leaves.txt", "proof/events.lane-proof"):
        assert full.files[name] == for_party.files[name]


def test_the_full_edition_opens_every_commitment(
    home: Path, full: BuiltPack, for_party: BuiltPack
) -> None:
    start = json.loads(full.files["manifest.json"])["span"]["start"]
    bodies = [record.body for record in LocalLog(home / "log").read("events", "T1")]
    whole = packs.lines(full.files[f"{SURVEILLANCE}/events.jsonl"])
    opened = 0
    for row in packs.lines(for_party.files[f"{SURVEILLANCE}/events.jsonl"]):
        for field, value in row["payload"].items() if "withheld" in row else ():
            shown = whole[row["seq"] - start]["payload"][field]
            if isinstance(value, dict) and "commitment" in value:
                made = redaction.commitment(bodies[row["seq"]], f"payload.{field}", shown)
                assert made == value["commitment"]
                opened += 1
            else:
                assert value == shown
    settlement = json.loads(full.files["derivation/settlement.json"])
    rows = {row["wager"]: row for row in settlement["wagers"]}
    for hidden in json.loads(for_party.files["derivation/settlement.json"])["withheld"]:
        made = redaction.commitment(bodies[hidden["seq"]], "settlement", rows[hidden["wager"]])
        assert made == hidden["commitment"]
        opened += 1

    assert opened > 10


def test_an_unsealed_round_is_not_packed(tmp_path: Path) -> None:
    home = houses.simulated(tmp_path, 4)
    sealed_houses.key_made(home)

    with pytest.raises(NotSealed):
        gather(home, "T1-20260301-0002")

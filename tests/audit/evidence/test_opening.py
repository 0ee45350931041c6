"""The full edition opens what a party's edition withholds, and nothing else does."""

import json
from pathlib import Path

import pytest

from audit.evidence import opening
from audit.evidence.verify import PackRefused
from tests.audit.evidence.test_pack_attacks import signed_by
from tests.support import packs
from tests.support.command_line import called
from tests.support.disputed_games import disputed_house

EVENTS, SETTLEMENT = "8.4.6-surveillance/events.jsonl", "derivation/settlement.json"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with a dispute, and both editions of its pack beside it."""
    home = tmp_path_factory.mktemp("house")
    case = disputed_house(home, ("TB",))["TB"]
    for name, party in (("full", ""), ("party", case.raised.player_id)):
        (home / f"{name}.zip").write_bytes(packs.packed(home, case.case_id, party).body)
    return home


def test_every_commitment_opens(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    party, full = home / "party.zip", home / "full.zip"
    text = "".join(body.decode("latin-1") for body in packs.files(party.read_bytes()).values())
    committed = text.count('"commitment":')

    assert committed > 10
    assert opening.opened(party, full) == committed
    words = ("pack", "verify", str(party), "--opens", str(full), "--home", str(home))
    assert called(*words) == 0
    assert f"opens all {committed} commitments" in capsys.readouterr().out


def test_a_withheld_value_that_opens_to_something_else_is_named(home: Path, tmp_path: Path) -> None:
    from audit.house import seal

    files = packs.files((home / "party.zip").read_bytes())
    rows = packs.lines(files[EVENTS])
    row = next(row for row in rows if "withheld" in row)
    name = next(name for name, value in row["payload"].items() if isinstance(value, dict))
    row["payload"][name]["commitment"] = "0" * 64
    lines = b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)
    (tmp_path / "party.zip").write_bytes(signed_by(seal.signing_key(home), files | {EVENTS: lines}))

    with pytest.raises(PackRefused, match=f"seq {row['seq']}: {name} opens to something else"):
        opening.opened(tmp_path / "party.zip", home / "full.zip")


def test_a_wager_that_opens_to_something_else_is_named(home: Path, tmp_path: Path) -> None:
    from audit.house import seal

    files = packs.files((home / "party.zip").read_bytes())
    book = json.loads(files[SETTLEMENT])
    book["withheld"][0]["commitment"] = "0" * 64
    spoilt = files | {SETTLEMENT: json.dumps(book).encode()}
    (tmp_path / "party.zip").write_bytes(signed_by(seal.signing_key(home), spoilt))
    wager = book["withheld"][0]["wager"]

    with pytest.raises(PackRefused, match=f"wager {wager} opens to something else"):
        opening.opened(tmp_path / "party.zip", home / "full.zip")


def test_only_both_editions_of_one_record_fit(home: Path, tmp_path: Path) -> None:
    full, party = home / "full.zip", home / "party.zip"
    other = tmp_path / "other.zip"
    other.write_bytes(packs.packed(home, "T01-20260301-0002").body)

    with pytest.raises(PackRefused, match="the edition for a party expected"):
        opening.opened(full, full)
    with pytest.raises(PackRefused, match="a full edition expected"):
        opening.opened(party, party)
    with pytest.raises(PackRefused, match="both editions of one record expected, subject differs"):
        opening.opened(party, other)
    assert called("pack", "verify", str(party), "--opens", str(other), "--home", str(home)) == 4

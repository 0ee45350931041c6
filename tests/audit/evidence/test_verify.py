"""The pack's own verifier: it accepts what the house signed, and names whatever was altered."""

import ast
import hashlib
import io
import json
import random
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from audit.evidence import verify
from audit.evidence.canonical_zip import zipped
from audit.house import seal as house_seal
from ingest.seal import keys
from ingest.seal.note import SIGNS, PublicKey
from tests.support import houses, packs, sealed_houses

ROUND = "T1-20260301-0003"
VERIFY = Path(verify.__file__)
SETTLEMENT, EVENTS = "derivation/settlement.json", "8.4.6-surveillance/events"
END = struct.Struct("<4s4H2IH")
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that was sealed twice."""
    home = packs.sealed_house(tmp_path_factory.mktemp("house"))
    sealed_houses.grown(home, "T1", 3)
    sealed_houses.seal(home)
    return home


@pytest.fixture(scope="module")
def body(home: Path) -> bytes:
    """A pack of it."""
    return packs.packed(home, ROUND).body


@pytest.fixture
def files(body: bytes) -> Files:
    """The pack's files, to be spoilt."""
    return packs.files(body)


Verifier = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verifier:
    """Verify the bytes of a pack: the exit code, and what was printed."""

    def verified(pack: bytes, *words: str) -> tuple[int, str]:
        path = tmp_path / "pack.zip"
        path.write_bytes(pack)
        return verify.main([str(path), *words]), capsys.readouterr().out

    return verified


def signed_anew(home: Path, files: Mapping[str, bytes]) -> bytes:
    """The pack that the house itself would make of other files."""
    key = house_seal.signing_key(home)
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
        for name, content in files.items()
        if not name.startswith("manifest.")
    }
    said = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return zipped({**files, "manifest.json": said, "manifest.sig": key.signature(said)})


def vkey(home: Path) -> str:
    return house_seal.signing_key(home).public.vkey


def test_a_pack_verifies_itself_with_plain_python(home: Path, body: bytes, tmp_path: Path) -> None:
    path, verifier = tmp_path / "pack.zip", tmp_path / "verify.py"
    path.write_bytes(body)
    verifier.write_bytes(packs.files(body)["verify.py"])

    done = subprocess.run(
        [sys.executable, "-I", str(verifier), str(path), "--key", vkey(home)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("VERIFIED: rp-")
    for said in ("signed the manifest", "are all there, in their order", "the sums of"):
        assert said in done.stdout
    assert "that cameras, devices and people recorded what truly happened" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pack.zip", "verify.py"]


def test_the_verifier_is_one_short_file_of_the_standard_library() -> None:
    text = VERIFY.read_text("utf-8")
    named = {line.split()[1] for line in text.split("\n") if line.startswith(("import ", "from "))}

    assert ast.parse(text, feature_version=(3, 9))
    assert len(text.split("\n")) - 1 < 700
    assert named <= sys.stdlib_module_names


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13", "3.14"])
def test_every_python_from_3_9_on_verifies(version: str, body: bytes, tmp_path: Path) -> None:
    python = _interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    (tmp_path / "pack.zip").write_bytes(body)

    done = subprocess.run(
        [python, "-I", "-W", "error", str(VERIFY), str(tmp_path / "pack.zip")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def _interpreter(version: str) -> str | None:
    """A Python of this version that starts; pyenv has names for more than it can start."""
    known = [*Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    for python in (*map(str, known), shutil.which(f"python{version}")):
        if python and subprocess.run([python, "-c", ""], check=False).returncode == 0:
            return python
    return None


@pytest.mark.parametrize("game", ["TB", "SA-RO", "NN"])
def test_packs_of_games_verify_in_both_editions(tmp_path: Path, run: Verifier, game: str) -> None:
    home = packs.sealed_house(tmp_path / "house", game)
    full = packs.packed(home, ROUND)
    settled = json.loads(full.files[SETTLEMENT])
    party = settled["wagers"][0]["player"]

    assert run(full.body)[0] == 0
    code, said = run(packs.packed(home, ROUND, party).body)
    assert code == 0, said
    assert "withheld events say; the full edition opens them" in said


def test_a_later_checkpoint_extends_the_earlier(tmp_path: Path, run: Verifier) -> None:
    home = sealed_houses.sealed_in_steps(tmp_path / "house", "T9", [5])
    houses.simulated(home, 6)
    sealed_houses.seal(home)

    pack = packs.packed(home, ROUND)
    code, said = run(pack.body)

    assert code == 0
    assert "extends 1: the log only grew" in said
    files = dict(pack.files)
    for name, other in (
        ("proof/consistency", files["proof/consistency"].replace(b"old 1", b"old 2")),
        ("proof/older-checkpoint", files["proof/checkpoint"]),
    ):
        assert run(signed_anew(home, {**files, name: other}))[0] == 4


def test_a_witness_and_its_time_are_named(tmp_path: Path, run: Verifier) -> None:
    from ingest.seal.witness import Witness

    home = packs.sealed_house(tmp_path / "house")
    key = keys.create(tmp_path / "w", keys.WITNESS, "auditor.example/witness")
    keys.trust(home / "keys", key.public)
    witness = Witness(tmp_path / "w" / "witness", key, keys.public_keys(home / "keys"))
    before = packs.packed(home, ROUND).body
    house_seal.cosign_now(home, lambda said: witness.add_checkpoint(said.encode(), 77), 1)

    code, said = run(packs.packed(home, ROUND).body, "--witness", key.public.vkey)

    assert code == 0
    assert f"{key.public.vkey} cosigned it at POSIX time 77\n" in said
    assert run(before, "--witness", key.public.vkey)[0] == 2


def test_a_rotated_key_leads_to_the_first(tmp_path: Path, run: Verifier) -> None:
    home = packs.sealed_house(tmp_path / "house")
    first = vkey(home)
    keys.rotate(home / "keys", keys.HOUSE)
    keys.rotate(home / "keys", keys.HOUSE)

    pack = packs.packed(home, ROUND).body

    assert run(pack, "--key", first)[0] == 0
    assert run(pack, "--key", vkey(home))[0] == 0


def test_another_key_than_the_pinned_one_is_refused(home: Path, run: Verifier, body: bytes) -> None:
    other = PublicKey("hoiana.example/log", SIGNS, bytes(range(32)))

    code, said = run(body, "--key", other.vkey)

    assert code == 4
    assert f"signed by {vkey(home)}, not by the key you gave" in said


def test_every_file_with_a_flipped_bit_is_named(run: Verifier, files: Files) -> None:
    choose = random.Random(7)
    for name, content in files.items():
        if content:
            at = choose.randrange(len(content))
            changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]

            code, said = run(zipped({**files, name: changed}))

            assert code == 4, name
            assert name in said or name.startswith("manifest."), said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda f: f.pop("report.pdf", None) or f.pop(SETTLEMENT),
            f"{SETTLEMENT}: the manifest lists",
        ),
        (lambda f: f.update(extra=b"x"), "extra: the manifest does not list it"),
        (
            lambda f: f.update({"a.json": f.pop(SETTLEMENT)}),
            "a.json: the manifest does not list it",
        ),
        (lambda f: f.pop("key.pem"), "key.pem: a file of this name expected"),
        (lambda f: f.pop("manifest.sig"), "manifest.sig: a signature expected"),
        (lambda f: f.pop("manifest.json"), "manifest.json: a file of this name expected"),
        (lambda f: f.update({"manifest.sig": bytes(64)}), "manifest.sig: it does not sign"),
    ],
)
def test_files_that_were_removed_added_or_renamed(
    run: Verifier, files: Files, change: Callable[[Files], Any], said: str
) -> None:
    change(files)

    code, told = run(zipped(files))

    assert code == (2 if "expected" in said and "manifest does" not in said else 4)
    assert said in told


def test_two_swapped_files_are_named(run: Verifier, files: Files) -> None:
    one, two = SETTLEMENT, "derivation/derivation.json"
    files[one], files[two] = files[two], files[one]

    assert "derivation/derivation.json: another content than" in run(zipped(files))[1]


def test_what_the_house_signs_again_must_still_be_what_it_sealed(
    home: Path, run: Verifier, files: Files
) -> None:
    avro, rows = files[f"{EVENTS}.avro"], files[f"{EVENTS}.jsonl"]
    lane, head, note = (
        files[f"proof/{name}"] for name in ("events.lane-proof", "events.tlog-proof", "checkpoint")
    )
    spoilt = avro[:-40] + bytes([avro[-40] ^ 1]) + avro[-39:]
    leaves = b"0" * 64 + files["proof/leaves.txt"][64:]
    changes = {
        "an event's bytes": (f"{EVENTS}.avro", spoilt, "event"),
        "a line": (f"{EVENTS}.jsonl", rows.replace(b'"err_ms":', b'"err_ms":1'), "does not say"),
        "a line less": (f"{EVENTS}.jsonl", rows[rows.index(b"\n") + 1 :], "a line for each event"),
        "a hash": ("proof/leaves.txt", leaves, "has another hash"),
        "a span": ("proof/events.lane-proof", lane.replace(b"span ", b"span 1"), "span"),
        "a head": ("proof/events.tlog-proof", head.replace(b"index ", b"index 1"), "tlog-proof"),
        "a checkpoint": ("proof/checkpoint", note.replace(b"log\n", b"loh\n", 1), "checkpoint"),
    }
    for what, (name, content, said) in changes.items():
        assert content != files[name], what

        code, told = run(signed_anew(home, {**files, name: content}))

        assert code == 4, what
        assert said in told, (what, told)
    assert run(signed_anew(home, files))[0] == 0


def test_a_sum_that_does_not_follow_is_named(home: Path, run: Verifier, files: Files) -> None:
    book = json.loads(files[SETTLEMENT])
    choose = random.Random(3)
    for _ in range(40):
        spoilt = json.loads(files[SETTLEMENT])
        wager = choose.choice(spoilt["wagers"])
        name = choose.choice(["paid", "collected", "returned", "gross_win", "commission"])
        wager["due"][name] = str(int(wager["due"][name]) + choose.randint(1, 10**6))

        code, told = run(signed_anew(home, {**files, SETTLEMENT: json.dumps(spoilt).encode()}))

        assert code == 4
        assert f"wager {wager['wager']}: {name} " in told
    for spoil in (
        lambda b: b.update(facts=[]),
        lambda b: b["wagers"][0].update(seen={**b["wagers"][0]["seen"], "paid": "12345678"}),
        lambda b: [line.update(odds="77:1") for line in b["lines"]],
    ):
        spoilt = json.loads(json.dumps(book))
        spoil(spoilt)
        again = signed_anew(home, {**files, SETTLEMENT: json.dumps(spoilt).encode()})
        assert run(again)[0] == 4


def test_an_older_checkpoint_or_another_history_is_refused(
    tmp_path: Path, home: Path, run: Verifier, files: Files
) -> None:
    forged = tmp_path / "forged"
    shutil.copytree(home / "keys", forged / "keys")
    houses.simulated(forged, 6, seed="8")
    sealed_houses.seal(forged)
    note = house_seal.proofs(forged).note.encode()

    assert run(zipped({**files, "proof/checkpoint": note}))[0] == 4
    code, told = run(signed_anew(home, {**files, "proof/checkpoint": note}))
    assert code == 4
    assert "proof/checkpoint: not the checkpoint of the manifest" in told


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/x", "a/../../x", "a//b", "a\\b", "", "a/", "ä", "a\0b", ".x"]
)
def test_a_name_that_leaves_the_folder_is_refused(run: Verifier, files: Files, name: str) -> None:
    made = zipped({**files, "placeholder-name": b"x"})
    raw = name.encode().ljust(16, b"z")[:16] if len(name) < 16 else name.encode()
    spoilt = made.replace(b"placeholder-name", raw)

    assert run(spoilt)[0] == 4


def test_hostile_zips_are_refused(run: Verifier, files: Files, body: bytes) -> None:
    def made(compression: int = zipfile.ZIP_STORED, **more: Any) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", compression) as archive:
            for name in sorted(files):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.create_system, entry.compress_type = 3, compression
                entry.external_attr = more.get("attr", 0o100644 << 16)
                entry.extra, entry.comment = more.get("extra", b""), more.get("comment", b"")
                archive.writestr(entry, files[name])
            archive.comment = more.get("ending", b"")
        return stream.getvalue()

    assert run(made())[0] == 0
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(50_000_000))
    hostile = {
        "compressed": made(zipfile.ZIP_DEFLATED),
        "links": made(attr=0o120777 << 16),
        "extra fields": made(extra=b"\x01\x00\x00\x00"),
        "comments": made(comment=b"x"),
        "an ending": made(ending=b"x"),
        "bytes before": b"x" + body,
        "bytes after": body + b"x",
        "two packs": body + body,
        "a bomb": bomb.getvalue(),
        "too many entries": body[:-22] + END.pack(b"PK\5\6", 0, 0, 65535, 65535, 9, 9, 0),
        "nothing": b"",
        "no zip": b"not a zip at all, but long enough to be one",
        "an empty zip": b"PK\5\6" + bytes(18),
    }  # fmt: skip
    for what, pack in hostile.items():
        code, told = run(pack)
        assert code in (2, 4), what
        assert told.count("\n") == 1, told


def test_a_second_file_of_one_name_is_refused(run: Verifier, files: Files) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])
        again = zipfile.ZipInfo("key.pem", (1980, 1, 1, 0, 0, 0))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(again, files["key.pem"])

    assert run(stream.getvalue())[0] == 4


def test_a_pack_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main(["/nowhere/pack.zip"]) == 2
    assert "INCOMPLETE: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("private", "public", "message", "signature"),
    [  # RFC 8032, 7.1
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ],
)
def test_the_signatures_of_rfc_8032(
    private: str, public: str, message: str, signature: str
) -> None:
    del private
    key, said, line = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)

    assert verify.signed(key, said, line)
    assert not verify.signed(key, said + b"x", line)
    for at in range(64):
        assert not verify.signed(key, said, line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :])
    order = verify.ORDER
    malleable = line[:32] + (int.from_bytes(line[32:], "little") + order).to_bytes(32, "little")
    assert not verify.signed(key, said, malleable)
    assert not verify.signed(bytes(31) + b"\x80", said, line)
    assert not verify.signed(b"\1" + bytes(31), said, b"\1" + bytes(63))

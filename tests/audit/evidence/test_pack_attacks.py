"""What somebody could do to a pack, each by name: all of it is refused by both verifiers."""

import hashlib
import io
import json
import shutil
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from audit.evidence import verify
from audit.evidence.canonical_zip import zipped
from audit.house import seal as house_seal
from ingest.seal import keys
from ingest.seal.house import SealBroken
from ingest.seal.keys import SigningKey
from ingest.seal.proof import Proofs
from ingest.seal.witness import Witness, WitnessAnswer
from replay.locate import locate
from replay.simulate.game_play import TableSetup
from tests.support import houses, packs, sealed_houses, second_verifier

ROUND = "T1-20260301-0003"
SETTLEMENT, EVENTS = "derivation/settlement.json", "8.4.6-surveillance/events.jsonl"
Files = dict[str, bytes]
Told = tuple[int, str]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that was sealed before its day, and after it."""
    home = sealed_houses.sealed_in_steps(tmp_path_factory.mktemp("house"), "T9", [5])
    houses.simulated(home, 6, (TableSetup("T1", "TB"),))
    sealed_houses.seal(home)
    return home


@pytest.fixture(scope="module")
def body(home: Path) -> bytes:
    return packs.packed(home, ROUND).body


@pytest.fixture
def files(body: bytes) -> Files:
    return packs.files(body)


@pytest.fixture
def told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """The exit code on which both verifiers agree, and what the pack's own one says."""

    def verified(pack: bytes, *words: str) -> Told:
        (tmp_path / "pack.zip").write_bytes(pack)
        code = verify.main([str(tmp_path / "pack.zip"), *words])
        assert words or second_verifier.verdict(pack) == code
        assert [path.name for path in tmp_path.iterdir()] == ["pack.zip"]  # nothing was unpacked
        return code, capsys.readouterr().out

    return verified


def test_the_pack_as_it_was_built(body: bytes, told: Callable[..., Told]) -> None:
    assert told(body)[0] == 0


def test_a_file_removed(files: Files, told: Callable[..., Told]) -> None:
    files.pop(SETTLEMENT)

    assert told(zipped(files)) == (
        4,
        f"ALTERED: {SETTLEMENT}: the manifest lists it, and it is not there\n",
    )


@pytest.mark.parametrize("name", ["extra.txt", "manifest.txt", "manifest.json.old", "proof/more"])
def test_a_file_added(name: str, files: Files, told: Callable[..., Told]) -> None:
    files[name] = b"x"

    assert told(zipped(files)) == (4, f"ALTERED: {name}: the manifest does not list it\n")


def test_a_file_renamed(files: Files, told: Callable[..., Told]) -> None:
    files["derivation/felt-2.svg"] = files.pop("derivation/felt.svg")

    assert told(zipped(files))[0] == 4


def test_two_files_swapped(files: Files, told: Callable[..., Told]) -> None:
    one, two = SETTLEMENT, "derivation/findings.json"
    files[one], files[two] = files[two], files[one]

    assert told(zipped(files))[0] == 4


def test_a_file_twice(files: Files, told: Callable[..., Told]) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted([*files, SETTLEMENT]):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])

    assert told(stream.getvalue())[0] == 4


def test_another_key(
    files: Files, told: Callable[..., Told], tmp_path_factory: Any, home: Path
) -> None:
    """Whoever signs with a key of his own is found out by the published key alone."""
    forger = keys.create(tmp_path_factory.mktemp("keys"), keys.HOUSE, sealed_houses.ORIGIN)
    forged = signed_by(forger, files | {"key.pem": keys.pem(forger.public).encode()})
    published = house_seal.signing_key(home).public.vkey

    assert told(forged)[0] == 4  # the checkpoint is not of that key
    assert told(forged, "--key", published)[0] == 4


def test_the_key_file_alone(files: Files, told: Callable[..., Told], tmp_path_factory: Any) -> None:
    other = keys.create(tmp_path_factory.mktemp("keys"), keys.HOUSE, sealed_houses.ORIGIN)

    assert told(zipped(files | {"key.pem": keys.pem(other.public).encode()}))[0] == 4


def test_an_older_checkpoint(home: Path, files: Files, told: Callable[..., Told]) -> None:
    """The house's own older checkpoint does not hold the events; it signs the pack nonetheless."""
    older = Proofs(house_seal.sealed(home)).before()
    assert older is not None
    rolled = files | {"proof/checkpoint": older.note.encode()}

    code, said = told(signed_by(house_seal.signing_key(home), rolled))

    assert code == 4
    assert "proof/checkpoint: not the checkpoint of the manifest" in said
    root = json.loads(files["manifest.json"])["checkpoint"] | _head(older)
    again = signed_by(house_seal.signing_key(home), rolled, checkpoint=root)
    assert told(again)[0] == 4


def test_a_history_forked_with_the_real_key(
    home: Path, told: Callable[..., Told], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A second history, signed by the house itself: whoever asks for the witness finds it out."""
    folder = tmp_path_factory.mktemp("fork")
    key = keys.create(folder / "w", keys.WITNESS, "auditor.example/witness")
    true, forked = (Path(shutil.copytree(home, folder / name)) for name in ("true", "forked"))
    keys.trust(true / "keys", key.public)
    keys.trust(forked / "keys", key.public)
    witness = Witness(folder / "w" / "witness", key, keys.public_keys(home / "keys"))
    shutil.rmtree(forked / "log")
    shutil.rmtree(forked / "seal")
    houses.simulated(forked, 6, (TableSetup("T1", "TB"),), seed="8")
    sealed_houses.grown(forked, "T9", 5)
    sealed_houses.seal(forked)
    sealed_houses.grown(forked, "T9", 5)
    sealed_houses.seal(forked)

    def ask(said: str) -> WitnessAnswer:
        return witness.add_checkpoint(said.encode(), 77)

    house_seal.cosign_now(true, ask, 1)
    with pytest.raises(SealBroken, match="refuses it as a fork"):
        house_seal.cosign_now(forked, ask, 1)

    seen = told(packs.packed(true, ROUND).body, "--witness", key.public.vkey)
    code, said = told(packs.packed(forked, ROUND).body, "--witness", key.public.vkey)

    assert seen[0] == 0
    assert code == 2
    assert f"no cosignature of {key.public.vkey}" in said


def test_a_fork_that_claims_to_extend_the_true_log(
    home: Path, files: Files, told: Callable[..., Told], tmp_path_factory: pytest.TempPathFactory
) -> None:
    forked = tmp_path_factory.mktemp("fork")
    shutil.copytree(home / "keys", forked / "keys")
    houses.simulated(forked, 6, (TableSetup("T1", "TB"),), seed="8")
    sealed_houses.seal(forked)
    sealed_houses.grown(forked, "T9", 5)
    sealed_houses.seal(forked)
    own = packs.files(packs.packed(forked, ROUND).body)
    own |= {name: files[name] for name in ("proof/older-checkpoint", "proof/consistency")}

    code, said = told(signed_by(house_seal.signing_key(forked), own), "--key", "")

    assert code == 4
    assert "proof/consistency: checkpoint" in said


def test_a_manifest_that_is_not_canonical(
    home: Path, files: Files, told: Callable[..., Told]
) -> None:
    """Two spellings of one manifest would be two packs with one content (RFC 8785)."""
    key, said = house_seal.signing_key(home), json.loads(files["manifest.json"])
    for spelt in (
        json.dumps(said, sort_keys=True).encode(),
        json.dumps(dict(reversed(said.items())), separators=(",", ":")).encode(),
        files["manifest.json"] + b"\n",
        files["manifest.json"].replace(b'"pack":', b'"pack":"rp-0","pack":'),
    ):
        signed = zipped(files | {"manifest.json": spelt, "manifest.sig": key.signature(spelt)})

        assert told(signed)[0] == 4


@pytest.mark.parametrize(
    "changed",
    [
        {"pack": "rp-0123456789abcdef"},
        {"edition": "party"},
        {"party": "P9"},
        {"round_digest": "0" * 64},
        {"counts": {"events": 1, "withheld": 0}},
        {"format": "roundproof-pack/2"},
    ],
    ids=["id", "edition", "party", "digest", "counts", "format"],
)
def test_a_manifest_that_says_something_else(
    changed: dict[str, Any], home: Path, files: Files, told: Callable[..., Told]
) -> None:
    signed = signed_by(house_seal.signing_key(home), files, named=False, **changed)

    assert told(signed)[0] == 4


def test_a_full_edition_that_withholds(home: Path, told: Callable[..., Told]) -> None:
    party = locate(home, ROUND).judged.dues[0].player_id
    files = packs.files(packs.packed(home, ROUND, party).body)
    assert told(zipped(files))[0] == 0

    signed = signed_by(house_seal.signing_key(home), files, edition="full", party="")

    code, said = told(signed)
    assert code == 4
    assert "a full edition withholds nothing" in said


def signed_by(key: SigningKey, files: Files, *, named: bool = True, **changed: Any) -> bytes:
    """The pack that the owner of a key makes of other files, its manifest changed too."""
    manifest = json.loads(files["manifest.json"]) | changed
    public = key.public
    manifest["key"] = {
        "name": public.name,
        "id": public.id.hex(),
        "ed25519": public.key.hex(),
        "vkey": public.vkey,
    }
    manifest["files"] = {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
        for name, content in files.items()
        if not name.startswith("manifest.")
    }
    if named:
        about = {name: manifest[name] for name in manifest if name not in second_verifier.NOT_NAMED}
        manifest["pack"] = f"rp-{hashlib.sha256(rfc8785.dumps(about)).hexdigest()[:16]}"
    said = rfc8785.dumps(manifest)
    return zipped(files | {"manifest.json": said, "manifest.sig": key.signature(said)})


def _head(proofs: Proofs) -> dict[str, Any]:
    origin, size, root = proofs.head.text.split("\n")[:3]
    return {"origin": origin, "size": int(size), "root": root}

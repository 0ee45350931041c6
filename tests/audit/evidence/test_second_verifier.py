"""Two verifiers that share no code agree on good packs and on bad ones."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.cases import case_log
from audit.cases.case_log import Taking
from audit.cases.rules import Actor
from audit.evidence import verify
from audit.evidence.canonical_zip import zipped
from replay.locate import locate
from schemas import events as e
from tests.support import packs, sealed_houses, second_verifier

ROUND = "T1-20260301-0003"
FLIPS = 200
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed house with a dispute over a round."""
    home = packs.sealed_house(tmp_path_factory.mktemp("house"))
    raised = e.DisputeRaised(ROUND, "my stake was taken", "VN", game="TB", currency="VND")
    actor = Actor("T1-I1", "dealer_inspector")
    case_log.open_case(home, "T1", raised, Taking(actor, sealed_houses.NOW, sealed_houses.NOW))
    sealed_houses.seal(home)
    return home


@pytest.fixture(scope="module")
def good(home: Path) -> dict[str, bytes]:
    """A pack of the round, of the case, and of the round for a party."""
    party = locate(home, ROUND).judged.dues[0].player_id
    (case_id,) = case_log.load(home).cases
    asked = {"round": (ROUND, ""), "case": (case_id, ""), "party": (ROUND, party)}
    return {name: packs.packed(home, *wanted).body for name, wanted in asked.items()}


def agreed(body: bytes, folder: Path) -> int:
    """The exit code of both verifiers."""
    (folder / "pack.zip").write_bytes(body)
    ours = verify.main([str(folder / "pack.zip")])

    assert second_verifier.verdict(body) == ours
    return ours


def test_both_accept_what_the_house_signed(good: dict[str, bytes], tmp_path: Path) -> None:
    assert {name: agreed(body, tmp_path) for name, body in good.items()} == {
        "round": 0,
        "case": 0,
        "party": 0,
    }


def test_both_refuse_a_flipped_bit(good: dict[str, bytes], tmp_path: Path) -> None:
    rng, body = random.Random("flips"), good["case"]
    for _ in range(FLIPS):
        changed = bytearray(body)
        changed[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        (tmp_path / "pack.zip").write_bytes(changed)

        assert verify.main([str(tmp_path / "pack.zip")]) in (2, 4)
        assert second_verifier.verdict(bytes(changed)) in (2, 4)


@pytest.mark.parametrize(
    "change",
    [
        lambda files: files | {"more.txt": b"x"},
        lambda files: {name: b for name, b in files.items() if name != "derivation/felt.svg"},
        lambda files: files | {"derivation/felt.svg": files["derivation/findings.json"]},
        lambda files: files | {"manifest.sig": bytes(64)},
        lambda files: files | {"proof/leaves.txt": files["proof/leaves.txt"][::-1]},
        lambda files: {name: b for name, b in files.items() if name != "manifest.sig"},
    ],
    ids=["added", "removed", "swapped", "unsigned", "leaves", "without a signature"],
)
def test_both_refuse_other_files(
    change: Callable[[Files], Files], good: dict[str, bytes], tmp_path: Path
) -> None:
    for body in good.values():
        changed = zipped(change(packs.files(body)))

        assert agreed(changed, tmp_path) in (2, 4)

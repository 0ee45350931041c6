"""What Health says of the seal: the newest checkpoint, whose signatures verify, what waits."""

from pathlib import Path

from audit.console.questions import sealed
from audit.house import seal as house_seal
from ingest.seal import keys
from ingest.seal.witness import Witness
from tests.support import sealed_houses
from tests.support.sealed_houses import NOW, ORIGIN


def test_nothing_is_sealed_without_a_key(tmp_path: Path) -> None:
    found = sealed.standing(sealed_houses.grown(tmp_path, "T1", 3))

    assert found.size == 0
    assert found.waiting == 3
    assert found.wrong == ""


def test_the_newest_checkpoint_is_verified_and_what_came_after_waits(tmp_path: Path) -> None:
    home = sealed_houses.key_made(sealed_houses.grown(tmp_path, "T1", 3))
    house_seal.seal_now(home, NOW)
    sealed_houses.grown(home, "T1", 2)

    found = sealed.standing(home)

    assert (found.origin, found.own, found.signed_at) == (ORIGIN, True, NOW)
    assert found.size >= 1
    assert found.waiting == 2
    assert found.witnesses == ()


def test_a_checkpoint_of_another_key_is_not_our_own(tmp_path: Path) -> None:
    home = sealed_houses.key_made(sealed_houses.grown(tmp_path / "one", "T1", 3))
    house_seal.seal_now(home, NOW)
    other = sealed_houses.key_made(tmp_path / "other")
    (home / "keys").rename(home / "before")
    (other / "keys").rename(home / "keys")

    found = sealed.standing(home)

    assert not found.own
    assert found.size >= 1


def test_a_trusted_witness_and_its_time_are_named(tmp_path: Path) -> None:
    home = sealed_houses.key_made(sealed_houses.grown(tmp_path / "house", "T1", 3))
    house_seal.seal_now(home, NOW)
    key = keys.create(tmp_path / "w", keys.WITNESS, "auditor.example/witness")
    witness = Witness(tmp_path / "w" / "witness", key, keys.public_keys(home / "keys"))
    alone = sealed.standing(home)
    keys.trust(home / "keys", key.public)
    house_seal.cosign_now(home, lambda said: witness.add_checkpoint(said.encode(), 77), 1)

    assert alone.witnesses == ()
    assert sealed.standing(home).witnesses == (("auditor.example/witness", 77),)

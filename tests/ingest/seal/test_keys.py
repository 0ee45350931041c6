"""Signing keys: kept from others, handed over by a note, followed from the first to the newest."""

from pathlib import Path

import pytest

from ingest.seal import keys
from ingest.seal.keys import HOUSE, WITNESS, KeyExists, KeyUnsafe, NoKey
from ingest.seal.note import NoteWrong
from tests.support.sealed_houses import ORIGIN


def test_a_private_key_is_its_owners_alone(tmp_path: Path) -> None:
    made = keys.create(tmp_path, HOUSE, ORIGIN)

    assert (tmp_path / "house.pem").stat().st_mode & 0o777 == 0o400
    assert keys.load(tmp_path).public == made.public
    assert keys.public_keys(tmp_path) == [made.public]


@pytest.mark.parametrize("mode", [0o440, 0o404, 0o460, 0o644])
def test_a_key_that_others_may_read_is_not_used(tmp_path: Path, mode: int) -> None:
    keys.create(tmp_path, HOUSE, ORIGIN)
    (tmp_path / "house.pem").chmod(mode)

    with pytest.raises(KeyUnsafe, match="mode 0400 and its own user expected"):
        keys.load(tmp_path)


def test_a_link_in_place_of_the_key_is_not_followed(tmp_path: Path) -> None:
    keys.create(tmp_path, HOUSE, ORIGIN)
    (tmp_path / "house.pem").rename(tmp_path / "elsewhere.pem")
    (tmp_path / "house.pem").symlink_to(tmp_path / "elsewhere.pem")

    with pytest.raises(KeyUnsafe):
        keys.load(tmp_path)


def test_a_file_that_is_no_key_is_refused(tmp_path: Path) -> None:
    keys.create(tmp_path, HOUSE, ORIGIN)
    (tmp_path / "house.pem").unlink()
    (tmp_path / "house.pem").write_text("not a key")
    (tmp_path / "house.pem").chmod(0o400)

    with pytest.raises(KeyUnsafe, match="a private key in PEM expected"):
        keys.load(tmp_path)


def test_the_key_of_another_house_is_refused(tmp_path: Path) -> None:
    for place in ("one", "other"):
        keys.create(tmp_path / place, HOUSE, ORIGIN)
    (tmp_path / "other" / "house.pem").replace(tmp_path / "one" / "house.pem")

    with pytest.raises(KeyUnsafe, match=r"the public key of house\.pem expected"):
        keys.load(tmp_path / "one")


def test_a_key_is_made_once(tmp_path: Path) -> None:
    keys.create(tmp_path, HOUSE, ORIGIN)

    with pytest.raises(KeyExists):
        keys.create(tmp_path, HOUSE, ORIGIN)
    keys.create(tmp_path, WITNESS, "auditor.example/witness")


def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    with pytest.raises(NoKey, match="a signing key expected, no file found"):
        keys.load(tmp_path)


@pytest.mark.parametrize("role", [HOUSE, WITNESS])
def test_whoever_trusts_the_first_key_comes_to_the_newest(tmp_path: Path, role: str) -> None:
    first = keys.create(tmp_path, role, ORIGIN).public
    for _ in range(3):
        keys.rotate(tmp_path, role)

    found = keys.followed(first, keys.rotations(tmp_path, role))

    assert found == keys.public_keys(tmp_path, role)
    assert len(found) == 4
    assert keys.load(tmp_path, role).public == found[-1]


def test_a_rotation_that_was_interrupted_leaves_the_old_key_and_can_be_repeated(
    tmp_path: Path,
) -> None:
    first = keys.create(tmp_path, HOUSE, ORIGIN)
    old = (tmp_path / "house.pem").read_bytes()
    keys.rotate(tmp_path, HOUSE)
    (tmp_path / "house.pem").unlink()
    (tmp_path / "house.pem").write_bytes(old)
    (tmp_path / "house.pem").chmod(0o400)

    assert keys.load(tmp_path).public == first.public
    keys.rotate(tmp_path, HOUSE)

    found = keys.followed(first.public, keys.rotations(tmp_path))
    assert keys.load(tmp_path).public in found


def test_a_rotation_that_the_old_key_did_not_sign_is_refused(tmp_path: Path) -> None:
    first = keys.create(tmp_path, HOUSE, ORIGIN).public
    said = keys.rotate(tmp_path, HOUSE)

    with pytest.raises(NoteWrong, match="signatures of both keys expected"):
        keys.followed(first, [said._replace(signatures=said.signatures[1:])])
    with pytest.raises(NoteWrong, match="signatures of both keys expected"):
        keys.followed(first, [said._replace(signatures=said.signatures[:1])])
    with pytest.raises(NoteWrong, match="does not fit"):
        keys.followed(first, [said._replace(text=said.text + "more\n")])

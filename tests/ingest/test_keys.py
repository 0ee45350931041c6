"""Device keys: where they come from, and which are refused."""

from pathlib import Path

import pytest

from ingest import keys

ENV = keys.ENVIRONMENT
GOOD = "k" * 16


def test_keys_come_from_a_file_and_from_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(f'shoe-3 = "{GOOD}"\n"cam.1" = "{"c" * 16}"\n')
    path.chmod(0o600)

    found = keys.load(path, {ENV: f"pit-1={'p' * 16}, "})

    assert sorted(found.values()) == ["cam.1", "pit-1", "shoe-3"]
    assert keys.device_of(found, f"Bearer {GOOD}") == "shoe-3"
    assert GOOD.encode() not in b"".join(found)  # only hashes are kept


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer nope", f"Basic {GOOD}", GOOD])
def test_a_stranger_is_nobody(header: str | None) -> None:
    found = keys.load(None, {ENV: f"shoe-3={GOOD}"})

    assert keys.device_of(found, header) is None


@pytest.mark.parametrize(
    ("text", "mode", "told"),
    [
        (f'shoe-3 = "{GOOD}"', 0o644, "everyone can read it; chmod o="),
        ('shoe-3 = "short"', 0o600, "device shoe-3: a key of at least 16 characters"),
        (f'a = "{GOOD}"\nb = "{GOOD}"', 0o600, "devices a and b share a key"),
        ("shoe-3: nope", 0o600, "lines such as shoe-3 = "),
        (f'"../x" = "{GOOD}"', 0o600, "is not an id"),
        ("", 0o600, "no device has a key"),
    ],
)
def test_keys_that_cannot_be_used(tmp_path: Path, text: str, mode: int, told: str) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    path.chmod(mode)

    with pytest.raises(ValueError, match=told):
        keys.load(path, {})


def test_a_device_finds_its_own_key(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('cam-1 = "0123456789abcdef"\n', "utf-8")
    path.chmod(0o600)

    assert keys.own("cam-1", path, {}) == "0123456789abcdef"
    assert keys.own("cam-1", path, {keys.ENVIRONMENT: "cam-1=another-key-of-it"}) == (
        "another-key-of-it"
    )
    with pytest.raises(keys.BadKeys, match="device cam-2 has no key"):
        keys.own("cam-2", path, {})

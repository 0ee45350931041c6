"""Device keys: where they come from, and which are refused."""

from pathlib import Path

import pytest

from ingest.doors import device_keys
from tests.support.readings import reading

ENV = device_keys.ENVIRONMENT
GOOD = "k" * 16
REST = 'kind = "shoe", tables = ["T12"]'
WHOLE = f'{{key = "{GOOD}", {REST}}}'


def test_keys_come_from_a_file_and_from_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(
        f'[shoe-3]\nkey = "{GOOD}"\nkind = "shoe"\ntables = ["T12"]\n'
        f'["cam.1"]\nkey = "{"c" * 16}"\nkind = "camera"\ntables = ["T12", "T13"]\n'
    )
    path.chmod(0o600)

    found = device_keys.load(path, {ENV: f"pit-1/console/*={'p' * 16}, "})

    assert set(found.values()) == {
        device_keys.Grant("shoe-3", "shoe", frozenset(["T12"])),
        device_keys.Grant("cam.1", "camera", frozenset(["T12", "T13"])),
        device_keys.Grant("pit-1", "console", frozenset(["*"])),
    }
    assert device_keys.grant_of(found, f"Bearer {GOOD}") == device_keys.Grant(
        "shoe-3", "shoe", frozenset(["T12"])
    )
    assert GOOD.encode() not in b"".join(found)  # only hashes are kept


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer nope", f"Basic {GOOD}", GOOD])
def test_a_stranger_is_nobody(header: str | None) -> None:
    found = device_keys.load(None, {ENV: f"shoe-3/shoe/T12={GOOD}"})

    assert device_keys.grant_of(found, header) is None


SHOE = device_keys.Grant("shoe-3", "shoe", frozenset(["T12"]))
ANYWHERE = device_keys.Grant("shoe-3", "*", frozenset(["*"]))


@pytest.mark.parametrize(
    ("grant", "said", "objection"),
    [
        (SHOE, {}, None),
        (SHOE, {"device_id": "cam-1"}, ("device", "shoe-3", "cam-1")),
        (SHOE, {"device_kind": "console"}, ("kind", "shoe", "console")),
        (SHOE, {"table_id": "T13"}, ("table", "T12", "T13")),
        (ANYWHERE, {"table_id": "T13", "device_kind": "console"}, None),
        (ANYWHERE, {"device_id": "cam-1"}, ("device", "shoe-3", "cam-1")),
    ],
)
def test_a_key_says_what_it_is_for(
    grant: device_keys.Grant, said: dict[str, str], objection: tuple[str, str, str] | None
) -> None:
    assert grant.objection(reading(0, **said)) == objection


@pytest.mark.parametrize(
    ("text", "mode", "told"),
    [
        (f'shoe-3 = "{GOOD}"', 0o644, "everyone can read it; chmod o="),
        (f'a = {{key = "short", {REST}}}', 0o600, "device a: a key of at least 16 characters"),
        (f"a = {{{REST}}}", 0o600, "device a: a key of at least 16 characters"),
        (f'shoe-3 = "{GOOD}"', 0o600, "device shoe-3: its kind expected, nothing found; name the"),
        (f'a = {{key = "{GOOD}", kind = "shoe"}}', 0o600, "device a: its tables expected, nothing"),
        (f'a = {{key = "{GOOD}", kind = "shoe", tables = []}}', 0o600, "its tables expected"),
        (f'a = {{key = "{GOOD}", kind = "shoe", tables = "T1"}}', 0o600, "tables = ..T12"),
        (f'a = {{key = "{GOOD}", kind = "shoe", tables = ["../x"]}}', 0o600, "is not an id"),
        (f'a = {{key = "{GOOD}", rights = "all"}}', 0o600, "device a: shoe-3 = "),
        (f"a = {WHOLE}\nb = {WHOLE}", 0o600, "devices a and b share a key"),
        ("shoe-3: nope", 0o600, "lines such as shoe-3 = "),
        (f'"../x" = {WHOLE}', 0o600, "is not an id"),
        ("", 0o600, "no device has a key"),
    ],
)
def test_keys_that_cannot_be_used(tmp_path: Path, text: str, mode: int, told: str) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    path.chmod(mode)

    with pytest.raises(ValueError, match=told):
        device_keys.load(path, {})


def test_a_device_finds_its_own_key(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('cam-1 = "0123456789abcdef"\n', "utf-8")
    path.chmod(0o600)

    assert device_keys.own("cam-1", path, {}) == "0123456789abcdef"
    assert device_keys.own("cam-1", path, {device_keys.ENVIRONMENT: "cam-1=another-key-of-it"}) == (
        "another-key-of-it"
    )
    with pytest.raises(device_keys.BadKeys, match="device cam-2 has no key"):
        device_keys.own("cam-2", path, {})

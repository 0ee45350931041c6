"""Device keys: one secret for each device, from a file or the environment, kept as hashes."""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path

from ingest.log import checked_id

SHORTEST = 16  # characters
ENVIRONMENT = "ROUNDPROOF_DEVICE_KEYS"
Keys = Mapping[bytes, str]  # SHA-256 of a key to the device it belongs to


class BadKeys(ValueError):
    """Keys that cannot be used, with what to do about it."""


def load(path: Path | None, environment: Mapping[str, str]) -> Keys:
    """The keys of a TOML file (`device = "key"`) and of the environment (`device=key,...`)."""
    found = _from_environment(environment.get(ENVIRONMENT, ""))
    if path is not None:
        found = _from_file(path) | found
    if not found:
        raise BadKeys(f"no device has a key: name a file with --keys, or set {ENVIRONMENT}")
    return _hashed(found)


def own(device: str, path: Path | None, environment: Mapping[str, str]) -> str:
    """The key that a device itself speaks with; BadKeys where it has none."""
    found = _from_environment(environment.get(ENVIRONMENT, ""))
    if path is not None:
        found = _from_file(path) | found
    if device not in found:
        raise BadKeys(f"device {device} has no key: name a file that has one, or set {ENVIRONMENT}")
    return found[device]


def device_of(keys: Keys, header: str | None) -> str | None:
    """The device that a request's Authorization header speaks for; None for a stranger."""
    scheme, _, key = (header or "").partition(" ")
    return keys.get(_hash(key)) if scheme.lower() == "bearer" else None


def _from_file(path: Path) -> dict[str, str]:
    if path.stat().st_mode & 0o007:
        raise BadKeys(f"{path}: everyone can read it; chmod o= {path} and start again")
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadKeys(f'{path}: lines such as shoe-3 = "key" expected; {error}') from error
    return {device: str(key) for device, key in found.items()}


def _from_environment(text: str) -> dict[str, str]:
    pairs = (pair.strip().partition("=") for pair in text.split(",") if pair.strip())
    return {device: key for device, _, key in pairs}


def _hashed(found: Mapping[str, str]) -> Keys:
    made: dict[bytes, str] = {}
    for device, key in sorted(found.items()):
        checked_id(device)
        if len(key) < SHORTEST:
            raise BadKeys(f"device {device}: a key of at least {SHORTEST} characters expected")
        other = made.setdefault(_hash(key), device)
        if other != device:
            raise BadKeys(f"devices {other} and {device} share a key: give each its own")
    return made


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()

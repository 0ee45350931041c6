"""Which clause each fault breaks, game by game (breaches.toml)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def clauses(code: str, fault: str) -> tuple[str, ...]:
    """The clauses that a fault of a game breaks; those of its check where it has no line."""
    check = fault.split("/", maxsplit=1)[0]
    return stated(code).get(fault) or stated(code).get(check, ())


def beneath(anchor: str, clause: str) -> bool:
    """Whether an anchor is the clause or a part of it, as TB:5.1.3 is of TB:5.1."""
    return anchor == clause or anchor.startswith(f"{clause}.")


@cache
def stated(code: str) -> Mapping[str, tuple[str, ...]]:
    """The lines of a game: fault or check to its clauses."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _file().get(code, "").strip().splitlines():
        names, anchors = (cell.split() for cell in line.split("|"))
        for name in names:
            assert name not in found, f"breaches.toml: {code} {name} has two lines"
            found[name] = tuple(f"{code}:{anchor}" for anchor in anchors)
    return found


@cache
def _file() -> Mapping[str, str]:
    text = (files("replay.simulate.faults") / "breaches.toml").read_text("utf-8")
    return tomllib.loads(text)["breaches"]  # type: ignore[no-any-return]  # the file is ours

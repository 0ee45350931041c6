"""Kinds of mutants that are right by the rulebook, each with its clause and its reason."""

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutants.tally import Line

PAGE = Path(__file__).with_name("exceptions.toml")

KeyOf = Callable[[tuple[str, str, str]], str]


class RightKind(NamedTuple):
    """One kind: where it holds, what it looks like, why it is right."""

    verdict: str
    games: tuple[str, ...]
    why: str  # the reason of the verdict; empty for any
    did: str  # a pattern of what was done
    clause: str
    reason: str


def read(page: Path = PAGE) -> list[RightKind]:
    """The kinds on file."""
    listed = tomllib.loads(page.read_text("utf-8")).get("exception", [])
    return [RightKind(**{**entry, "games": tuple(entry["games"])}) for entry in listed]


def covers(known: Sequence[RightKind], line: Line) -> bool:
    """Whether a verdict is of a kind that is right by the rulebook."""
    game = line.name.partition(" ")[0]
    did = "; ".join(map(plain, line.did))
    return any(
        line.verdict == one.verdict
        and game in one.games
        and (not one.why or set(line.why) == set(one.why.split("; ")))
        and re.search(one.did, did)
        for one in known
    )


def plain(text: str) -> str:
    """What was done without the values that differ from mutant to mutant."""
    return re.sub(r": .*", "", text)

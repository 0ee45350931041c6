"""Sealed houses whose rounds can be packed, and packs of them."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from audit.evidence.build import BuiltPack, build
from audit.evidence.gather import gather
from replay.simulate.game_play import TableSetup
from tests.support import houses, sealed_houses

ZONE = "Asia/Ho_Chi_Minh"
LANGUAGES = ("en", "vi")


def sealed_house(home: Path, game: str = "TB", rounds: int = 6) -> Path:
    """A house with one table of a game, its day sealed."""
    houses.simulated(home, rounds, (TableSetup("T1", game),))
    sealed_houses.key_made(home)
    sealed_houses.seal(home)
    return home


def packed(home: Path, name: str, party: str = "", languages: tuple[str, ...] = ()) -> BuiltPack:
    """The pack of a round or a case; without a report where no language is named."""
    return build(home, gather(home, name, party), languages, ZONE)


def files(body: bytes) -> dict[str, bytes]:
    """The files of a pack, as any zip program reads them."""
    with zipfile.ZipFile(io.BytesIO(body)) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


def lines(body: bytes) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in body.splitlines()]

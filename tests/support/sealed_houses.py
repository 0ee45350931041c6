"""Houses whose log is sealed."""

from collections.abc import Sequence
from pathlib import Path

from audit.house import seal as house_seal
from ingest.local.log import LocalLog
from ingest.seal import keys
from ingest.seal.sealing import Sealing
from schemas import events as e
from tests.support import houses

ORIGIN = "hoiana.example/log"
NOW = 1_772_350_000_000_000  # UTC microseconds


def key_made(home: Path) -> Path:
    """The house with its first signing key."""
    keys.create(house_seal.key_folder(home), keys.HOUSE, ORIGIN)
    return home


def grown(home: Path, table: str, count: int) -> Path:
    """The house with more events of a table."""
    return houses.written(home, table, [(e.BettingOpened(), "R1")] * count)


def sealed_in_steps(home: Path, table: str, sizes: Sequence[int]) -> Path:
    """A house whose table was sealed each time it had so many events."""
    key_made(home)
    for before, size in zip((0, *sizes), sizes, strict=False):
        grown(home, table, size - before)
        seal(home)
    return home


def seal(home: Path) -> Sealing:
    """Seal the house."""
    return house_seal.seal_now(home, NOW)


def event_bytes(home: Path, table: str) -> list[bytes]:
    """The Avro bytes of every event of a table."""
    return [record.body for record in LocalLog(home / "log").read("events", table)]

"""How far each lane was last forwarded, to show while Kafka is unreachable; it decides nothing."""

import json
from collections.abc import Mapping

from ingest.disk import Disk
from ingest.local.log import LocalLog
from ingest.log import Lane

FILE = "forwarded.json"


def load(log: LocalLog) -> Mapping[Lane, int]:
    """What was last seen; empty where there is no file or it cannot be read."""
    try:
        found = json.loads((log.root / FILE).read_bytes())
        return {_lane(name): int(sent) for name, sent in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def save(log: LocalLog, sent: Mapping[Lane, int]) -> None:
    """Write the file."""
    named = {"/".join(lane): count for lane, count in sorted(sent.items())}
    Disk().create(log.root / FILE, (json.dumps(named, indent=1) + "\n").encode())


def _lane(name: str) -> Lane:
    stream, _, partition = name.partition("/")
    return stream, partition

"""A broker for one run of a bench."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.broker import making


@contextmanager
def broker() -> Iterator[str]:
    """The address of the broker given, or of one of our own for as long as this takes."""
    if given := os.environ.get("ROUNDPROOF_KAFKA"):
        yield given
        return
    with tempfile.TemporaryDirectory() as folder:
        own = making.one(Path(folder) / "node", quick=True)
        own.start()
        try:
            yield own.bootstrap
        finally:
            own.stop()

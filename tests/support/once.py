"""Houses that one worker of a run makes and all of them copy."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.broker.places import locked


def copied_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A worker's own copy of a house that the first worker to ask for it has made."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # its workers' own folder
    with locked(shared / f"{name}.lock"):
        if not (whole := shared / f"{name}.whole").exists():
            draft = factory.mktemp(name)
            make(draft)
            draft.rename(whole)
    return Path(shutil.copytree(whole, factory.mktemp(name) / "house"))

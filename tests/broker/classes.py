"""The classes of a node, kept as Java maps them in: a node then starts with half the work."""

import os
import shutil
import signal
from contextlib import suppress

from tests.broker import jars, making
from tests.broker.nodes import until
from tests.broker.places import ROOT, BrokerTrouble, locked

LEAVING_S = 300  # it writes tens of megabytes while it ends


def keep() -> None:
    """Let a node start once and leave its classes behind; without them nodes start slower."""
    kept = jars.classes()
    with locked(ROOT / "classes.lock"):
        if kept.exists():
            return
        partial = kept.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        brokers = making.one(ROOT / "classes", quick=True)
        (node,) = brokers.nodes.values()
        try:
            with suppress(BrokerTrouble):
                node.start(f"-XX:ArchiveClassesAtExit={partial}", quick=True)
                brokers.wait_until_served()
                pid = node.pid()
                assert pid is not None
                os.kill(pid, signal.SIGTERM)
                until(lambda: not node.running(), LEAVING_S, "a node to leave its classes")
                with suppress(FileNotFoundError):  # a Java that keeps none
                    partial.rename(kept)
        finally:
            brokers.stop()
            shutil.rmtree(ROOT / "classes")

"""Brokers that processes share end with their last user, also one that was killed."""

import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.broker import ports
from tests.broker.brokers import LAYOUT, Brokers
from tests.broker.nodes import until
from tests.broker.places import ROOT

USER = """
import sys
from tests.broker import making
from tests.broker.sharing import shared
with shared(sys.argv[1], lambda folder: making.one(folder, quick=True)) as brokers:
    print(brokers.bootstrap, flush=True)
    sys.stdin.read()
"""


def user(name: str) -> subprocess.Popen[str]:
    """A process that uses the brokers of that name until its input ends."""
    return subprocess.Popen(
        [sys.executable, "-c", USER, name],
        cwd=ROOT.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def name() -> str:
    return f"trial-{secrets.token_hex(3)}"


def test_two_users_share_a_node_that_ends_when_both_are_gone(name: str) -> None:
    with user(name) as first, user(name) as second:
        assert first.stdout is not None
        assert second.stdout is not None
        addresses = {first.stdout.readline(), second.stdout.readline()}
        node = Brokers(ROOT / name).nodes[1]
        first.kill()
        first.wait()
        still = ports.answers(node.host, node.port)
        os.kill(second.pid, signal.SIGKILL)
    until(lambda: not (ROOT / name / LAYOUT).exists(), 30, "the keeper to clear up")

    assert len(addresses) == 1
    assert still
    assert not node.running()
    assert ports.is_free(node.port)
    for left in sorted(Path(ROOT).glob(f"{name}.*")):
        left.unlink()

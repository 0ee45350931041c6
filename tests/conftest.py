"""What all tests share: a broker for those that ask for one, marks, and the order of a run.

    -m "not kafka"    what needs no broker
    -m "not slow"     what takes seconds

A run gives each file to one worker, so that what a file prepares is prepared once. Slow files go
first: one that begins last would keep a single worker busy at the end.
"""

import atexit
import gc
import os
import signal
from collections.abc import Iterator

import pytest

from tests.broker.fixtures import broker, cluster, kafka, pytest_configure, secured, three

__all__ = ["broker", "cluster", "heard", "kafka", "pytest_configure", "secured", "three"]

BROKERS = {"broker", "cluster", "kafka", "secured", "three"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for a broker, and put the files with slow tests first."""
    for item in items:
        if BROKERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.kafka)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep the garbage collector away from half a million objects that outlive every test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Let a run end with its own last line.

    DuckDB's binding counts what is alive when the interpreter is taken down and lists it on
    stderr: objects of modules that live as long as the process, no leak of ours.
    """
    atexit.register(_close_stderr)


def _close_stderr() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)


@pytest.fixture(scope="session", autouse=True)
def heard() -> Iterator[None]:
    """Children are started with SIGINT heard, also where a shell started us with it ignored.

    A shell does that to what it starts with `&` from a script, and children would inherit it.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, signal.SIG_IGN)

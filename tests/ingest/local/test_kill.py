"""kill -9 of a real ingester: nothing acknowledged is missing, nothing is doubled."""

import random
import signal
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from ingest.local.log import LocalLog
from ingest.seal.chain import event_id, events
from tests.support.killed_ingester import BATCH, READINGS
from tests.support.readings import house, json_line, talk

POINTS = 50
CALLS = 100_000  # of an ingester that lives to the end, about


def ids(root: Path) -> Counter[str]:
    """Every event in the log, its table's chain checked."""
    log = LocalLog(root)
    return Counter(
        event.event_id for table in log.partitions("events") for event, _ in events(log, table)
    )


def test_killed_at_any_point_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201
    rng = random.Random(seed)
    expected = Counter(event_id(each) for each in talk(READINGS))
    shots = [int(CALLS ** rng.uniform(0.3, 1)) for _ in range(POINTS)]
    # Three in a row share a house, so that a restart is shot at too.
    roots = [tmp_path / str(point // 3) for point in range(POINTS)]
    orders = "".join(f"{root} {shot}\n" for root, shot in zip(roots, shots, strict=True))

    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.killed_ingester"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as nursery:  # fmt: skip
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        killed = 0
        for root, order in zip(roots, orders.splitlines(keepends=True), strict=True):
            nursery.stdin.write(order)
            nursery.stdin.flush()
            acknowledged, ended_by = map(int, nursery.stdout.readline().split())
            killed += ended_by == signal.SIGKILL
            stored = ids(root)
            sure = {event_id(each) for each in islice(talk(READINGS), acknowledged)}
            assert sure <= set(stored), (seed, order)
            assert stored <= expected, (seed, order)
    assert nursery.returncode == 0
    assert killed > POINTS // 2

    for root in sorted(set(roots)):
        log, gateway = house(root)
        with log:
            counts = gateway.take(talk(READINGS), "file")
        assert counts.conflicts + counts.gaps + counts.late + counts.clock_steps == 0, seed
        assert ids(root) == expected, seed


def test_the_shots_fall_over_the_whole_run(tmp_path: Path) -> None:
    """The number of calls above is about that of a run, or the shots would miss their mark."""
    calls = Counter[str]()
    sent = list(talk(READINGS))
    sys.setprofile(lambda _, event, __: calls.update((event,)))
    log, gateway = house(tmp_path)
    with log:
        for start in range(0, READINGS, BATCH):
            gateway.take(sent[start : start + BATCH], "file")
    sys.setprofile(None)

    assert CALLS * 0.8 < calls.total() < CALLS * 1.5


@pytest.mark.parametrize("share", [0.05, 0.4, 0.9])
def test_a_killed_import_is_finished_by_running_it_again(tmp_path: Path, share: float) -> None:
    readings = tmp_path / "readings.jsonl"
    readings.write_bytes(b"".join(map(json_line, talk(6_000))))
    root = tmp_path / "var" / "log"
    command = [
        sys.executable, "-c", "from audit.cli.main import main; main()", "ingest", "file",
        str(readings), "--home", str(tmp_path / "var"),
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as ingester:
        while ingester.poll() is None and size(root) < share * 1_100_000:
            pass
        ingester.kill()
    some = ids(root)

    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    assert set(some.values()) <= {1}
    assert ids(root) == Counter(event_id(each) for each in talk(6_000))


def size(root: Path) -> int:
    return sum(path.stat().st_size for path in root.glob("events/*/*.avro"))

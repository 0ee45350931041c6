"""A gateway in a process of its own, and the devices that speak to it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Self

import httpx

from ingest.doors import device_keys
from ingest.kafka.client import Kafka
from ingest.seal.chain import event_id
from schemas import events as e
from tests.broker.environment import leading_to
from tests.broker.nodes import until
from tests.support.readings import json_line, talk

COMMAND = (sys.executable, "-c", "from audit.cli.main import main; main()")
BATCH = 5
PACE_S = 0.02  # between two batches
TABLES = 3
DEVICES = tuple(f"{kind}-T{n}" for n in range(TABLES) for kind in ("shoe", "chips"))
READY_S, ANSWER_S, WAITED_S = 60.0, 30.0, 90.0


class Door:
    """`roundproof ingest serve`, forwarding to a Kafka."""

    def __init__(self, home: Path, kafka: Kafka) -> None:
        self.home, self._kafka = home, kafka
        self._said = home / "said.log"
        home.mkdir(parents=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()

    def start(self) -> None:
        """Start the process and wait until it listens."""
        command = [*COMMAND, "ingest", "serve", "--port", "0", "--home", str(self.home)]
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                command, env=self._environment(), stdout=said, stderr=said
            )
        until(self._listens, READY_S, "the gateway to listen")

    def kill(self) -> None:
        """End it by kill -9."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(READY_S) in {0, -signal.SIGTERM}

    def memory_kib(self) -> int:
        """The most memory the process has held."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("utf-8")
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1])  # type: ignore[index]  # always there

    def _listens(self) -> bool:
        said = self._said.read_text("utf-8", "replace")
        if self._process.poll() is not None:
            raise AssertionError(f"the gateway ended:\n{said}")
        found = re.search(r"listening on (127\.0\.0\.1:\d+)", said)
        self.address = f"http://{found[1]}" if found else ""
        return bool(found)

    def _environment(self) -> dict[str, str]:
        secrets = ",".join(f"{device}/*/*={_key(device)}" for device in DEVICES)
        return os.environ | leading_to(self._kafka) | {device_keys.ENVIRONMENT: secrets}


class Devices(threading.Thread):
    """Devices that send readings one batch after another, and again where no answer came."""

    def __init__(self, door: Door) -> None:
        super().__init__(name="devices")
        self._door, self._over = door, threading.Event()
        self.acknowledged: list[str] = []  # event ids, in the order of the answers
        self.stored = Counter[str]()  # where the readings were when the answer was given
        self.longest_s = 0.0  # that a device waited for an answer

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        """Speak until told to stop; a batch that was begun is brought to its end."""
        with httpx.Client(timeout=ANSWER_S) as client:
            for batch in _batches():
                if self._over.is_set():
                    return
                began = time.monotonic()
                while not self._answered(client, batch):
                    self._over.wait(0.05)
                    if self._over.is_set():
                        return
                self.longest_s = max(self.longest_s, time.monotonic() - began)
                self.acknowledged += [event_id(each) for each in batch]
                self._over.wait(PACE_S)

    def wait_for(self, more: int, where: str) -> None:
        """Wait until so many more readings are acknowledged by `kafka`, or by the `spool` alone."""
        wanted = self.stored[where] + more
        until(lambda: self.stored[where] >= wanted, WAITED_S, f"{more} more answers by the {where}")

    def _answered(self, client: httpx.Client, batch: Sequence[e.Reading]) -> bool:
        header = {"authorization": f"Bearer {_key(batch[0].device_id)}"}
        body = b"".join(map(json_line, batch))
        try:
            answer = client.post(f"{self._door.address}/readings", content=body, headers=header)
        except httpx.TransportError:
            return False
        assert answer.status_code in {200, 503}, answer.text
        if answer.status_code == 200:
            self.stored[answer.json()["stored"]] += len(batch)
        return answer.status_code == 200


def _batches() -> Iterator[list[e.Reading]]:
    """What the devices say, each one's readings in their order, for as long as it takes."""
    count = BATCH * len(DEVICES)
    spoken = talk(10**9, TABLES)
    while True:
        share = list(islice(spoken, count))
        for device in DEVICES:
            yield [each for each in share if each.device_id == device]


def _key(device: str) -> str:
    return f"{device}-key-0123456789"

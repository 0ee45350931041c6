"""One node as a process: made, started, ended, found again by whoever comes later."""

import base64
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template

from tests.broker import jars
from tests.broker.places import ROOT, BrokerTrouble

LOGGING = Path(__file__).with_name("log4j2.properties")
HEAP = ["-Xms128m", "-Xmx384m", "-XX:+UseSerialGC"]
QUICK = ["-XX:TieredStopAtLevel=1"]  # starts with half the work; its top speed is lower
STARTING_S, STOPPING_S = 120, 30


class Node:
    """A node in its folder: server.properties, data, broker.log, pid."""

    def __init__(self, folder: Path, host: str, port: int, within: Sequence[str] = ()) -> None:
        self.folder, self.host, self.port, self._within = folder, host, port, within

    @property
    def address(self) -> str:
        """Where clients find it."""
        return f"{self.host}:{self.port}"

    def write(self, template: Path, values: Mapping[str, object]) -> None:
        """Write the node's settings; what it held before is gone."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        text = Template(template.read_text("utf-8")).substitute(values, data=self.folder / "data")
        self._settings.touch(0o600)
        self._settings.write_text(text, "utf-8")

    def format(self, cluster_id: str, users: Mapping[str, str]) -> None:
        """Make the node's storage, with the users it must know before it runs."""
        scram = [
            f"--add-scram=SCRAM-SHA-512=[name={user},iterations=8192,password={password}]"
            for user, password in sorted(users.items())
        ]
        command = [
            *_java([*QUICK, "-Xmx128m"]), "kafka.tools.StorageTool", "format", "-t", cluster_id,
            "-c", str(self._settings), *scram,
        ]  # fmt: skip
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise BrokerTrouble(f"{self.folder}: format refused:\n{ran.stderr or ran.stdout}")

    def start(self, *more: str, quick: bool) -> None:
        """Start the process, with more options of Java's, and let it outlive this one."""
        options = [*HEAP, *(QUICK if quick else []), *more]
        command = [*self._within, *_java(options), "kafka.Kafka", str(self._settings)]
        pid = spawned(command, self.folder / "broker.log")
        self._pid_file.write_text(f"{pid} {_born(pid)}\n", "utf-8")

    def running(self) -> bool:
        """Whether the node's own process is alive."""
        return self.pid() is not None

    def pid(self) -> int | None:
        """The node's process, when it lives."""
        try:
            pid, born = map(int, self._pid_file.read_text("utf-8").split())
        except (FileNotFoundError, ValueError):
            return None
        return pid if _born(pid) == born else None

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process, and wait until it is gone."""
        pid = self.pid()
        if pid is None:
            return
        os.kill(pid, how)
        try:
            until(lambda: not self.running(), STOPPING_S, f"{self.folder} to stop")
        except BrokerTrouble:
            os.kill(pid, signal.SIGKILL)
            until(lambda: not self.running(), STOPPING_S, f"{self.folder} to die")

    def last_words(self) -> str:
        """The end of the node's log, for a message."""
        log = self.folder / "broker.log"
        lines = log.read_text("utf-8", "replace").splitlines() if log.exists() else []
        return "\n".join(lines[-12:])

    @property
    def _settings(self) -> Path:
        return self.folder / "server.properties"

    @property
    def _pid_file(self) -> Path:
        return self.folder / "pid"


def cluster_id() -> str:
    """A new cluster's id: 16 random bytes in 22 letters, never beginning with a dash."""
    drawn = base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")
    return cluster_id() if drawn.startswith("-") else drawn


def until(holds: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise BrokerTrouble(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.05)


def spawned(command: list[str], log: Path) -> int:
    """Start a process that outlives this one and holds nothing of it open; its number."""
    return os.posix_spawnp(
        command[0],
        command,
        os.environ | {"PYTHONPATH": str(ROOT.parent)},
        setsid=True,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
    )


def _born(pid: int) -> int | None:
    """When a living process began, in ticks; a number used again by another began later."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else int(rest[18])


def _java(options: list[str]) -> list[str]:
    logging = f"-Dlog4j2.configurationFile={LOGGING}"
    kept = jars.classes()
    mapped = [f"-XX:SharedArchiveFile={kept}"] if kept.exists() else []
    return [jars.java(), *options, *mapped, logging, "-cp", f"{jars.folder()}/*"]

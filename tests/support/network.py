"""The network between a gateway and its broker, which a test may cut, slow and mend."""

import os
import secrets
import selectors
import shutil
import socket
import subprocess
import threading
import time
from contextlib import suppress
from typing import Protocol, Self

from tests.broker.ports import HOST

CHUNK = 64 * 1024


class Wire(Protocol):
    """A network with the broker at its far end."""

    def cut(self) -> None:
        """From now on nothing arrives, and nobody is told."""
        ...

    def mend(self) -> None:
        """From now on everything arrives again."""
        ...


class Namespace:
    """A network namespace of the broker's own; pulling the plug is the link going down.

    Only the machine's owner may make one: see `allowed`.
    """

    def __init__(self) -> None:
        self.name = f"rp{secrets.token_hex(3)}"
        net = f"10.{secrets.randbelow(100) + 100}.{secrets.randbelow(256)}"
        self.near, self.far = f"{net}.1", f"{net}.2"

    def __enter__(self) -> Self:
        outside, inside = f"{self.name}a", f"{self.name}b"
        _ip("netns", "add", self.name)
        _ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", self.name)
        _ip("addr", "add", f"{self.near}/30", "dev", outside)
        _ip("link", "set", outside, "up")
        _ip("-n", self.name, "addr", "add", f"{self.far}/30", "dev", inside)
        _ip("-n", self.name, "link", "set", "lo", "up")
        self.mend()
        return self

    def __exit__(self, *_: object) -> None:
        _ip("netns", "del", self.name)

    def cut(self) -> None:
        """Pull the plug at the broker's end."""
        _ip("-n", self.name, "link", "set", f"{self.name}b", "down")

    def mend(self) -> None:
        """Put the plug back."""
        _ip("-n", self.name, "link", "set", f"{self.name}b", "up")

    @staticmethod
    def allowed() -> bool:
        """Whether namespaces can be made here."""
        if os.geteuid() != 0 or shutil.which("ip") is None:
            return False
        trial = f"rp{secrets.token_hex(3)}"
        made = subprocess.run(["ip", "netns", "add", trial], capture_output=True, check=False)
        if made.returncode == 0:
            _ip("netns", "del", trial)
        return made.returncode == 0


class Proxy(threading.Thread):
    """A relay at the broker's advertised address; while it is cut it holds what comes.

    `delay_s` slows it: every piece waits that long on its way.
    """

    def __init__(self, port: int, delay_s: float = 0.0) -> None:
        super().__init__(name="proxy")
        self._target, self._delay_s = port, delay_s
        self._door = socket.create_server((HOST, 0))
        self.port = int(self._door.getsockname()[1])
        self._peers: dict[socket.socket, socket.socket] = {}
        self._open, self._over = threading.Event(), False
        self._open.set()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self.mend()
        self.join()

    def cut(self) -> None:
        """Hold every byte from now on."""
        self._open.clear()

    def mend(self) -> None:
        """Let everything through, what was held first."""
        self._open.set()

    def run(self) -> None:
        """Carry bytes both ways."""
        with self._door, selectors.DefaultSelector() as ready:
            ready.register(self._door, selectors.EVENT_READ)
            while not self._over:
                found = ready.select(0.1)
                self._open.wait()
                for key, _ in found:
                    self._carry(ready, key.fileobj)
            for each in self._peers:
                each.close()

    def _carry(self, ready: selectors.BaseSelector, side: object) -> None:
        assert isinstance(side, socket.socket)
        if side is self._door:
            near, _ = side.accept()
            with suppress(OSError):
                far = socket.create_connection((HOST, self._target))
                for one, other in ((near, far), (far, near)):
                    self._peers[one] = other
                    ready.register(one, selectors.EVENT_READ)
            return
        if side not in self._peers:
            return
        time.sleep(self._delay_s)
        piece = b""
        with suppress(OSError):
            piece = side.recv(CHUNK)
            self._peers[side].sendall(piece)
        if not piece:
            for each in (side, self._peers[side]):
                ready.unregister(each)
                self._peers.pop(each)
                each.close()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)

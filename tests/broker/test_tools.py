"""Where no broker can be had it is said what is missing and what to do."""

import os
import socket
from pathlib import Path

import pytest

from tests.broker import __main__ as desk
from tests.broker import jars, nodes, ports, tools
from tests.broker.places import BrokerTrouble


def test_no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BrokerTrouble, match="java is not on the PATH; install it"):
        jars.java()


def test_a_java_that_is_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "java"
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n", "utf-8")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    with pytest.raises(BrokerTrouble, match=r'Java 17 or newer expected, found .*"11\.0\.2"'):
        jars.java()


def test_who_may_not_install_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BrokerTrouble, match="apt-get install openjdk-17-jre-headless maven kcat"):
        tools.ensure()


def test_a_taken_port_is_left_alone() -> None:
    with socket.create_server((ports.HOST, 0)) as taken:
        wanted = int(taken.getsockname()[1])
        found = ports.free([wanted])

    assert found != [wanted]


def test_a_word_that_is_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert desk.main(["fly"]) == 2
    assert "'fly' found" in capsys.readouterr().err


@pytest.mark.parametrize("kept", [True, False])
def test_a_node_starts_from_the_classes_that_were_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    started: list[str] = []

    def spawned(command: list[str], _: Path) -> int:
        started.extend(command)
        return os.getpid()

    monkeypatch.setattr(jars, "classes", lambda: tmp_path / "classes.jsa")
    monkeypatch.setattr(nodes, "spawned", spawned)
    if kept:
        (tmp_path / "classes.jsa").touch()

    nodes.Node(tmp_path, ports.HOST, 1).start(quick=True)

    assert (f"-XX:SharedArchiveFile={tmp_path / 'classes.jsa'}" in started) == kept

"""compose.yaml says in Docker's words what the nodes of the desk are told."""

import os
import shutil
import subprocess
from pathlib import Path
from string import Template

import pytest

from tests.broker import compose, jars, making
from tests.broker.ports import CLUSTER
from tests.broker.settings import properties


def test_the_file_is_written_from_the_settings() -> None:
    assert compose.FILE.read_text("utf-8") == compose.text()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_names_of_the_settings_survive_the_journey(number: int) -> None:
    """The image's own rule, backwards: an underscore is a dot, three are a dash."""
    values = compose.values(CLUSTER, number)
    told = compose.environment(making.THREE, values)

    back = {
        name.removeprefix("KAFKA_").lower().replace("___", "-").replace("_", "."): value
        for name, value in told.items()
    }

    text = Template(making.THREE.read_text("utf-8")).substitute(values)
    assert back == properties(text)


def test_a_container_formats_its_node_with_users(tmp_path: Path) -> None:
    """node.sh as the container runs it, with Kafka's own storage tool; only the start is noted."""
    users = making.papers(tmp_path / "papers")
    values = compose.values(CLUSTER, 2) | {
        "data": tmp_path / "data",
        "tls": tmp_path / "papers",
        **{f"{user}_password": password for user, password in users.items()},
    }
    tools = tmp_path / "bin"
    tools.mkdir()
    classes = f'exec {jars.java()} -cp "{jars.folder()}/*" kafka.tools.StorageTool "$@"'
    _script(tools / "kafka-storage.sh", classes)
    _script(tools / "kafka-server-start.sh", f'cp "$1" {tmp_path}/started')

    subprocess.run(
        [shutil.which("bash") or "bash", Path(compose.__file__).with_name("node.sh")],
        env={
            "PATH": os.environ["PATH"],
            "BIN": str(tools),
            "SETTINGS": str(tmp_path / "server.properties"),
            "USERS_FILE": str(tmp_path / "papers" / "users"),
            "CLUSTER_ID": compose.CLUSTER_ID,
            "KAFKA_HEAP_OPTS": compose.HEAP,
            **compose.environment(making.THREE, values),
        },
        check=True,
        capture_output=True,
    )

    started = properties((tmp_path / "started").read_text("utf-8"))
    assert started == properties(Template(making.THREE.read_text("utf-8")).substitute(values))
    meta = properties((tmp_path / "data" / "meta.properties").read_text("utf-8"))
    assert (meta["cluster.id"], meta["node.id"]) == (compose.CLUSTER_ID, "2")
    stored = (tmp_path / "data" / "bootstrap.checkpoint").read_bytes()
    assert all(user.encode() in stored for user in users)


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)

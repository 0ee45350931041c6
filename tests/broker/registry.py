"""A real schema registry for one test: Apicurio's, which speaks Confluent's API."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.broker import jars, ports
from tests.broker.nodes import QUICK, STARTING_S, until

POM = Path(__file__).with_name("registry.xml")
LONGEST_S = 600  # it ends by itself, should its test be killed


@contextmanager
def registry(folder: Path) -> Iterator[str]:
    """The address of a registry that knows nothing yet and keeps nothing."""
    (program,) = jars.folder(POM, "unpack-dependencies").glob("*-runner.jar")
    (port,) = ports.some(1)
    command = [
        "timeout", str(LONGEST_S), jars.java(), "-Xmx256m", "-XX:+UseSerialGC", *QUICK,
        f"-Dquarkus.http.host={ports.HOST}", f"-Dquarkus.http.port={port}", "-jar", str(program),
    ]  # fmt: skip
    url = f"http://{ports.HOST}:{port}/apis/ccompat/v7"
    with (folder / "registry.log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until(lambda: _answers(url), STARTING_S, f"{folder}/registry.log to say that it listens")
        yield url
    finally:
        running.terminate()
        running.wait()


def _answers(url: str) -> bool:
    try:
        with urlopen(f"{url}/subjects", timeout=5) as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError, TimeoutError):
        return False

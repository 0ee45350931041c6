"""The broker's jars: resolved once by Maven, and kept beside the brokers that share them."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from tests.broker.places import ROOT, BrokerTrouble, locked

POM = Path(__file__).with_name("pom.xml")
JAVA = 17  # the oldest that runs Kafka 4


def java() -> str:
    """The Java to run a broker with."""
    found = shutil.which("java")
    if found is None:
        raise BrokerTrouble(f"java is not on the PATH; {_install('openjdk-17-jre-headless')}")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) < JAVA:
        raise BrokerTrouble(
            f"{found}: Java {JAVA} or newer expected, found {said.splitlines()[:1]}"
        )
    return found


def folder(pom: Path = POM, goal: str = "copy-dependencies") -> Path:
    """The folder of what a POM asks for, filled when this is the first call of all."""
    name = hashlib.sha256(pom.read_bytes()).hexdigest()[:12]
    found = ROOT / "jars" / name
    if not found.is_dir():
        with locked(ROOT / "jars.lock"):
            if not found.is_dir():
                _resolve(found, pom, goal)
    return found


def classes() -> Path:
    """The file of a node's classes as Java maps them in; classes.py makes it."""
    return folder().with_suffix(".jsa")


def _resolve(found: Path, pom: Path, goal: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise BrokerTrouble(f"mvn is not on the PATH; {_install('maven')}")
    partial, work = found.with_suffix(".partial"), found.with_suffix(".work")
    for each in (partial, work):
        shutil.rmtree(each, ignore_errors=True)
    work.mkdir(parents=True)
    copy = shutil.copy(pom, work)  # Maven notes beside it what it has unpacked, and would not again
    command = [
        maven, "-q", "-B", "-f", str(copy), f"dependency:{goal}", f"-DoutputDirectory={partial}",
    ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        said = "\n".join([line for line in ran.stdout.splitlines() if "ERROR" in line][:3])
        raise BrokerTrouble(f"Maven could not fetch what {pom} asks for:\n{said or ran.stderr}")
    partial.rename(found)
    shutil.rmtree(work)


def _install(package: str) -> str:
    return f"install it (Debian: apt-get install {package}), or run make kafka as root"

"""The programs that a broker and its tests need, installed where we may."""

import os
import shutil
import subprocess
from collections.abc import Sequence

from tests.broker import classes, jars
from tests.broker.places import BrokerTrouble

PACKAGES = {"java": "openjdk-17-jre-headless", "mvn": "maven", "kcat": "kcat"}  # Debian's names


def ensure() -> None:
    """Java, Maven, kcat, the broker's jars and classes are there, or it is said what to install."""
    missing = [program for program in PACKAGES if shutil.which(program) is None]
    if missing:
        _install([PACKAGES[program] for program in missing], missing)
    jars.java()
    jars.folder()
    classes.keep()


def _install(packages: Sequence[str], missing: Sequence[str]) -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise BrokerTrouble(
            f"{', '.join(missing)} not found; install what gives them and try again"
            f" (Debian: sudo apt-get install {' '.join(packages)})"
        )
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        ran = subprocess.run(
            [apt, "--quiet", *words], env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            said = "\n".join(ran.stderr.splitlines()[-5:])
            raise BrokerTrouble(f"apt-get {' '.join(words)} did not work:\n{said}")

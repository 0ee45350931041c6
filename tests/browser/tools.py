"""The browser that the tests of the console need, installed where we may."""

import os
import shutil
import subprocess

PROGRAM, PACKAGE = "chromium", "chromium"


class BrowserMissing(Exception):
    """There is no browser, and we may not install one; the text says what to install."""


def ensure() -> None:
    """Chromium is there, or it is said what to install."""
    if shutil.which(PROGRAM):
        return
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        what = f"{PROGRAM} not found; install it and try again"
        raise BrowserMissing(f"{what} (Debian: sudo apt-get install {PACKAGE})")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", PACKAGE]):
        ran = subprocess.run(
            [apt, "--quiet", *words], env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            said = "\n".join(ran.stderr.splitlines()[-5:])
            raise BrowserMissing(f"apt-get {' '.join(words)} did not work:\n{said}")

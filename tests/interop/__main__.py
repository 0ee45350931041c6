"""Go's checksum database and OpenSSL verify what we signed: `make interop`."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from audit.house import seal as house_seal
from ingest.seal import keys
from tests.support.sealed_houses import event_bytes, sealed_in_steps

HERE = Path(__file__).parent


def main() -> int:
    """Seal a small house, and let the others look at it."""
    missing = [name for name in ("go", "openssl") if shutil.which(name) is None]
    if missing:
        sys.stderr.write(f"make interop needs {' and '.join(missing)} on this machine\n")
        return 6
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        vectors(folder / "house", folder)
        subprocess.run(["go", "run", ".", str(folder)], cwd=HERE, check=True)
        words = "pkeyutl -verify -pubin -inkey key.pem -rawin -in event -sigfile event.sig"
        subprocess.run(["openssl", *words.split()], cwd=folder, check=True)
    return 0


def vectors(home: Path, folder: Path) -> None:
    """A house that was sealed three times, and its proofs as files."""
    sealed_in_steps(home, "T1", [7, 300, 701])
    made, event = house_seal.proofs(home), event_bytes(home, "T1")[123]
    older, key = made.before(), house_seal.signing_key(home)
    assert older is not None
    head = made.lane_head("T1")
    texts = {
        "vkey": key.public.vkey,
        "checkpoint": made.note,
        "older-checkpoint": older.note,
        "consistency": made.consistency(older.head.size),
        "lane-head": head.head.text,
        "head.tlog-proof": head.text,
        "event.lane-proof": made.inclusion("T1", 123).text,
        "key.pem": keys.pem(key.public),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "event").write_bytes(event)
    (folder / "event.sig").write_bytes(key.signature(event))


if __name__ == "__main__":
    sys.exit(main())

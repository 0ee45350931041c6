"""Compares the files of an evidence pack with its manifest. It imports nothing but Python itself.

    python3 -I verify.py PACK

It does not check the signature and the proofs, so it never says more than `incomplete`.
Exit codes: 4 a file was changed, added or lost; 2 the files are those of the manifest.
"""

import hashlib
import json
import sys
import zipfile

APART = ("manifest.json", "manifest.sig")


def main(path: str) -> int:
    """Compare a pack with its manifest, say what was found, and return the exit code."""
    with zipfile.ZipFile(path) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    manifest = json.loads(files["manifest.json"])
    found = {
        name: {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
        for name, body in files.items()
        if name not in APART
    }
    wrong = sorted(
        name
        for name in found.keys() | manifest["files"].keys()
        if found.get(name) != manifest["files"].get(name)
    )
    for name in wrong:
        sys.stdout.write(f"altered: {name}\n")
    if not wrong:
        sys.stdout.write(f"incomplete: {len(found)} files as listed; signature not checked\n")
    return 4 if wrong else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""A zip that is a function of names and contents: stored, sorted, without times of its own.

Readers write it again and compare, so no byte of it can change unseen.
"""

import io
import zipfile
from collections.abc import Mapping

WHEN = (1980, 1, 1, 0, 0, 0)  # the first time that a zip can say
MODE = 0o100644 << 16
UNIX = 3


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The files as one zip."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, WHEN)
            entry.create_system, entry.external_attr = UNIX, MODE
            archive.writestr(entry, files[name])
    return made.getvalue()

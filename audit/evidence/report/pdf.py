"""Lays a report out as PDF/A-2b by typst: the same report gives the same bytes."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

FONTS = Path(__file__).parent / "fonts"
TEMPLATE = Path(__file__).with_name("report.typ")
STANDARD: Final = "a-2b"


def pdf(
    document: Mapping[str, Any], felt: str, frames: Mapping[str, bytes], qr: str, as_of: int
) -> bytes:
    """The report with the picture of its felt, its frames, and the text of its QR code.

    Its date is that of the record that it is made from (`as_of`, seconds since 1970), so that the
    same record gives the same file.
    """
    import typst  # slow to import

    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "report.typ").write_bytes(TEMPLATE.read_bytes())
        (root / "report.json").write_text(json.dumps(document, sort_keys=True), "utf-8")
        (root / "felt.svg").write_text(felt, "utf-8")
        (root / "qr.svg").write_text(_qr(qr), "utf-8")
        for name, picture in frames.items():
            (root / Path(name).name).write_bytes(picture)
        made = typst.compile(
            root / "report.typ",
            root=root,
            font_paths=[FONTS],
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=[STANDARD],
            timestamp=as_of,
        )
    assert isinstance(made, bytes)
    return made


def _qr(text: str) -> str:
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", border=0, xmldecl=False, svgclass=None, lineclass=None
    )
    return drawn.getvalue().decode()

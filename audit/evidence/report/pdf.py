"""Lays a report out as PDF/A-2b by typst: the same report gives the same bytes."""

import contextlib
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
    same record gives the same file. A file that is only called a picture is named, not printed.
    """
    import typst  # slow to import

    try:
        return _laid_out(document, felt, frames, qr, as_of)
    except typst.TypstError:
        known = drawable(frames)
        if len(known) == len(frames):
            raise
    entries = [
        entry | {"file": entry["file"] if entry["file"] in known else ""}
        for entry in document["frames"]
    ]
    kept = {name: frames[name] for name in known}
    return _laid_out({**document, "frames": entries}, felt, kept, qr, as_of)


def _laid_out(
    document: Mapping[str, Any], felt: str, frames: Mapping[str, bytes], qr: str, as_of: int
) -> bytes:
    import typst

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


def drawable(frames: Mapping[str, bytes]) -> list[str]:
    """The names of the pictures that can be printed: a file may only be called a picture."""
    import typst

    found = []
    for name, picture in frames.items():
        with TemporaryDirectory() as folder:
            (Path(folder) / Path(name).name).write_bytes(picture)
            page = Path(folder) / "page.typ"
            page.write_text(f'#image("{Path(name).name}")', "utf-8")
            with contextlib.suppress(typst.TypstError):
                typst.compile(page, root=Path(folder), format="pdf")
                found.append(name)
    return found


def _qr(text: str) -> str:
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", border=0, xmldecl=False, svgclass=None, lineclass=None
    )
    return drawn.getvalue().decode()

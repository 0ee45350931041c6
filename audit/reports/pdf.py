"""Lays a report out as PDF/A-2b by typst: the same result gives the same bytes."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from audit.evidence.report.pdf import FONTS, STANDARD

TEMPLATE = Path(__file__).with_name("report.typ")


def pdf(page: Mapping[str, Any], as_of: str) -> bytes:
    """The report; its date is that of its data, or 1970 where there is none."""
    import typst  # slow to import

    at = int(datetime.fromisoformat(as_of).replace(tzinfo=UTC).timestamp()) if as_of else 0
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "report.typ").write_bytes(TEMPLATE.read_bytes())
        (root / "report.json").write_text(json.dumps(page, sort_keys=True), "utf-8")
        made = typst.compile(
            root / "report.typ",
            root=root,
            font_paths=[FONTS],
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=[STANDARD],
            timestamp=at,
        )
    assert isinstance(made, bytes)
    return made

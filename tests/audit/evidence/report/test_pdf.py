"""A report is PDF/A-2b, the same bytes each time, and brings its own letters."""

import re

from audit.drawing.felt import felt
from audit.drawing.theme import PAPER
from audit.evidence.report.document import document
from audit.evidence.report.pdf import FONTS, pdf
from tests.audit.evidence.report.test_document import ZONE, on_file, rounds

AS_OF = 1_772_334_000


def test_a_report_is_pdf_a_and_the_same_each_time() -> None:
    judged = rounds("TB")[0]
    for language in ("en", "vi"):
        made = document(on_file(judged), language, ZONE, "rp-1")
        picture = felt(judged, theme=PAPER, language=language)
        first, second = (pdf(made, picture, {}, "rp-1", AS_OF) for _ in range(2))

        assert first == second
        assert first.startswith(b"%PDF-1.7")
        assert re.search(rb"pdfaid:part[>=\"]+2", first)
        assert re.search(rb"/BaseFont ?/[A-Z]{6}\+Inter", first)


def test_the_fonts_come_with_their_licence() -> None:
    assert sorted(path.name for path in FONTS.iterdir()) == [
        "Inter-Regular.otf", "Inter-SemiBold.otf", "OFL.txt",
    ]  # fmt: skip
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text("utf-8")

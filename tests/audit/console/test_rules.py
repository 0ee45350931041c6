"""The rulebook room holds exact returns against the certificate."""

from pathlib import Path

from tests.support.console_desks import DeskRecords, SeatedPerson, console_over


def test_a_return_outside_its_certificate_is_marked(console_house: Path, tmp_path: Path) -> None:
    app = console_over(console_house, tmp_path / "house", DeskRecords())

    page = SeatedPerson(app, "operator").get("/rules/SA-SB")

    assert '<td>small</td><td class="right">97.2222 %</td>' in page
    assert page.count("86.11 % – 97.22 %</td>") > page.count("86.11 % – 97.22 % ✗</td>") > 0

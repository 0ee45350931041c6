"""What a report reads beside the tables, given to its queries as the JSON parameter $input."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from audit.cli.errors import Code, Stopped
from audit.reports.shipped import ShippedReport
from replay import rulebooks
from replay.batch import reaudit


def given(report: ShippedReport, folder: Path | None) -> str:
    """The input of a report; empty where it reads the tables alone."""
    if folder is not None and report.source_of_input != "reaudit":
        what = f"--run {folder}: report {report.name} is not made of a re-audit"
        raise Stopped(what, "leave --run out", Code.USAGE)
    if not report.source_of_input:
        return ""
    made = INPUTS[report.source_of_input](folder)
    return json.dumps(made, sort_keys=True, ensure_ascii=False)


def _rule_issues(_: Path | None) -> list[dict[str, Any]]:
    """Every issue of every edition on file."""
    return [
        issue._asdict() | {"game": edition.code, "edition": edition.number}
        for edition in rulebooks.editions()
        for issue in edition.issues.values()
    ]


def _reaudit(folder: Path | None) -> dict[str, Any]:
    """What a re-audit was asked, and the wagers that it found due another amount."""
    if folder is None:
        what = "--run: a folder of roundproof reaudit --out expected, nothing found"
        raise Stopped(what, "roundproof reaudit --help", Code.USAGE)
    try:
        lines = reaudit.kept(folder)
        asked = json.loads((folder / reaudit.RUN).read_bytes())
    except reaudit.BadRun as error:
        step = "run roundproof reaudit --out FOLDER again"
        raise Stopped(str(error), step, Code.UNVERIFIED) from error
    return {"asked": asked, "lines": [dict(lines[key]) for key in sorted(lines)]}


INPUTS: Mapping[str, Callable[[Path | None], Any]] = {
    "rule_issues": _rule_issues,
    "reaudit": _reaudit,
}

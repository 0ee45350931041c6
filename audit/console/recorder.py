"""The console's access records: one before every page, on disk before anything is shown."""

from collections.abc import Callable
from pathlib import Path

from audit.access import access_log
from audit.access.access_log import AccessOutcome, AccessRequest, Viewer
from audit.console.guard import Recorder
from ingest.log import is_id

NOBODY = "unknown"
# What a page did, in the words of the access stream.
ACTIONS = {
    "viewed": "view",
    "ran query": "query",
    "exported query": "export",
    "exported table": "export",
    "downloaded pack": "export",
    "verified pack": "verify",
}


def recorder(home: Path, clock_us: Callable[[], int]) -> Recorder:
    """What writes the records of a house."""

    def record(who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
        viewer = Viewer(who if is_id(who) else NOBODY, "", f"{role or 'nobody'} {who}"[:80])
        is_query = "query" in did
        request = AccessRequest(
            "refused" if refused else ACTIONS.get(did, "change"),
            f"console: {did}",
            "rows" if is_query else "page",
            () if is_query else (subject[:200],),
            subject if is_query else "",
        )
        outcome = AccessOutcome(0, refusal=refused) if refused else None
        access_log.record(home, viewer, request, clock_us, outcome)

    return record

"""The ledger of a table-day: which findings were published, and what must be published now."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from audit.run_checks import Finding

RAISED, WITHDRAWN = "raised", "withdrawn"


class Entry(NamedTuple):
    """A finding as it was published last."""

    finding: Finding
    version: int
    state: str


class Ledger:
    """What readers of the findings' topic know of one table-day."""

    def __init__(self, known: Mapping[str, Entry] | None = None) -> None:
        self._entries = dict(known or {})

    def learn(self, published: Mapping[str, Entry]) -> None:
        """Take note of what somebody else published since."""
        for name, entry in published.items():
            if name not in self._entries or entry.version > self._entries[name].version:
                self._entries[name] = entry

    def raised(self) -> list[Finding]:
        """The findings that stand."""
        return [entry.finding for entry in self._entries.values() if entry.state == RAISED]

    def changes(
        self, found: Iterable[Finding], looked_at: Callable[[Finding], bool]
    ) -> Iterator[Entry]:
        """What is new or otherwise than published, and what was looked at and is gone."""
        now = {finding.finding_id: finding for finding in found}
        for finding in now.values():
            before = self._entries.get(finding.finding_id)
            if before is None or (before.state, before.finding) != (RAISED, finding):
                yield self._next(finding, RAISED)
        for finding in self.raised():
            if finding.finding_id not in now and looked_at(finding):
                yield self._next(finding, WITHDRAWN)

    def _next(self, finding: Finding, state: str) -> Entry:
        before = self._entries.get(finding.finding_id)
        entry = Entry(finding, before.version + 1 if before else 1, state)
        self._entries[finding.finding_id] = entry
        return entry

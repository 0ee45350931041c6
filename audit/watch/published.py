"""Which findings of a table-day were published, and what must be published now.

Whoever judges a day again comes to moments of which others told already, and more after them. As
long as the topic holds something later of a finding than the moment that is judged, nothing is said
of it: the topic's last word counts, and is compared when its moment has come.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from audit.checks.run import CheckFinding

RAISED, WITHDRAWN = "raised", "withdrawn"


class PublishedFinding(NamedTuple):
    """A finding as it was published, and when the event was appended that it came of."""

    finding: CheckFinding
    version: int
    state: str
    at: int = 0  # UTC microseconds


class PublishedFindings:
    """What readers of the findings' topic know of one table-day."""

    def __init__(
        self,
        known: Mapping[str, PublishedFinding] | None = None,
        later: Iterable[PublishedFinding] = (),
    ) -> None:
        """`known` was published of what came before; `later` of what is still to be judged."""
        self._entries = dict(known or {})
        self._later: dict[str, list[PublishedFinding]] = {}
        self.learn(later)

    def learn(self, published: Iterable[PublishedFinding]) -> None:
        """Take note of what somebody else published, in its order, of what we come to yet."""
        for entry in published:
            if entry.version > self._version(entry.finding.finding_id):
                self._later.setdefault(entry.finding.finding_id, []).append(entry)

    def raised(self) -> list[CheckFinding]:
        """The findings that stand."""
        return [entry.finding for entry in self._entries.values() if entry.state == RAISED]

    def changes(
        self,
        found: Iterable[CheckFinding],
        looked_at: Callable[[CheckFinding], bool],
        at: int = 0,
        *,
        last: bool = False,
    ) -> Iterator[PublishedFinding]:
        """What is new or otherwise than published, and what was looked at and is gone.

        `at` is the moment that is judged; `last`: nothing more comes of that very moment.
        """
        now = {finding.finding_id: finding for finding in found}
        for name, finding in now.items():
            yield from self._changed(name, finding, at, last=last)
        for name in self._published(looked_at):
            if name not in now:
                yield from self._changed(name, None, at, last=last)

    def _changed(
        self, name: str, finding: CheckFinding | None, at: int, *, last: bool
    ) -> Iterator[PublishedFinding]:
        """What must be said of a finding that is there now, or is not."""
        later = self._later.get(name, [])
        while later and (later[0].at < at or (last and later[0].at == at)):
            self._entries[name] = later.pop(0)
        before = self._entries.get(name)
        if (later and later[-1].at > at) or _says(before, finding):
            return
        told = next((n for n, entry in enumerate(later) if _says(entry, finding)), None)
        if told is not None:  # of this very moment
            self._entries[name] = later[told]
            del later[: told + 1]
            return
        known = finding or (before or later[-1]).finding
        state = RAISED if finding else WITHDRAWN
        self._entries[name] = PublishedFinding(known, self._version(name) + 1, state, at)
        later.clear()
        yield self._entries[name]

    def _published(self, looked_at: Callable[[CheckFinding], bool]) -> list[str]:
        """The findings that were published of what was looked at."""
        told = {name: later[0] for name, later in self._later.items() if later} | self._entries
        return [name for name, entry in told.items() if looked_at(entry.finding)]

    def _version(self, name: str) -> int:
        later = self._later.get(name)
        latest = later[-1] if later else self._entries.get(name)
        return latest.version if latest else 0


def _says(entry: PublishedFinding | None, finding: CheckFinding | None) -> bool:
    """Whether an entry says what is so: that a finding stands as it is, or that none does."""
    if finding is None:
        return entry is None or entry.state == WITHDRAWN
    return entry is not None and (entry.state, entry.finding) == (RAISED, finding)

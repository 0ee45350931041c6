"""Which rounds of a table-day may lack a reading, by the numbers of the devices.

A gap begins with the last reading that its device sent before and ends with the one that showed it.
What is missing belongs to a round that was open meanwhile, or to the table before the next round.
Readings that come in late fill a gap.
"""

from collections import Counter
from dataclasses import dataclass, field

from schemas import events as e


class SequenceGaps:
    """The gaps in the numbers of a table's devices; rounds are counted from 0 as they open."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}  # by device: the round of its last reading, or the next
        self._open: dict[str, list[_Gap]] = {}  # by device
        self._over: Counter[int] = Counter()  # open gaps over each round

    def add(self, event: e.Event, number: int) -> range:
        """Take in an event of a round, or before the next; the rounds whose record it changes."""
        since = self._since.get(event.device_id, 0)
        self._since[event.device_id] = max(number, since)
        match event.payload:
            case e.GapFound(gap_device=device, expected=expected, found=found):
                gap = _Gap(range(expected, found), range(self._since.get(device, 0), number + 1))
                self._open.setdefault(device, []).append(gap)
                self._over.update(gap.rounds)
                return gap.rounds
        return self._filled(event, number)

    def before(self, number: int) -> bool:
        """Whether a reading is missing that may have changed what a round began with."""
        return any(gap.rounds.start <= number for gaps in self._open.values() for gap in gaps)

    def over(self, number: int) -> bool:
        """Whether a round may lack a reading."""
        return self._over[number] > 0

    def _filled(self, event: e.Event, number: int) -> range:
        """The rounds from the gap on that a late reading fills, if it is the last one missing."""
        gaps = self._open.get(event.device_id, [])
        gap = next((gap for gap in gaps if event.device_seq in gap.numbers), None)
        if gap is None:
            return range(0)
        gap.come.add(event.device_seq)
        if len(gap.come) < gap.numbers.stop - gap.numbers.start:
            return range(0)
        gaps.remove(gap)
        self._over.subtract(gap.rounds)
        return range(gap.rounds.start, max(gap.rounds.stop, number + 1))


@dataclass(eq=False)
class _Gap:
    """Numbers that a device left out, and the rounds they may belong to."""

    numbers: range
    rounds: range
    come: set[int] = field(default_factory=set)  # those that came in late

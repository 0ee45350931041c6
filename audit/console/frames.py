"""The felt at every moment of a round, packed: each picture as its difference to the one before.

Two neighbouring pictures differ in one chip or one card, so what they share at both ends is left
out. The browser puts them together again (player.js) and fetches nothing while it steps.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from audit.drawing.felt import drawn
from audit.drawing.table_view import TableView, table_view
from audit.drawing.theme import DARK, Ink
from replay.judge import Judgement

PREFIX = "felt"  # of the ids in the pictures


def frames(
    judged: Judgement, *, language: str, flagged: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """A frame for each event after which the felt looks otherwise."""
    ink = Ink(DARK, language, PREFIX)
    return list(packed((seq, drawn(ink, view)) for seq, view in _views(judged, flagged)))


def _views(judged: Judgement, flagged: Sequence[str]) -> Iterable[tuple[int, TableView]]:
    """What lies on the table after each event that changed it."""
    before: TableView | None = None
    for seq in dict.fromkeys(event.seq for event in judged.round.events):
        view = table_view(judged, until=seq, flagged=flagged)
        comparable = view._replace(wins=_nothing)  # the outcome decides what wins
        if comparable != before:
            before = comparable
            yield seq, view


def _nothing(_: str) -> bool:
    return False


def packed(pictures: Iterable[tuple[int, str]]) -> Iterable[dict[str, Any]]:
    """Pictures by the place from which each shows, without those that show nothing new."""
    before = None
    for seq, picture in pictures:
        if picture == before:
            continue
        head = _shared(before or "", picture)
        tail = _shared((before or "")[head:][::-1], picture[head:][::-1])
        yield {"seq": seq, "head": head, "tail": tail, "text": picture[head : len(picture) - tail]}
        before = picture


def unpacked(frames: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    """The pictures again, as player.js does it."""
    found: list[tuple[int, str]] = []
    for frame in frames:
        before = found[-1][1] if found else ""
        rest = before[len(before) - frame["tail"] :] if frame["tail"] else ""
        found.append((frame["seq"], before[: frame["head"]] + frame["text"] + rest))
    return found


def _shared(one: str, other: str) -> int:
    """How many characters two texts share at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

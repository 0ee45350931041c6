"""One round with something changed in it: what would have been due, and to whom."""

from collections.abc import Iterable
from typing import NamedTuple

from replay import rulebooks, words
from replay.judge import Judgement, judge
from replay.settle import Due
from replay.whatif_changes import BadChange, changed


class WagerDifference(NamedTuple):
    """One wager before and after the change; None where it is not there."""

    wager_id: str
    before: Due | None
    after: Due | None

    @property
    def bet(self) -> str:
        """The bet as it was, or as it became where that differs."""
        return " to ".join(dict.fromkeys(due.bet for due in self[1:] if due))

    @property
    def player(self) -> int:
        """What the player would have had more."""
        return _net(self.after) - _net(self.before)


class WhatIf(NamedTuple):
    """A round before and after."""

    before: Judgement
    after: Judgement
    lines: tuple[WagerDifference, ...]

    @property
    def player(self) -> int:
        """What the players would have had more; the house would have had as much less."""
        return sum(line.player for line in self.lines)


def whatif(judged: Judgement, changes: Iterable[str]) -> WhatIf:
    """The round judged again with changes of the form KEY=VALUE; nothing is written anywhere."""
    round = judged.round
    for change in changes:
        round = changed(round, change)
    posted = round.terms
    if posted is None:
        raise BadChange(f"round {round.round_id}: no terms were posted, so nothing can be judged")
    edition = rulebooks.in_force(posted.game, round.gaming_day, posted.edition)
    after = judge(round, edition, judged.memory)
    if posted == judged.round.terms:
        _must_be_understood(judged, after)
    was, now = ({due.wager_id: due for due in side.dues} for side in (judged, after))
    lines = tuple(
        WagerDifference(wager, was.get(wager), now.get(wager)) for wager in {**was, **now}
    )
    return WhatIf(judged, after, lines)


def _must_be_understood(before: Judgement, after: Judgement) -> None:
    """A change that the rules take for a word without a meaning answers nothing."""
    known = set(before.flags)
    for flag in after.flags:
        if flag.code == "WORD_UNKNOWN" and flag not in known:
            where = f"{flag.subject}: " if flag.subject else ""
            raise BadChange(
                f"{where}{words.text(flag.note) or 'a word that the rules know expected'}"
            )


def _net(due: Due | None) -> int:
    return due.paid - due.collected if due else 0

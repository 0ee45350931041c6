"""Judges one round again with something changed, and compares what each wager is due."""

from collections.abc import Iterable
from typing import NamedTuple

from replay import rulebooks, words
from replay.judge import Judgement, judge
from replay.settle import Due
from replay.whatif_changes import BadChange, changed


class WagerDifference(NamedTuple):
    """One wager before and after the change; None on a side that does not have it."""

    wager_id: str
    before: Due | None
    after: Due | None

    @property
    def bet(self) -> str:
        """The bet; if the change moved it, both bets."""
        return " to ".join(dict.fromkeys(due.bet for due in self[1:] if due))

    @property
    def player(self) -> int:
        """How much more the player would have received; negative if less."""
        return _net(self.after) - _net(self.before)


class WhatIf(NamedTuple):
    """A round before and after."""

    before: Judgement
    after: Judgement
    lines: tuple[WagerDifference, ...]

    @property
    def player(self) -> int:
        """How much more all players would have received, and the house less."""
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
    old, new = ({due.wager_id: due for due in side.dues} for side in (judged, after))
    lines = tuple(
        WagerDifference(wager_id, old.get(wager_id), new.get(wager_id)) for wager_id in old | new
    )
    return WhatIf(judged, after, lines)


def _must_be_understood(before: Judgement, after: Judgement) -> None:
    """Refuse a change that the rules take for an unknown word: they would ignore it."""
    known = set(before.flags)
    for flag in after.flags:
        if flag.code == "WORD_UNKNOWN" and flag not in known:
            where = f"{flag.subject}: " if flag.subject else ""
            raise BadChange(
                f"{where}{words.text(flag.note) or 'a word that the rules know expected'}"
            )


def _net(due: Due | None) -> int:
    return due.net if due else 0

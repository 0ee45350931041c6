"""Stakes outside the posted limits: the report of SA Gaming tells of limits, not what breaks them.

Such a wager is settled in full and told of (rule issue limits of each game).
"""

from collections.abc import Callable, Iterable, Iterator

from replay.rulebooks.terms import Terms
from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from replay.wagers import Wager
from schemas import events as e


def broken(wagers: Iterable[Wager], terms: Terms, legal: Callable[[str], bool]) -> bool:
    """Whether any good wager lies outside its limits."""
    return any(True for _ in remarks("", wagers, terms, legal))


def remarks(
    clause: str, wagers: Iterable[Wager], terms: Terms, legal: Callable[[str], bool]
) -> Iterator[Remark]:
    """Each good wager below the minimum or above the maximum of its bet."""
    for wager in wagers:
        limit = terms.limit(wager.bet)
        if limit is None or wager.late or not legal(wager.bet):
            continue
        if not limit.minimum <= wager.stake <= limit.maximum:
            text = _off_limits(wager, limit)
            own = (wager.event_id,)
            yield Remark("OFF_LIMITS", clause, text, own, wager.wager_id, wager=True)


def _off_limits(wager: Wager, limit: e.Limit) -> Sentence:
    bet, stake = wager.bet, wager.stake
    if stake < limit.minimum:
        return say("shared.below_minimum", bet=bet, stake=stake, bound=limit.minimum)
    return say("shared.above_maximum", bet=bet, stake=stake, bound=limit.maximum)

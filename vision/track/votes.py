"""Combines the readings of many frames into guesses; similar frames count as few.

Successive frames of a card that lies still show the same picture, and repeat the same mistake. So
the readings of one pose are averaged. The average counts as one independent look at first, and as
three at most however long the pose lasts. A new pose, or reappearing from under a hand, is a new
look.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from schemas.events import Guess

MAX_LOOKS_PER_POSE = 3.0  # a pose counts as at most this many independent looks
WORTH_GROWTH_US = (
    1_000_000  # time constant: a pose of this age has gained two thirds of its extra looks
)
MIN_PROBABILITY = 1e-4  # the least probability of what no guess names
MAX_PROBABILITY = 0.9999  # no camera reading is reported as more certain
MIN_POSE_READS = 4  # a pose with fewer readings leaves no votes behind
MAX_GUESSES = 3


@dataclass(frozen=True, slots=True)
class PoseVotes:
    """The readings of one pose."""

    since_us: int
    until_us: int
    reads: int = 0
    scores: Mapping[str, float] = field(default_factory=dict)  # summed over the readings

    def score(self) -> dict[str, float]:
        """The log odds of each reading against one that no guess names."""
        if not self.reads:
            return {}
        age = max(0, self.until_us - self.since_us) / WORTH_GROWTH_US
        worth = 1 + (MAX_LOOKS_PER_POSE - 1) * (1 - math.exp(-age))
        return {seen: worth * total / self.reads for seen, total in self.scores.items()}


@dataclass(frozen=True, slots=True)
class Votes:
    """All votes on one card or piece; `kinds` is the number of possible readings."""

    kinds: int
    past: Mapping[str, float] = field(default_factory=dict)
    pose: PoseVotes | None = None

    @property
    def reads(self) -> int:
        """The number of readings of this pose."""
        return self.pose.reads if self.pose else 0

    def posed(self, at_us: int) -> "Votes":
        """Begin a new pose; keep the votes of the one before unless it was too brief."""
        past = self._scores() if self.reads >= MIN_POSE_READS else self.past
        return replace(self, past=past, pose=PoseVotes(at_us, at_us))

    def read(self, guesses: Sequence[Guess], at_us: int) -> "Votes":
        """Add one frame of this pose."""
        if not guesses:
            return self
        pose = self.pose or PoseVotes(at_us, at_us)
        scores = _added(pose.scores, _ratios(guesses, self.kinds))
        return replace(
            self, pose=replace(pose, until_us=at_us, reads=pose.reads + 1, scores=scores)
        )

    def guesses(self) -> tuple[Guess, ...]:
        """The three likeliest readings, best first; none if nothing was read."""
        scores = self._scores()
        if not scores:
            return ()
        unnamed = max(0, self.kinds - len(scores))
        highest = max(0.0, *scores.values())
        weights = {seen: math.exp(score - highest) for seen, score in scores.items()}
        whole = sum(weights.values()) + unnamed * math.exp(-highest)
        ranked = sorted(weights, key=lambda seen: (-weights[seen], seen))[:MAX_GUESSES]
        return tuple(Guess(seen, bounded(weights[seen] / whole)) for seen in ranked)

    def _scores(self) -> dict[str, float]:
        return _added(self.past, self.pose.score() if self.pose else {})


def bounded(probability: float) -> float:
    """Round a probability to four digits, below certainty."""
    return round(min(MAX_PROBABILITY, max(0.0, probability)), 4)


def joint(pieces: Sequence[Sequence[Guess]]) -> tuple[Guess, ...]:
    """Combine the guesses of several pieces, such as `1-4-6`; none if one is unread."""
    if not pieces or not all(pieces):
        return ()
    chances: dict[str, float] = {}
    for each in product(*pieces):
        name = "-".join(sorted(guess.seen for guess in each))
        chance = math.prod(guess.probability for guess in each)
        chances[name] = chances.get(name, 0.0) + chance
    ranked = sorted(chances, key=lambda name: (-chances[name], name))[:MAX_GUESSES]
    return tuple(Guess(name, bounded(chances[name])) for name in ranked)


def _ratios(guesses: Sequence[Guess], kinds: int) -> dict[str, float]:
    """The log odds of each guess against a reading that no guess names."""
    named = guesses[:MAX_GUESSES]
    left = max(0.0, 1 - sum(guess.probability for guess in named))
    rest = max(MIN_PROBABILITY, left / max(1, kinds - len(named)))
    return {
        guess.seen: math.log(min(MAX_PROBABILITY, max(MIN_PROBABILITY, guess.probability)) / rest)
        for guess in named
    }


def _added(one: Mapping[str, float], two: Mapping[str, float]) -> dict[str, float]:
    return {seen: one.get(seen, 0.0) + two.get(seen, 0.0) for seen in (*one, *two)}

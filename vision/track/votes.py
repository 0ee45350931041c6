"""What a thing is, by every look at it: looks that are alike count as few.

Successive frames of a card that lies still show the same picture, and the same mistake. So the
frames of one pose are averaged, and the average counts as one look when the pose begins and as a
few at most however long it lasts; another pose, or coming out from under a hand, is a new look.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from vision.recognise.detections import Guess

MAX_LOOKS_PER_POSE = 3.0  # independent looks that one pose is worth at most
WORTH_GROWTH_US = 1_000_000  # a pose of this age is worth two thirds of what it can be
MIN_PROBABILITY = 1e-4  # what no guess names is never less likely than this
MAX_PROBABILITY = 0.9999  # nothing a camera saw is more certain
MIN_POSE_READS = 4  # reads without which a pose is no look of its own
MAX_GUESSES = 3


@dataclass(frozen=True, slots=True)
class PoseVotes:
    """The frames of one pose: how often what was seen, and since when."""

    since_us: int
    until_us: int
    reads: int = 0
    scores: Mapping[str, float] = field(default_factory=dict)  # summed over the reads

    def score(self) -> dict[str, float]:
        """What the pose says for each thing, against a thing that nobody named."""
        if not self.reads:
            return {}
        age = max(0, self.until_us - self.since_us) / WORTH_GROWTH_US
        worth = 1 + (MAX_LOOKS_PER_POSE - 1) * (1 - math.exp(-age))
        return {seen: worth * total / self.reads for seen, total in self.scores.items()}


@dataclass(frozen=True, slots=True)
class Votes:
    """All looks at one thing; `kinds` is how many things it could be."""

    kinds: int
    past: Mapping[str, float] = field(default_factory=dict)
    pose: PoseVotes | None = None

    @property
    def reads(self) -> int:
        """How many frames of this pose could be read."""
        return self.pose.reads if self.pose else 0

    def posed(self, at_us: int) -> "Votes":
        """A new pose begins; what the one before said is kept, if it lasted at all."""
        past = self._scores() if self.reads >= MIN_POSE_READS else self.past
        return replace(self, past=past, pose=PoseVotes(at_us, at_us))

    def read(self, guesses: Sequence[Guess], at_us: int) -> "Votes":
        """One more frame of this pose."""
        if not guesses:
            return self
        pose = self.pose or PoseVotes(at_us, at_us)
        scores = _added(pose.scores, _ratios(guesses, self.kinds))
        return replace(
            self, pose=replace(pose, until_us=at_us, reads=pose.reads + 1, scores=scores)
        )

    def guesses(self) -> tuple[Guess, ...]:
        """What it may be, the likeliest first, three at most; none where nothing was read."""
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
    """A probability as it is told: four digits, and never certain."""
    return round(min(MAX_PROBABILITY, max(0.0, probability)), 4)


def joint(pieces: Sequence[Sequence[Guess]]) -> tuple[Guess, ...]:
    """Several things together, in ascending order with hyphens; none where one is unread."""
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
    """How much more likely each guess is than a thing that was not named, as a logarithm."""
    named = guesses[:MAX_GUESSES]
    left = max(0.0, 1 - sum(guess.probability for guess in named))
    rest = max(MIN_PROBABILITY, left / max(1, kinds - len(named)))
    return {
        guess.seen: math.log(min(MAX_PROBABILITY, max(MIN_PROBABILITY, guess.probability)) / rest)
        for guess in named
    }


def _added(one: Mapping[str, float], two: Mapping[str, float]) -> dict[str, float]:
    return {seen: one.get(seen, 0.0) + two.get(seen, 0.0) for seen in (*one, *two)}

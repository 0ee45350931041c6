"""What the main bet of Blackjack would return under other rules, counted exactly.

The certified 99.39 per cent speaks for one reading: no double after a split, a dealer blackjack
beats a plain 21 and takes the original bet alone. Each rule set has its own basic strategy.

python bench/blackjack_rule_sets.py      about half a minute
"""

import sys
from typing import NamedTuple

from replay import rulebooks
from replay.theory.blackjack import Rules, main_return
from replay.theory.blackjack_strategy import BASIC, HARD, PAIRS, SOFT, Strategy, read

# Where all bets fall to a dealer blackjack, nothing is added against an Ace or a ten.
HARD_ALL = HARD.replace("D D D D D D D D D H", "D D D D D D D D H H")
# Where a split hand can be doubled, small pairs are split more often.
PAIRS_DOUBLED = """
     2 3 7          P P P P P P . . . .
     4              . . . P P . . . . .
     5 10           . . . . . . . . . .
     6              P P P P P . . . . .
     8 1            P P P P P P P P P P
     9              P P P P P . P P . .
"""


class RuleSet(NamedTuple):
    """A rule set with the return that is stated for it, per cent."""

    name: str
    stated: str
    readings: dict[str, str]
    strategy: Strategy = BASIC
    surrender: bool = True


def against_all(pairs: str) -> Strategy:
    """The strategy where all bets fall to a dealer blackjack."""
    eights = "\n     8              P P P P P P P P . .\n     1 P P P P P P P P P .\n"
    return read(HARD_ALL, SOFT, pairs + eights)


ALL = {"dealer_blackjack": "all"}
DOUBLE = {"double_after_split": "offered"}
PUSH = {"plain_21": "pushes"}
RULE_SETS = (
    RuleSet("the edition's own reading", "99.39", {}),
    RuleSet("the same without surrender", "99.38", {}, surrender=False),
    RuleSet("all bets fall to a dealer blackjack", "99.28", ALL, against_all(PAIRS)),
    RuleSet("double after a split", "99.51", DOUBLE, read(pairs=PAIRS_DOUBLED)),
    RuleSet(
        "double after a split, all bets fall", "99.40", DOUBLE | ALL, against_all(PAIRS_DOUBLED)
    ),
    RuleSet("a plain 21 pushes", "99.75", PUSH),
    RuleSet("a plain 21 pushes, all bets fall", "99.66", PUSH | ALL, against_all(PAIRS)),
    RuleSet("busted additions are refunded", "99.39", {"busted_additions": "refunded"}),
)


def main() -> int:
    edition = rulebooks.in_force("SA-BJ", "2026-03-01")
    own = {name: issue.reading for name, issue in edition.issues.items()}
    wrong = 0
    for name, stated, readings, strategy, surrender in RULE_SETS:
        value = main_return(Rules(edition, "fit", own | readings, strategy, surrender))
        figure = f"{float(value) * 100:.2f}"
        wrong += figure != stated
        print(f"{name:<40}{float(value) * 100:>10.4f} %   stated {stated} %")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

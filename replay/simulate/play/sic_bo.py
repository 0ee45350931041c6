"""How Sic Bo is played: three honest dice."""

from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shaking import Shaker

EVEN_MONEY = ("small", "big", "odd", "even")
LONG_SHOTS = (
    "any_triple", "triple:1", "triple:6", "total:7", "total:9", "total:10", "total:12", "total:14",
    "number:1", "number:3", "number:4", "number:6", "double:1+2", "double:3+4", "double:5+6",
    "pair:2", "pair:5", "all_odd", "all_even", "two_odd_one_even", "two_even_one_odd",
    "single3:1-2-3", "single3:4-5-6", "dsingle:1-1-2", "dsingle:6-6-5", "four:1-2-3-4",
    "four:3-4-5-6",
)  # fmt: skip
KINDS = (
    "any_triple triple total number double pair all_odd all_even two_odd_one_even "
    "two_even_one_odd single3 dsingle four"
)


class Play(Shaker):
    """One table's shaker."""

    faces = ("1", "2", "3", "4", "5", "6")
    simple = EVEN_MONEY
    long_shots = LONG_SHOTS
    limits = betting.limits((" ".join(EVEN_MONEY), 100_000, 40_000_000), (KINDS, 50_000, 2_000_000))

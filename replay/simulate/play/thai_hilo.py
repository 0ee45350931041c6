"""How Thai HiLo is played: three honest dice."""

from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shaking import Shaker

LONG_SHOTS = (
    "hilo_11", "number:1", "number:3", "number:6", "double:1+2", "double:2+5", "double:5+6",
    "run:1-2-3", "run:4-5-6", "1_lo", "2_lo", "3_lo", "4_lo", "5_lo", "6_lo", "3_hi", "4_hi",
    "5_hi", "6_hi",
)  # fmt: skip


class Play(Shaker):
    """One table's shaker."""

    faces = ("1", "2", "3", "4", "5", "6")
    simple = ("hi", "lo")
    long_shots = LONG_SHOTS
    limits = betting.limits(
        ("hi lo", 100_000, 40_000_000),
        ("hilo_11 number double run 1_lo 2_lo 3_lo 4_lo 5_lo 6_lo", 50_000, 2_000_000),
        ("3_hi 4_hi 5_hi 6_hi", 50_000, 2_000_000),
    )

"""The seeded house: a believable gaming day as device readings, with faults on purpose."""

from replay.simulate.house import FORMATS, House, Made, Wish, simulate

__all__ = ["FORMATS", "House", "Made", "Wish", "simulate"]

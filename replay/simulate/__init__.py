"""The seeded house: a believable gaming day as device readings, with faults on purpose."""

from replay.simulate.house import FORMATS, DayRequest, SeededHouse, SimulatedFiles, simulate

__all__ = ["FORMATS", "DayRequest", "SeededHouse", "SimulatedFiles", "simulate"]

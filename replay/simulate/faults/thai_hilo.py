"""What can go wrong on purpose at a Thai HiLo table."""

from replay.simulate.faults.shared import shaking

FAULTS = (*shaking.faults(bet="hi", nowhere="1_hi"), shaking.TOTAL)

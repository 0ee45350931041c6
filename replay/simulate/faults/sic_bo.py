"""What can go wrong on purpose at a Sic Bo table."""

from replay.simulate.faults.shared import shaking

FAULTS = (*shaking.faults(bet="big", nowhere="total:3"), shaking.TOTAL)

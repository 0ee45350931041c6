"""What can go wrong on purpose at a Fish Prawn Crab table."""

from replay.simulate.faults.shared import shaking

FAULTS = shaking.faults(bet="any_triple_color", nowhere="double:prawn+fish")

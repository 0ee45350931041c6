"""What can go wrong on purpose at a Fish Prawn Crab table."""

from replay.simulate import faults_shaking

FAULTS = faults_shaking.faults(bet="any_triple_color", nowhere="double:prawn+fish")

"""What can go wrong on purpose at a Thai HiLo table."""

from replay.simulate import faults_shaking

FAULTS = (*faults_shaking.faults(bet="hi", nowhere="1_hi"), faults_shaking.TOTAL)

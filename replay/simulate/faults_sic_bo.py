"""What can go wrong on purpose at a Sic Bo table."""

from replay.simulate import faults_shaking

FAULTS = (*faults_shaking.faults(bet="big", nowhere="total:3"), faults_shaking.TOTAL)

"""What can go wrong on purpose at a One Card table."""

from replay.simulate.faults.fault import SeededFault
from replay.simulate.faults.shared import shoe

FAULTS = (
    SeededFault(
        "REC-03",
        "the dealer calls a seven that is none",
        settle=shoe.say("seven", "dealer"),
        needs=shoe.never("seven"),
    ),
)

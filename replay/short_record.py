"""What a round's record lacks, as far as the rest of the record shows it.

A check that is sure of what the record says is not sure of what happened where a reading is
missing. Its findings are possible then (audit/checks/run.py).
"""

from replay import payments
from replay.rounds import Round
from replay.ruled import Flag, Ruled
from replay.rulings.shared import shoe_gaps

READING = "reading"  # a device left out a number, and nothing came in for it since
CARD = "card"  # the shoe passed over a place
SIGHT = "sight"  # the table acted on what no reading tells, as a ball that nobody saw land
WAGER = "wager"  # one was settled that nobody entered
BEFORE = "before"  # the round before is doubtful or lacks something, and left what this one goes by


def lacks(round: Round, ruled: Ruled, flags: tuple[Flag, ...]) -> str:
    """What is missing of a round's own record; empty where nothing shows it."""
    if round.reading_missing:
        return READING
    # One that names a hand was drawn, and nobody could read it.
    if any((flag.code, flag.subject) == (shoe_gaps.CODE, "") for flag in flags):
        return CARD
    if ruled.unseen:
        return SIGHT
    known = {stand.wager.wager_id for stand in ruled.stands}
    return WAGER if any(payments.unknown(round.events, known)) else ""

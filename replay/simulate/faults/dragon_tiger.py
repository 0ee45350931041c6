"""What can go wrong on purpose at a Dragon Tiger table."""

from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared import money
from replay.simulate.faults.shared.bets import bet_on
from replay.simulate.faults.shared.shoe import ROUND_BURN, SCORE, faults


def half_lost(round: FaultyRound) -> bool:
    """The sides tie and a bet on one of them loses half."""
    return round.due("half_loss") is not None


def give_it_back(round: FaultyRound) -> None:
    """A bet that loses half goes back whole."""
    due = money.picked(round, "half_loss")
    money.pay(round, due, collected=0, returned=due.stake)


def take_it_whole(round: FaultyRound) -> None:
    """A bet that loses half is collected whole."""
    due = money.picked(round, "half_loss")
    money.pay(round, due, collected=due.stake, returned=0)


HALF = SeededFault("PAY-07", "half a loss is given back", bets=bet_on("dragon"), needs=half_lost)

FAULTS = (
    *faults("dragon", "big", "tie", 4),
    SCORE,
    *ROUND_BURN,
    HALF._replace(settle=give_it_back),
    HALF._replace(name="PAY-07/whole", does="half a loss is taken whole", settle=take_it_whole),
)

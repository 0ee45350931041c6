"""What is told of cards, balls, shakers, dice and tokens while a round is played."""

from schemas import events as e

CARDS = (e.CardDrawn, e.CardPlaced, e.CardExposed, e.CardHandled, e.CardsObserved, e.DecisionMade)
BALL = (
    e.BallReleased, e.BallTracked, e.BallLanded, e.SpinDisturbed, e.BallExamined, e.BallReturned,
    e.DollyPlaced, e.NoSpinCalled,
)  # fmt: skip
SHAKER = (e.ShakerStarted, e.ShakerStopped, e.ReshakeOrdered)
DICE = (e.ShakerOpened, e.DiceObserved)
TOKENS = (
    e.BowlRemoved, e.EquipmentDropped, e.TokensRevealed, e.TokensRearranged, e.TokensObserved,
)  # fmt: skip
SHOE = (e.CardsBurned, e.CutCardReached, e.LastHandAnnounced, e.ShoeExhausted)

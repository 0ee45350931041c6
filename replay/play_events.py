"""The events that tell of cards, balls, shakers, dice and tokens while a round is played."""

from typing import NamedTuple

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
# Cards that anybody saw, and the same with all that a shoe of several decks tells.
SEEN_CARDS = (e.CardDrawn, e.CardPlaced, e.CardExposed, e.CardsObserved)
DEALT_FROM_SHOE = (*SEEN_CARDS, *SHOE)
SHAKEN_DICE = (*SHAKER, *DICE)
SHAKEN_TOKENS = (*SHAKER, *TOKENS)


class Instruments(NamedTuple):
    """What a game is played with: the events that tell of it, and its name in a sentence."""

    events: tuple[type[e.Payload], ...]
    named: str


PLAYING_CARDS = Instruments(CARDS, "cards")
BALL_AND_WHEEL = Instruments(BALL, "a ball and a wheel")
DICE_IN_A_SHAKER = Instruments(SHAKEN_DICE, "dice in a shaker")
TOKENS_UNDER_A_BOWL = Instruments(SHAKEN_TOKENS, "tokens under a bowl")

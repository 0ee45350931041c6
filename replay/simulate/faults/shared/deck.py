"""What can go wrong on purpose with a deck that is shuffled for every round."""

from dataclasses import replace

from replay.simulate.faults.fault import Fault, Hook, Scene
from replay.simulate.faults.shared import bets, shoe
from replay.simulate.faults.shared.shaking import cover_the_camera
from replay.simulate.faults.shared.shoe import table
from replay.simulate.script import Act
from schemas import events as e

Seen = tuple[Act, Act]  # one card, as the shoe and as the camera saw it


def dealt(scene: Scene) -> list[Seen]:
    """Every card of the round, in the order of the deal."""
    drawn = [act for act, _ in scene.script.each(e.CardDrawn)]
    seen = [act for act, _ in scene.script.each(e.CardsObserved)]
    return list(zip(drawn, seen, strict=True))


def keep_the_deck(scene: Scene) -> None:
    """What the deck looks like before the round."""
    scene.kept["order"] = " ".join(table(scene).order)


def deal_it_again(scene: Scene) -> None:
    """The cards of the round before are dealt again as they lie."""
    shuffled, _ = scene.pause.first(e.CardsShuffled)
    scene.pause.drop(shuffled)
    table(scene).order = scene.kept["order"].split()


def repeat_a_card(scene: Scene) -> None:
    """The third card is the second one once more."""
    cards = dealt(scene)
    if len(cards) > 3:
        turn_into(cards[2], code_of(cards[1]))


def stop_short(scene: Scene) -> None:
    """The last card is never dealt."""
    for act in dealt(scene)[-1]:
        scene.script.drop(act)
    table(scene).out -= 1


def code_of(card: Seen) -> str:
    """The card as the shoe read it."""
    assert isinstance(card[0].payload, e.CardDrawn)
    return card[0].payload.card or ""


def hand_of(card: Seen) -> str:
    """The hand it was put on."""
    assert isinstance(card[0].payload, e.CardDrawn)
    return card[0].payload.hand


def turn_into(card: Seen, code: str) -> None:
    """Let a card be another one, for shoe and camera alike."""
    drawn, seen = card
    assert isinstance(drawn.payload, e.CardDrawn)
    assert isinstance(seen.payload, e.CardsObserved)
    drawn.payload = replace(drawn.payload, card=code)
    seen.payload = replace(seen.payload, guesses=(replace(seen.payload.guesses[0], seen=code),))


def change_hands(one: Seen, other: Seen) -> None:
    """Put two cards on each other's hands, for shoe and camera alike."""
    for card, name in ((one, hand_of(other)), (other, hand_of(one))):
        drawn, seen = card
        assert isinstance(drawn.payload, e.CardDrawn)
        assert isinstance(seen.payload, e.CardsObserved)
        drawn.payload = replace(drawn.payload, hand=name)
        seen.payload = replace(seen.payload, zone=name)


def pull_forward(card: Seen, scene: Scene) -> None:
    """Deal a card before betting is closed."""
    closed, _ = scene.script.first(e.BettingClosed)
    drawn, seen = card
    drawn.at, seen.at = closed.at - 1_500_000, closed.at - 1_200_000
    scene.script.sort()


def faults(bet: str, nowhere: str, other: str, early: Hook) -> tuple[Fault, ...]:
    """The faults of a game: by one of its bets, a bet it has not, a result, and an early card."""
    say, never, raises = shoe.say, shoe.never, shoe.raises
    return (
        Fault("INT-06/unread", "nobody can read a card", disturb=shoe.read_nothing),
        Fault("INT-07", "a card comes in after the round", disturb=shoe.read_late,
              finish=shoe.arrive_late),
        Fault("INT-10", "the camera is covered", finish=cover_the_camera),
        *shoe.WITNESSES,
        Fault("REC-03", "another result is entered", needs=never(other),
              settle=say(other, "dealer")),
        Fault("REC-04", "the board shows another result", needs=never(other),
              settle=say(other, "board")),
        Fault("REC-05", "a card that never left the deck", disturb=shoe.see_a_stranger),
        Fault("REC-06", "a card that nobody saw", disturb=shoe.overlook),
        Fault("DEAL-05", "a card is out before betting is closed", disturb=early),
        Fault("DEAL-06", "the deck is not shuffled", before=keep_the_deck, pause=deal_it_again),
        Fault("SHOE-01", "a card comes twice", ("REC-09",), disturb=repeat_a_card,
              needs=raises("DUPLICATE_CARD")),
        Fault("REC-09", "shoe and camera see a card twice", ("SHOE-01",), disturb=repeat_a_card,
              needs=raises("DUPLICATE_CARD")),
        *bets.late(bet),
        *bets.unclosed(bet),
        Fault("BET-06", "a wager above the maximum", bets=bets.bet_above(bet)),
        Fault("BET-20", "a bet that is not offered", bets=bets.bet_on(nowhere)),
        Fault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
        *shoe.UNRULED,
        Fault("PAY-08", "a void stake is collected", disturb=shoe.declare_void,
              settle=shoe.take_anyway),
        Fault("INT-06/kept", "a void stake is kept", disturb=shoe.declare_void,
              settle=shoe.keep_a_stake),
    )  # fmt: skip

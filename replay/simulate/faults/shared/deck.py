"""What can go wrong on purpose with a deck that is shuffled for every round."""

from dataclasses import replace

from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, shoe
from replay.simulate.faults.shared.shaking import cover_the_camera
from replay.simulate.faults.shared.shoe import table
from replay.simulate.script import Act
from schemas import events as e

Seen = tuple[Act, Act]  # one card, as the shoe and as the camera saw it


def dealt(round: FaultyRound) -> list[Seen]:
    """Every card of the round, in the order of the deal."""
    drawn = [act for act, _ in round.script.each(e.CardDrawn)]
    seen = [act for act, _ in round.script.each(e.CardsObserved)]
    return list(zip(drawn, seen, strict=True))


def keep_the_deck(round: FaultyRound) -> None:
    """What the deck looks like before the round."""
    round.kept["order"] = " ".join(table(round).order)


def deal_it_again(round: FaultyRound) -> None:
    """The cards of the round before are dealt again as they lie."""
    shuffled, _ = round.pause.first(e.CardsShuffled)
    round.pause.drop(shuffled)
    table(round).order = round.kept["order"].split()


def repeat_a_card(round: FaultyRound) -> None:
    """The third card is the second one once more."""
    cards = dealt(round)
    if len(cards) > 3:
        turn_into(cards[2], code_of(cards[1]))


def stop_short(round: FaultyRound) -> None:
    """The last card is never dealt."""
    for act in dealt(round)[-1]:
        round.script.drop(act)
    table(round).out -= 1


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


def pull_forward(card: Seen, round: FaultyRound) -> None:
    """Deal a card before betting is closed."""
    closed, _ = round.script.first(e.BettingClosed)
    drawn, seen = card
    drawn.at, seen.at = closed.at - 1_500_000, closed.at - 1_200_000
    round.script.sort()


def faults(bet: str, nowhere: str, other: str, early: Hook) -> tuple[SeededFault, ...]:
    """The faults of a game: by one of its bets, a bet it has not, a result, and an early card."""
    say, never, raises = shoe.say, shoe.never, shoe.raises
    return (
        SeededFault("INT-06/unread", "nobody can read a card", disturb=shoe.read_nothing),
        SeededFault("INT-07", "a card comes in after the round", disturb=shoe.read_late,
                    finish=shoe.arrive_late),
        SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
        *shoe.WITNESSES,
        SeededFault("REC-03", "another result is entered", needs=never(other), settle=say(other,
                    "dealer")),
        SeededFault("REC-04", "the board shows another result", needs=never(other),
                    settle=say(other, "board")),
        SeededFault("REC-05", "a card that never left the deck", disturb=shoe.see_a_stranger),
        SeededFault("REC-06", "a card that nobody saw", disturb=shoe.overlook),
        SeededFault("DEAL-05", "a card is out before betting is closed", disturb=early),
        SeededFault("DEAL-06", "the deck is not shuffled", ("SHOE-04",), before=keep_the_deck,
                    pause=deal_it_again),
        SeededFault("SHOE-01", "a card comes twice", ("REC-09",), disturb=repeat_a_card,
                    needs=raises("DUPLICATE_CARD")),
        SeededFault("REC-09", "shoe and camera see a card twice", ("SHOE-01",),
                    disturb=repeat_a_card, needs=raises("DUPLICATE_CARD")),
        *bets.late(bet),
        *bets.unclosed(bet),
        SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above(bet)),
        SeededFault("BET-20", "a bet that is not offered", bets=bets.bet_on(nowhere)),
        SeededFault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
        *shoe.UNRULED,
        SeededFault("PAY-08", "a void stake is collected", disturb=shoe.declare_void,
                    settle=shoe.take_anyway),
        SeededFault("INT-06/kept", "a void stake is kept", disturb=shoe.declare_void,
                    settle=shoe.keep_a_stake),
    )  # fmt: skip

"""How Niu Niu is played: two decks that take turns, five cards to every box with an Even."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from replay.games import niu_niu as game
from replay.judge import Judgement
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.box_table import (
    BoxTable,
    called_off,
    foreign,
    goes_on,
    jammed,
    observe,
    report,
)
from replay.simulate.players import TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e
from schemas.cards import DECK

COLOURS = ("red", "blue")
IRREGULAR = 0.02  # rounds in which something happens that the rules take in their stride


class Play(BoxTable):
    """One table's two decks, and the one in the device."""

    limits = betting.limits(("even", 200_000, 20_000_000), ("double super_niu", 200_000, 5_000_000))

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.round = 0
        self.keeps_deck = False  # the deck is not changed before the next round

    @property
    def deck(self) -> str:
        """The name of the deck in the device (NN:4.2)."""
        return f"{self.table_id}-{COLOURS[self.round % 2]}-{self.sets}"

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """Even, and mostly one of the other two or both."""
        return rng.choice(
            (("even",), ("even", "double"), ("even", "super_niu"), ("even", "double", "super_niu"))
        )

    def between(self, pause: Script, party: TablePlayers) -> None:
        """The other deck, shuffled."""
        del party
        self.round += not self.keeps_deck
        self.keeps_deck = False
        self.order = [str(one) for one in DECK]
        pause.rng.shuffle(self.order)
        colour = COLOURS[self.round % 2]
        pause.say("shoe", e.CardsShuffled(self.deck, "machine"), 4_000, 9_000)
        pause.say("shoe", e.ShoeLoaded(self.deck, 1, back_colour=colour), 1_000, 2_000)

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """An Even on every box, nothing above it, and the Reserve that goes with the others."""
        laid: dict[str, list[e.WagerPlaced]] = {}
        for wager in sorted(wagers, key=lambda at: game.BETS.index(at.bet)):
            box = laid.setdefault(wager.box, [])
            box.append(insured(wager, box[0].stake) if box else replace(wager, bet="even"))
        wagers[:] = [wager for box in laid.values() for wager in box]

    def deal(self, script: Script, honest: bool) -> None:
        """No more bets, five cards each, and everybody arranges (NN:4.8, 4.9)."""
        betting.close(script)
        self.give(script, dict.fromkeys((*boxes(script), game.DEALER), game.FULL))
        handle(script)
        show(script)
        if honest and script.rng.random() < IRREGULAR:
            TURNS[int(script.rng.random() * len(TURNS))](self, script)

    def give(self, script: Script, counts: Mapping[str, int]) -> None:
        """Packets out of the device, so many cards to each hand."""
        out = len(list(script.each(e.CardDrawn)))
        for hand, count in counts.items():
            for _ in range(count):
                out += 1
                script.say("shoe", e.CardDrawn(out, hand, self.order[out - 1]), 250, 400)

    def announce(self, script: Script, judged: Judgement) -> None:
        """The Dealer calls the own hand, then each box from the right."""
        shown = dict(fact.split(" shows ") for fact in judged.ruled.facts if " shows " in fact)
        called = [*game.clockwise(set(shown) - {game.DEALER}), game.DEALER]
        for hand in reversed(called if shown else ()):
            script.say("console", e.ResultCalled(shown[hand], box=hand), 500, 900)


def insured(wager: e.WagerPlaced, even: int) -> e.WagerPlaced:
    """An optional bet no higher than Even, with its Reserve (NN:4.5.2, 4.5.3)."""
    stake = min(wager.stake, even)
    return replace(wager, stake=stake, reserve=game.RESERVE[wager.bet] * stake)


def boxes(script: Script) -> list[str]:
    """The boxes with an Even, clockwise."""
    return game.clockwise({w.box for _, w in script.each(e.WagerPlaced) if w.bet == "even"})


def handle(script: Script) -> None:
    """Every player takes up the cards of one box (NN:4.6.1)."""
    dealt = {drawn.hand for _, drawn in script.each(e.CardDrawn)}
    owners = {wager.player_id: wager.box for _, wager in script.each(e.WagerPlaced)}
    for player, box in owners.items():
        if box in dealt:
            script.say("console", e.CardHandled(box, player, "arrange"), 800, 1_500)


def show(script: Script) -> None:
    """The camera sees every hand once it lies open."""
    slots: dict[str, int] = {}
    for _, drawn in list(script.each(e.CardDrawn)):
        slot = slots[drawn.hand] = slots.get(drawn.hand, 0) + 1
        observe(script, drawn.hand, slot, str(drawn.card))


def faced(play: Play, script: Script) -> None:
    """NN:7.3. A card is faced while it is dealt and turned down again."""
    del play
    act, drawn = script.first(e.CardDrawn)
    script.insert(act, "console", e.CardExposed("hand", drawn.card, drawn.hand))


def reset(play: Play, script: Script) -> None:
    """NN:7.8. A hand was set incorrectly and is reset."""
    del play
    report(script, "hand_set_wrong", "NN:7.8")


TURNS = (faced, reset, goes_on, called_off, jammed, foreign)

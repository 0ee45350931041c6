"""How games with a shoe of eight decks are played: loaded, burned, dealt, cut and changed."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from replay.judge import Judgement
from replay.rulings.shared.shoe_procedure import owed
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.plain_table import PlainTable
from replay.simulate.players import TablePlayers
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e
from schemas.cards import DECK

PACKET = slice(60, 80)  # what a false shuffle carries over: some rounds into the shoe


class ShoeTable(PlainTable, ABC):
    """One table's shoe; a game says its limits, what players like, and how it is dealt."""

    kinds: tuple[str, ...] = ("shoe", "camera")
    decks = 8
    cut_leaves = (40, 60)  # cards behind the cut card: at least, and at most so many more
    room = 90  # cards for some rounds more
    shown_by = "board"  # where the result lights up

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.shuffle = setup.shuffle
        self.shoes = 0
        self.order: list[str] = []  # every card of the shoe in the order it comes out
        self.out = 0  # cards that have left it
        self.dealt = 0  # rounds dealt from it
        self.cut_at = 0
        self.finished = True  # the shoe is to be changed before the next round

    @property
    def shoe_id(self) -> str:
        """The name of the shoe in play."""
        return f"{self.table_id}-shoe-{self.shoes}"

    def between(self, pause: Script, party: TablePlayers) -> None:
        """Another shoe where the last round of this one is over."""
        del party
        if self.finished:
            self.change_shoe(pause)

    def again(self, rng: Random) -> None:
        """The cards still in the shoe in another order."""
        rest = self.order[self.out :]
        rng.shuffle(rest)
        self.order = self.order[: self.out] + rest

    def make_room(self) -> None:
        """Another shoe where the cut card is near."""
        self.finished = self.finished or self.cut_at - self.out < self.room

    def deal(self, script: Script, honest: bool) -> None:
        """Betting is closed and the cards are dealt; the round of the cut card is the last."""
        del honest
        betting.close(script)
        self.hands(script)
        self.dealt += 1
        if self.out >= self.cut_at:
            script.say("shoe", e.CutCardReached(self.shoe_id))
            self.finished = True

    @abstractmethod
    def hands(self, script: Script) -> None:
        """All cards of a round."""

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer enters the result and it is shown."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.result), 900, 1_500)
            script.say("shoe", e.ResultCalled(judged.ruled.result, self.shown_by))

    def draw_all(self, script: Script, turns: Sequence[str]) -> None:
        """A card for each of these hands, in turn."""
        held: dict[str, int] = {}
        for hand in turns:
            held[hand] = held.get(hand, 0) + 1
            self.draw(script, hand, held[hand])

    def draw(self, script: Script, hand: str, slot: int) -> str:
        """The next card of the shoe onto a hand, as the shoe and the camera see it."""
        code = self.order[self.out]
        self.out += 1
        script.say("shoe", e.CardDrawn(self.out, hand, code), 900, 1_500)
        sure = 0.95 + int(script.rng.random() * 500) / 10_000
        seen = e.CardsObserved(hand, slot, (e.Guess(code, sure),), script.clock // 40_000)
        script.say("camera", seen, 250, 450)
        return code

    def burn_one(self, script: Script) -> None:
        """One card face down before the cards of a round."""
        self.out += 1
        script.say("shoe", e.CardsBurned(1), 900, 1_500)

    def change_shoe(self, pause: Script) -> None:
        """The old cards out, new ones shuffled, loaded and cut, and the burn."""
        if self.shoes:
            left = len(self.order) - self.out
            pause.say("shoe", e.ShoeRemoved(self.shoe_id, "finished", left), 20_000, 40_000)
        self.shoes += 1
        self.order = self.filled(pause.rng)
        behind, spread = self.cut_leaves
        self.cut_at = len(self.order) - behind - int(pause.rng.random() * spread)
        self.finished, self.dealt = False, 0
        pause.say("pit", e.CardsShuffled(self.shoe_id, "machine"), 20_000, 40_000)
        pause.say("shoe", e.ShoeLoaded(self.shoe_id, self.decks), 20_000, 40_000)
        self.out = 0
        self.burn_first(pause)

    def filled(self, rng: Random) -> list[str]:
        """The cards of another shoe in the order they will come out."""
        cards = [str(one) for _ in range(self.decks) for one in DECK]
        if self.shuffle == "none":
            cut = rng.randrange(len(cards))
            return cards[cut:] + cards[:cut]
        rng.shuffle(cards)
        packet = self.order[PACKET] if self.shuffle == "false" else []
        for card in packet:
            cards.remove(card)
        return cards[: PACKET.start] + packet + cards[PACKET.start :]

    def burn_first(self, pause: Script) -> None:
        """The first card is turned over and says how many are burned after it."""
        first = self.order[0]
        pause.say("shoe", e.CardsBurned(owed(first), first), 5_000, 9_000)
        self.out = 1 + owed(first)

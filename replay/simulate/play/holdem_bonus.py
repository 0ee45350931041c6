"""How Texas Hold'em Bonus is played: one deck a round from shoe or device, bets between cards."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from zlib import crc32

from replay.games import holdem_bonus as game
from replay.games.holdem_bonus import BURN, COMMUNITY, DEALER
from replay.games.shared.poker_hands import RANK, PokerClass, best
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
from replay.simulate.script import Act, Script
from replay.simulate.staff import Staff
from schemas import events as e
from schemas.cards import DECK, card

MINIMUM = 200_000  # of an Ante
BONUS = 50_000
HUNCH = 0.15  # bets against better knowledge
IRREGULAR = 0.02  # rounds in which something happens that the rules take in their stride


class Play(BoxTable):
    """One table's deck, shuffled for every round."""

    limits = betting.limits(("ante", MINIMUM, 10_000_000), ("bonus", BONUS, 1_000_000))

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.deal_from(own_dealing(setup.table_id))

    @property
    def deck(self) -> str:
        """The name of the deck in play."""
        return f"{self.table_id}-deck-{self.sets}"

    def deal_from(self, dealing: str) -> None:
        """TH:4.10. The cards come out of a card shoe or of an automated device, as posted."""
        self.dealing = dealing
        self.terms = replace(self.terms, readings={"dealing": dealing})

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """An Ante, and for every other player the Bonus."""
        return rng.choice((("ante",), ("ante", "bonus")))

    def between(self, pause: Script, party: TablePlayers) -> None:
        """The deck is shuffled and put into the shoe."""
        del party
        self.order = pause.rng.sample([str(one) for one in DECK], len(DECK))
        pause.say("shoe", e.CardsShuffled(self.deck, "machine"), 4_000, 9_000)
        pause.say("shoe", e.ShoeLoaded(self.deck, 1), 1_000, 2_000)

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """TH:4.7 and 4.8. An Ante on every box, and a Bonus only beside it."""
        laid: dict[str, list[e.WagerPlaced]] = {}
        for wager in sorted(wagers, key=lambda at: game.BETS.index(at.bet)):
            box = laid.setdefault(wager.box, [])
            box.append(wager if box else _ante(wager))
        wagers[:] = [wager for box in laid.values() for wager in box]

    def deal(self, script: Script, honest: bool) -> None:
        """No more bets, the cards and the bets between them, and every hand that was played."""
        betting.close(script)
        names = boxes(script)
        course = self.from_device if self.dealing == game.DEVICE else self.from_shoe
        show(script, course(script, names))
        if honest and script.rng.random() < IRREGULAR:
            TURNS[int(script.rng.random() * len(TURNS))](self, script)

    def from_shoe(self, script: Script, names: Sequence[str]) -> list[str]:
        """TH:4.11. Hole cards, flop, turn, river and the Dealer's cards; the boxes that play."""
        areas = game.order(game.SHOE, names)
        hole = 1 + 2 * len(names)
        self.give(script, areas[:hole])
        look(script, names)
        playing = [name for name in names if self.flop_bet(script, name)]
        for start, end, bet in ((hole, hole + 4, "turn"), (hole + 4, hole + 6, "river")):
            self.give(script, areas[start:end])
            for name in playing:
                self.later_bet(script, name, bet)
        self.give(script, areas[hole + 6 :])
        return playing

    def from_device(self, script: Script, names: Sequence[str]) -> list[str]:
        """TH:4.12. All cards face down, then turned up between the bets; the boxes that play."""
        self.give(script, game.order(game.DEVICE, names))
        look(script, names)
        playing = [name for name in names if self.flop_bet(script, name)]
        for slots, bet in (((1, 2, 3), "turn"), ((4,), "river"), ((5,), "")):
            turn_up(script, COMMUNITY, slots)
            for name in playing if bet else ():
                self.later_bet(script, name, bet)
        turn_up(script, DEALER, (1, 2))
        return playing

    def give(self, script: Script, areas: Sequence[str]) -> None:
        """Cards to their places, one to each; out of a shoe the camera sees those turned up."""
        out = len(list(script.each(e.CardDrawn)))
        for area in areas:
            out += 1
            code = self.order[out - 1]
            up = area in (COMMUNITY, DEALER) and self.dealing == game.SHOE
            script.say("shoe", e.CardDrawn(out, area, code, exposed=up), 500, 900)
            if up:
                slot = sum(drawn.hand == area for _, drawn in script.each(e.CardDrawn))
                observe(script, area, slot, code)

    def flop_bet(self, script: Script, box: str) -> bool:
        """Whether the player of a box goes on: twice the Ante, or a fold."""
        one, other = (card(code) for code in held(script, box))
        low = {one.rank, other.rank} <= set("234567") and "2" in (one.rank, other.rank)
        hopeless = low and one.suit != other.suit and one.rank != other.rank
        if hopeless and script.rng.random() > HUNCH:
            decide(script, box, "fold")
            return False
        bet(script, box, "flop")
        return True

    def later_bet(self, script: Script, box: str, name: str) -> None:
        """A bet where the hand is worth it, else a check."""
        cards = [card(code) for code in (*held(script, box), *turned_up(script))]
        good = (
            best(cards).kind > PokerClass.HIGH_CARD or max(RANK[at.rank] for at in cards[:2]) > 13
        )
        if good or script.rng.random() < HUNCH:
            bet(script, box, name)
        else:
            decide(script, box, "check")

    def announce(self, script: Script, judged: Judgement) -> None:
        """The Dealer calls the own hand."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.result), 900, 1_500)


def boxes(script: Script) -> tuple[str, ...]:
    """The boxes with an Ante, from the Dealer's left on."""
    placed = (wager for _, wager in script.each(e.WagerPlaced))
    return game.clockwise({wager.box for wager in placed if wager.bet == "ante"})


def held(script: Script, area: str) -> list[str]:
    """The cards that were put on a place."""
    drawn = (at for _, at in script.each(e.CardDrawn))
    return [str(at.card) for at in drawn if at.hand == area]


def turned_up(script: Script) -> list[str]:
    """The community cards that everybody sees."""
    seen = (at for _, at in script.each(e.CardsObserved))
    return [at.guesses[0].seen for at in seen if at.zone == COMMUNITY]


def turn_up(script: Script, area: str, slots: Sequence[int]) -> None:
    """Cards that lay face down are shown, and the camera sees them."""
    for slot in slots:
        observe(script, area, slot, held(script, area)[slot - 1])


def wager_of(script: Script, box: str, name: str) -> tuple[Act, e.WagerPlaced]:
    """The wager of a box on a bet, and its act."""
    placed = ((act, at) for act, at in script.each(e.WagerPlaced))
    return next((act, at) for act, at in placed if (at.box, at.bet) == (box, name))


def bet(script: Script, box: str, name: str) -> None:
    """A later bet by the book: Flop twice the Ante, the others once (TH:4.11)."""
    _, ante = wager_of(script, box, "ante")
    stake = ante.stake * (2 if name == "flop" else 1)
    wager = e.WagerPlaced(f"{script.round_id}-{box}-{name}", ante.player_id, name, stake, box)
    script.say("console", wager, 900, 2_000)
    script.say("chips", e.StakeRead(wager.wager_id, stake), 200, 400)


def decide(script: Script, box: str, decision: str) -> None:
    """A player says what happens with a hand."""
    _, ante = wager_of(script, box, "ante")
    script.say("console", e.DecisionMade(ante.player_id, decision, box), 900, 2_000)


def look(script: Script, names: Sequence[str]) -> None:
    """Every player looks at the own hand (TH:4.7.1)."""
    for name in names:
        _, ante = wager_of(script, name, "ante")
        script.say("console", e.CardHandled(name, ante.player_id, "look"), 300, 600)


def show(script: Script, names: Sequence[str]) -> None:
    """The hands that were played lie open and the camera sees them (TH:4.13)."""
    for name in names:
        for slot, code in enumerate(held(script, name), 1):
            observe(script, name, slot, code)


def face_one(play: Play, script: Script) -> None:
    """TH:7.5. One card is faced while it is dealt, which changes nothing."""
    del play
    drawn = [(act, at) for act, at in script.each(e.CardDrawn) if at.hand != BURN]
    act, first = drawn[0]
    script.insert(act, "console", e.CardExposed("hand", first.card, first.hand))


def unshown(play: Play, script: Script) -> None:
    """TH:5.6. A player does not show the hole cards."""
    del play
    decide(script, boxes(script)[-1], "not_shown")


def counted(play: Play, script: Script) -> None:
    """TH:7.7. The number of cards is in doubt, and the count is right."""
    del play
    report(script, "count_doubt", "TH:7.7")
    count = e.RulingMade("TH:7.7", "counted", "dealer", value=str(len(DECK)))
    script.say("console", count, 20_000, 40_000)


TURNS = (face_one, goes_on, called_off, jammed, foreign, unshown, counted)


def own_dealing(table_id: str) -> str:
    """What a table deals from, told by its name: about every other one has a device."""
    return game.SHOE if crc32(table_id.encode()) % 2 else game.DEVICE


def _ante(wager: e.WagerPlaced) -> e.WagerPlaced:
    return replace(wager, bet="ante", stake=max(wager.stake, MINIMUM))

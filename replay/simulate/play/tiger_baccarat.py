"""How Tiger Baccarat is played: eight shuffled decks, burned, cut, and dealt by the law."""

from dataclasses import replace
from random import Random

from replay.games import tiger_baccarat as game
from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e
from schemas.cards import card

DIFFERENTIAL = 100_000_000
MAIN, SIDE = ("player", "banker"), ("tie", "player_pair", "banker_pair")
TIGERS = ("tiger", "small_tiger", "big_tiger")

SQUEEZED = 0.1  # hands whose cards the highest bettor opens
IRREGULAR = 0.01  # hands in which something happens that the rules take in their stride


class Play(ShoeTable):
    """One table's shoe, and what the hands before left behind."""

    limits = betting.limits(
        (" ".join(MAIN), 500_000, 30_000_000), (" ".join((*SIDE, *TIGERS)), 100_000, 3_000_000)
    )
    cut_leaves = (14, 16)
    room = 40
    shown_by = "shoe"

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.terms = replace(self.terms, differential=DIFFERENTIAL)
        self.cut_out = False
        self.last_hand = False  # the hand to be dealt is the shoe's last
        self.free_hand = False  # the hand to be dealt is free
        self.error_cards: tuple[str, ...] = ()  # the cards that open it
        self.on_table: tuple[str, ...] = ()  # those of them that are out of the shoe

    @property
    def takes_wagers(self) -> bool:
        """A free hand has no wagers (TB:7.8)."""
        return not self.free_hand

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One of the main bets, and often a side bet or a tiger."""
        extras = rng.sample((*SIDE, *TIGERS), rng.choice((0, 1, 1, 2)))
        return (rng.choice(MAIN), *extras)

    def keep_lawful(self, wagers: list[e.WagerPlaced]) -> None:
        """TB:4.3.1. Players alter their wagers where the differential would be exceeded."""
        for heavy, light in (MAIN, MAIN[::-1]):
            excess = _total(wagers, heavy) - _total(wagers, light) - DIFFERENTIAL
            while excess > 0:
                largest = max((w for w in wagers if w.bet == heavy), key=lambda w: w.stake)
                excess -= largest.stake
                wagers.remove(largest)

    def opening(self, script: Script) -> None:
        """What is announced before the bets: the last hand of the shoe, or a free hand."""
        if self.free_hand:
            script.say("console", e.FreeHandDeclared(self.error_cards), 800, 1_500)
        if self.last_hand:
            script.say("console", e.LastHandAnnounced(self.shoe_id), 800, 1_500)

    def deal(self, script: Script, honest: bool) -> None:
        """No more bets, then both hands by the order of the shoe (TB:4.9 to 4.16)."""
        self.finished = self.last_hand
        free, self.free_hand, self.error_cards = self.free_hand, False, ()
        if script.has(e.WagerPlaced):
            betting.close(script)
        if honest and not free and script.rng.random() < SQUEEZED:
            squeeze(script)
        self.hands(script)
        if self.out >= self.cut_at and not self.cut_out:
            self.cut_out = self.last_hand = True
            script.say("shoe", e.CutCardReached(self.shoe_id))
        elif honest and not free and not self.finished and script.rng.random() < IRREGULAR:
            TURNS[int(script.rng.random() * len(TURNS))](self, script)

    def hands(self, script: Script) -> None:
        """Both hands, card by card, until they are complete or the shoe is empty."""
        deal = game.deal_out(map(card, self.on_table))
        self.on_table = ()
        while name := game.next_hand(deal):
            if self.out == len(self.order):
                script.say("shoe", e.ShoeExhausted(self.shoe_id), 900, 1_500)
                return
            held = getattr(deal, name)
            drawn = self.draw(script, name, len(held) + 1)
            deal = deal._replace(**{name: (*held, card(drawn))})

    def free_next(self, *cards: str, drawn: bool) -> None:
        """The next hand is free and opens with these cards (TB:7.8)."""
        self.free_hand, self.error_cards = True, cards
        self.on_table = cards if drawn else ()

    def change_shoe(self, pause: Script) -> None:
        """TB:2.2.2. Nothing of the shoe before is left."""
        self.cut_out = self.last_hand = self.free_hand = False
        self.error_cards = self.on_table = ()
        super().change_shoe(pause)


def squeeze(script: Script) -> None:
    """The seated player with the highest bet opens the cards (TB:4.7)."""
    placed = [wager for _, wager in script.each(e.WagerPlaced)]
    if placed:
        highest = max(placed, key=lambda wager: wager.stake)
        squeezed = highest.bet if highest.bet in MAIN else "player"
        script.say("console", e.CardHandled(squeezed, highest.player_id, "squeeze"), 800, 1_500)


def next_card_seen(play: Play, script: Script) -> None:
    """TB:7.5. The next hand's first card is seen: that hand will be free."""
    coming = play.order[play.out]
    script.say("console", e.CardExposed("next", coming), 500, 900)
    play.free_next(coming, drawn=False)


def face_up(play: Play, script: Script) -> None:
    """TB:7.4. A card lies face up in the shoe and is played as if face down."""
    del play
    drawn = list(script.each(e.CardDrawn))
    (second, _), (_, third) = drawn[1], drawn[2]
    script.insert(second, "console", e.CardExposed("shoe", third.card))


def drawn_together(play: Play, script: Script) -> None:
    """TB:7.12. Two cards leave the shoe at once, their order is known."""
    del play
    script.say("console", e.IrregularityReported("multiple_draw", "TB:7.12"), 800, 1_500)


def order_fixed(play: Play, script: Script) -> None:
    """TB:7.13. Two cards leave the shoe at once and the pit manager fixes their order."""
    person = play.staff.person("pit_manager")
    script.say("console", e.IrregularityReported("order_unknown", "TB:7.13"), 800, 1_500)
    ruling = e.RulingMade("TB:7.13", "order_fixed", "pit_manager", person)
    script.say("console", ruling, 9_000, 15_000)


def misdealt(play: Play, script: Script) -> None:
    """TB:7.3. Cards left together, nobody can tell their order: the hand is void."""
    del play
    lost = e.IrregularityReported("not_reconstructable", "TB:7.3")
    declared = script.say("console", lost, 800, 1_500)
    together = e.IrregularityReported("order_unknown", "TB:7.13")
    script.insert(declared, "console", together, -300)
    script.say("console", e.RoundVoided("TB:7.3", "not_reconstructable"), 800, 1_500)


def squeezer_away(play: Play, script: Script) -> None:
    """TB:7.14. The squeezing player is away and the dealer opens the cards."""
    del play
    script.say("console", e.IrregularityReported("squeezer_absent", "TB:7.14"), 800, 1_500)


TURNS = (next_card_seen, face_up, drawn_together, order_fixed, misdealt, squeezer_away)


def _total(wagers: list[e.WagerPlaced], bet: str) -> int:
    return sum(wager.stake for wager in wagers if wager.bet == bet)

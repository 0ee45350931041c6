"""How Tiger Baccarat is played: eight shuffled decks, burned, cut, and dealt by the law."""

from random import Random

from replay.games import tiger_baccarat as game
from replay.judge import Judgement
from replay.simulate import betting
from replay.simulate.players import Party
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from replay.simulate.table import Seat
from schemas import events as e
from schemas.cards import DECK, card

DECKS = 8
CUT_LEAVES = (14, 16)  # cards behind the cut card: at least, and at most so many more
DIFFERENTIAL = 100_000_000
MAIN, SIDE = ("player", "banker"), ("tie", "player_pair", "banker_pair")
TIGERS = ("tiger", "small_tiger", "big_tiger")
BURNS = {"A": 1} | {str(n): n for n in range(2, 10)}  # a ten or court card burns ten

ROOM = 40  # cards for some hands more

SQUEEZED = 0.1  # hands whose cards the highest bettor opens
IRREGULAR = 0.01  # hands in which something happens that the rules take in their stride


class Play:
    """One table's shoe, and what the hands before left behind."""

    kinds = ("shoe", "camera")

    def __init__(self, seat: Seat, staff: Staff, rng: Random) -> None:
        del rng
        self.table_id, self.staff = seat.table_id, staff
        self.terms = e.TermsPosted(
            seat.code,
            "VND",
            paytable=seat.paytable,
            limits=betting.limits(
                (" ".join(MAIN), 500_000, 30_000_000),
                (" ".join((*SIDE, *TIGERS)), 100_000, 3_000_000),
            ),
            differential=DIFFERENTIAL,
            decks=DECKS,
        )
        self.shoes = 0
        self.order: list[str] = []  # every card of the shoe in the order it comes out
        self.out = 0  # cards that have left it
        self.cut_at, self.cut_out = 0, False
        self.last_hand = False  # the hand to be dealt is the shoe's last
        self.finished = True  # the shoe is to be changed before the next hand
        self.free_hand = False  # the hand to be dealt is free
        self.error_cards: tuple[str, ...] = ()  # the cards that open it
        self.on_table: tuple[str, ...] = ()  # those of them that are out of the shoe

    @property
    def takes_wagers(self) -> bool:
        """A free hand has no wagers (TB:7.8)."""
        return not self.free_hand

    @property
    def shoe_id(self) -> str:
        """The name of the shoe in play."""
        return f"{self.table_id}-shoe-{self.shoes}"

    def favourites(self, rng: Random) -> tuple[str, ...]:
        """One of the main bets, and often a side bet or a tiger."""
        extras = rng.sample((*SIDE, *TIGERS), rng.choice((0, 1, 1, 2)))
        return (rng.choice(MAIN), *extras)

    def between(self, pause: Script, party: Party) -> None:
        """Another shoe where the last one is finished."""
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
        self.finished = self.finished or self.cut_at - self.out < ROOM

    def tame(self, wagers: list[e.WagerPlaced]) -> None:
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

    def draw(self, script: Script, hand: str, slot: int) -> str:
        """The next card of the shoe onto a hand, as the shoe and the camera see it."""
        code = self.order[self.out]
        self.out += 1
        script.say("shoe", e.CardDrawn(self.out, hand, code), 900, 1_500)
        sure = 0.95 + int(script.rng.random() * 500) / 10_000
        seen = e.CardsObserved(hand, slot, (e.Guess(code, sure),), script.clock // 40_000)
        script.say("camera", seen, 250, 450)
        return code

    def announce(self, script: Script, judged: Judgement) -> None:
        """The dealer calls the result and the shoe lights up."""
        if judged.ruled.result:
            script.say("console", e.ResultCalled(judged.ruled.result), 900, 1_500)
            script.say("shoe", e.ResultCalled(judged.ruled.result, "shoe"))

    def free_next(self, *cards: str, drawn: bool) -> None:
        """The next hand is free and opens with these cards (TB:7.8)."""
        self.free_hand, self.error_cards = True, cards
        self.on_table = cards if drawn else ()

    def change_shoe(self, pause: Script) -> None:
        """The old cards out, eight decks shuffled, loaded and cut, and the burn (TB:2.2.2)."""
        if self.shoes:
            left = len(self.order) - self.out
            pause.say("shoe", e.ShoeRemoved(self.shoe_id, "finished", left), 20_000, 40_000)
        self.shoes += 1
        self.order = [str(one) for _ in range(DECKS) for one in DECK]
        pause.rng.shuffle(self.order)
        behind, spread = CUT_LEAVES
        self.cut_at = len(self.order) - behind - int(pause.rng.random() * spread)
        self.cut_out = self.last_hand = self.finished = self.free_hand = False
        self.error_cards = self.on_table = ()
        pause.say("pit", e.CardsShuffled(self.shoe_id, "machine"), 20_000, 40_000)
        pause.say("shoe", e.ShoeLoaded(self.shoe_id, DECKS), 20_000, 40_000)
        first = self.order[0]
        count = BURNS.get(first[0], 10)
        pause.say("shoe", e.CardsBurned(count, first), 5_000, 9_000)
        self.out = 1 + count


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
    """TB:7.3. A hand that cannot be reconstructed is void."""
    del play
    script.say("console", e.IrregularityReported("not_reconstructable", "TB:7.3"), 800, 1_500)
    script.say("console", e.RoundVoided("TB:7.3", "not_reconstructable"), 800, 1_500)


def squeezer_away(play: Play, script: Script) -> None:
    """TB:7.14. The squeezing player is away and the dealer opens the cards."""
    del play
    script.say("console", e.IrregularityReported("squeezer_absent", "TB:7.14"), 800, 1_500)


TURNS = (next_card_seen, face_up, drawn_together, order_fixed, misdealt, squeezer_away)


def _total(wagers: list[e.WagerPlaced], bet: str) -> int:
    return sum(wager.stake for wager in wagers if wager.bet == bet)

"""What can go wrong on purpose at a Teen Patti table."""

from dataclasses import replace

from replay.games import teen_patti as game
from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.deck import change_hands, dealt, faults, pull_forward, stop_short
from replay.simulate.faults.shared.shoe import UNREAD, raises, table
from schemas import events as e

TIED = ["9S", "9H", "7D", "7C", "2C", "2D"]  # the same ranks to either hand


def deal_early(round: FaultyRound) -> None:
    """The first card is out before betting is closed."""
    pull_forward(dealt(round)[0], round)


def cross(round: FaultyRound) -> None:
    """The first card of each hand lies on the other one."""
    cards = dealt(round)
    change_hands(cards[0], cards[1])


def deal_one_more(round: FaultyRound) -> None:
    """A seventh card is dealt."""
    table(round).draw(round.script, "player_a", game.HELD + 1)


def enter_another_class(round: FaultyRound) -> None:
    """Player A's hand is entered as another class than its cards make."""
    for act, said in round.script.each(e.ResultCalled):
        if said.box == "player_a":
            act.payload = replace(said, result="flush" if said.result != "flush" else "pair")


def deal_a_tie(round: FaultyRound) -> None:
    """Both hands get the same ranks."""
    play = table(round)
    play.order = TIED + [code for code in play.order if code not in TIED]
    play.deal(round.script, honest=False)


def take_the_refund(round: FaultyRound) -> None:
    """A main bet is collected although the hands tie."""
    due = money.picked(round, "push")
    money.pay(round, due, collected=due.stake, returned=0)


def back_everything(round: FaultyRound) -> None:
    """A newcomer bets on both hands' pairs and on the bonus."""
    player = round.table.party.guest()
    for bet in ("pair_plus_a", "pair_plus_b", "six_card_bonus"):
        bets.one_more(round, bet, 100_000, player)


def a_pair_that_lost(round: FaultyRound) -> bool:
    """Player A has a pair at least and loses the round."""
    won = {due.bet for due in round.judged.dues if due.outcome == "win"}
    return "pair_plus_a" in won and round.judged.ruled.result.startswith("player_b ")


def the_bonus_wins(round: FaultyRound) -> bool:
    """The six cards hold three of a kind at least."""
    return any(due.bet == "six_card_bonus" and due.paid for due in round.judged.dues)


def refuse(bet: str, round: FaultyRound) -> None:
    """A winning side bet is collected."""
    due = [due for due in round.judged.dues if due.bet == bet][-1]
    round.subject = due.wager_id
    money.pay(round, due, paid=0, collected=due.stake, returned=0)


FAULTS = (
    *faults("player_a", "pair_plus", "tie", deal_early),
    UNREAD,
    SeededFault("REC-03/class", "another class is entered", settle=enter_another_class),
    SeededFault("REC-07", "two cards are crossed", disturb=cross, needs=raises("DEAL_ORDER")),
    SeededFault("DEAL-02", "a seventh card is dealt", disturb=deal_one_more),
    SeededFault(
        "DEAL-02/short",
        "the sixth card is not dealt",
        also=("PAY-08", "IRR-04"),
        disturb=stop_short,
        settle=money.take_the_result,
    ),
    SeededFault(
        "PAY-07",
        "a main bet is taken on a tie",
        bets=bets.bet_on("player_a"),
        deal=deal_a_tie,
        settle=take_the_refund,
    ),
    SeededFault(
        "PAY-02/pair_plus",
        "a pair is not paid because its hand lost",
        bets=back_everything,
        needs=a_pair_that_lost,
        settle=lambda round: refuse("pair_plus_a", round),
    ),
    SeededFault(
        "PAY-02/six_cards",
        "the bonus is read from three cards",
        bets=back_everything,
        needs=the_bonus_wins,
        settle=lambda round: refuse("six_card_bonus", round),
    ),
)

"""What can go wrong on purpose at an Andar Bahar table."""

from replay.games import andar_bahar as game
from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.deck import change_hands, dealt, faults, pull_forward, stop_short
from replay.simulate.faults.shared.shoe import raises, table
from schemas import events as e


def deal_early(round: FaultyRound) -> None:
    """The first card to a side is out before betting is closed."""
    pull_forward(dealt(round)[1], round)


def cross_sides(round: FaultyRound) -> None:
    """The first card of each side lies on the other one."""
    cards = dealt(round)[1:]
    if len(cards) > 1:
        change_hands(cards[0], cards[1])


def deal_past_the_match(round: FaultyRound) -> None:
    """One card more is dealt after the match."""
    count = len(dealt(round)) - 1
    table(round).draw(round.script, game.SIDES[count % 2], count // 2 + 1)


def bet_early(round: FaultyRound) -> None:
    """A wager is taken before the Game Card is turned."""
    turned, _ = round.script.first(e.CardDrawn)
    placed = bets.one_more(round, "andar", 100_000)
    round.script.insert(turned, "console", placed, -300)
    closed, _ = round.script.first(e.BettingClosed)
    round.script.insert(closed, "chips", e.StakeRead(placed.wager_id, placed.stake))
    round.costs(placed.wager_id, placed.stake)


def back_andar_in_both_modes(round: FaultyRound) -> None:
    """A newcomer bets on Andar in either mode."""
    player = round.table.party.guest()
    bets.one_more(round, "andar", 200_000, player)
    bets.one_more(round, f"andar{game.NO_COMMISSION}", 200_000, player)


def first_card_matches(round: FaultyRound) -> bool:
    """Andar's first card ends the round."""
    return round.judged.ruled.result == "andar 1"


def andar_wins(round: FaultyRound) -> bool:
    """Andar wins, with whatever card."""
    return round.judged.ruled.result.startswith("andar ")


def pay_the_first_card_whole(round: FaultyRound) -> None:
    """No Commission Andar is paid even money although the first card matched."""
    due = _own(round, f"andar{game.NO_COMMISSION}")
    money.pay(round, due, paid=due.stake)


def book_a_commission(round: FaultyRound) -> None:
    """Nine tenths are paid as even money less a commission."""
    due = _own(round, "andar")
    money.pay(round, due, commission=due.stake - due.paid)


def _own(round: FaultyRound, bet: str) -> Due:
    """The newcomer's wager on a bet, which is the last one on it."""
    due = [due for due in round.judged.dues if due.bet == bet][-1]
    round.subject = due.wager_id
    return due


FAULTS = (
    *faults("andar", "first_3:nc", "bahar 50", deal_early),
    SeededFault(
        "DEAL-08", "the sides are crossed", disturb=cross_sides, needs=raises("DEAL_ORDER")
    ),
    SeededFault("DEAL-08/past", "a card is dealt after the match", disturb=deal_past_the_match),
    SeededFault(
        "DEAL-08/no_match",
        "the round ends before a card matches",
        also=("PAY-08",),
        disturb=stop_short,
        settle=money.take_the_result,
    ),
    SeededFault("BET-16/early", "a wager before the Game Card", disturb=bet_early),
    SeededFault(
        "PAY-01/first_card",
        "a first card is paid even money",
        bets=back_andar_in_both_modes,
        needs=first_card_matches,
        settle=pay_the_first_card_whole,
    ),
    SeededFault(
        "PAY-04",
        "a commission is booked where there is none",
        bets=back_andar_in_both_modes,
        needs=andar_wins,
        settle=book_a_commission,
    ),
)

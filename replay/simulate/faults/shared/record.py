"""Faults of the record that every table can show: incomplete, changed, mislabelled or reopened."""

from dataclasses import replace

from replay import rulebooks
from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared.money import SLIP, a_loser, a_winner, won
from replay.simulate.script import BESIDE_MS
from schemas import events as e

# Games with boxes, or with a word of their own for a settlement of no wager.
WITH_THEIR_OWN = ("NN", "SA-BJ", "TB", "TH")
OTHERS = tuple(code for code in rulebooks.codes() if code not in WITH_THEIR_OWN)


def forget_a_wager(round: FaultyRound) -> None:
    """One wager is never settled."""
    act, paid = list(round.script.each(e.WagerSettled))[-1]
    round.script.drop(act)
    round.subject = paid.wager_id
    round.costs(paid.wager_id, -won(paid))


def pay_again(round: FaultyRound) -> None:
    """A winner's winnings are handed over a second time."""
    due = round.due("win")
    assert due is not None
    act, _ = round.settled(due.wager_id)
    again = e.WagerSettled(due.wager_id, due.paid, due.commission)
    round.script.insert(act, "console", again)
    round.costs(due.wager_id, due.paid)
    round.subject = f"{due.wager_id} settled again"


def pay_nobody(round: FaultyRound) -> None:
    """Chips are handed out under an id that is no wager's."""
    act, _ = round.script.first(e.WagerSettled)
    name = f"{round.script.round_id}-99"
    round.script.insert(act, "console", e.WagerSettled(name, 0, returned=SLIP))
    round.costs(name, SLIP)
    round.subject = f"{name} settled, unknown"


def pay_what_was_taken_back(round: FaultyRound) -> None:
    """A wager that was taken back in time is given back once more."""
    act, placed = round.script.first(e.WagerPlaced)
    other = replace(placed, wager_id=f"{round.script.round_id}-98")
    round.script.insert(act, "console", other)
    round.script.insert(act, "console", e.WagerWithdrawn(other.wager_id), 2 * BESIDE_MS)
    settled, _ = round.script.first(e.WagerSettled)
    round.script.insert(settled, "console", e.WagerSettled(other.wager_id, 0, returned=other.stake))
    round.costs(other.wager_id, other.stake)
    round.subject = f"{other.wager_id} settled, taken back"


def use_an_id_twice(round: FaultyRound) -> None:
    """Chips of a guest are entered under the id of a wager that lies there already."""
    act, placed = round.script.first(e.WagerPlaced)
    other = replace(placed, player_id=round.table.party.guest(), stake=2 * placed.stake)
    round.script.insert(act, act.device, other)
    round.subject = f"{placed.wager_id} placed again"


def enter_twice_the_chips(round: FaultyRound) -> None:
    """A wager that wins was entered for twice what lies there, and is paid as entered."""
    due = _winner_with_a_reading(round)
    assert due is not None
    round.subject = due.wager_id
    for act, read in round.script.each(e.StakeRead):
        if read.wager_id == due.wager_id:
            act.payload = replace(read, amount=read.amount // 2)
            round.gaps[due.wager_id] = read.amount - read.amount // 2


def enter_nothing(round: FaultyRound) -> None:
    """The sensor reads chips on a place, and nobody enters a wager for them."""
    act, _ = list(round.script.each(e.StakeRead))[-1]
    round.subject = f"{round.script.round_id}-97"
    round.script.insert(act, act.device, e.StakeRead(round.subject, SLIP))


def enter_over_nothing(round: FaultyRound) -> None:
    """A wager that wins was entered where the sensor saw no chips."""
    due = _winner_with_a_reading(round)
    assert due is not None
    round.subject = due.wager_id
    for act, read in list(round.script.each(e.StakeRead)):
        if read.wager_id == due.wager_id:
            round.gaps[due.wager_id] = read.amount
            round.script.drop(act)


def a_winner_among_readings(round: FaultyRound) -> bool:
    """The sensor read the chips of a wager that wins, and of two others at least."""
    read = {at.wager_id for _, at in round.script.each(e.StakeRead)}
    return len(read) > 2 and a_winner_with_a_reading(round)


def a_winner_with_a_reading(round: FaultyRound) -> bool:
    """The sensor read the chips of a wager that wins."""
    return _winner_with_a_reading(round) is not None


def a_reading(round: FaultyRound) -> bool:
    """The sensor read some chips in a round that is settled."""
    return a_round_with_wagers(round) and round.script.has(e.StakeRead)


def never_close(round: FaultyRound) -> None:
    """The round is never closed."""
    act, _ = round.script.first(e.RoundClosed)
    round.script.drop(act)


def post_another_edition(round: FaultyRound) -> None:
    """The sign names an edition that nobody knows; the right one goes up after the round."""
    round.pause.say("pit", replace(round.table.terms, edition="99/01.01.2099"), 500, 900)
    round.table.post_terms = True


def fill_the_table(round: FaultyRound) -> None:
    """Every seat is taken before the round, so the sensor has many wagers to read."""
    round.table.party.fills = True


def nobody_moves(round: FaultyRound) -> None:
    """Nobody comes or goes before the round, so nothing else depends on it."""
    round.table.party.stays = True


def post_nothing(round: FaultyRound) -> None:
    """The first round is dealt before any terms are posted."""
    round.table.post_terms = False


def post_at_last(round: FaultyRound) -> None:
    """The terms go up after the round."""
    round.table.post_terms = True


def correct_own_work(round: FaultyRound) -> None:
    """The dealer of the round corrects the record."""
    _correct(round, "dealer", None)


def correct_long_after(round: FaultyRound) -> None:
    """A correction claims a time long before it was entered."""
    closing, _ = round.script.first(e.RoundClosed)
    _correct(round, "pit_supervisor", closing.at - 15 * 60_000_000)


def change_the_sign(round: FaultyRound) -> None:
    """The limit sign is changed while a round is open."""
    opened, _ = round.script.first(e.RoundOpened)
    terms = round.table.terms
    higher = tuple(replace(limit, maximum=limit.maximum + limit.minimum) for limit in terms.limits)
    round.script.insert(opened, "pit", replace(terms, limits=higher))


def keep_the_sign(round: FaultyRound) -> None:
    """The changed sign stays."""
    _, round.table.terms = round.script.first(e.TermsPosted)


def void_for_nothing(round: FaultyRound) -> None:
    """A good round is declared void and every stake is given back."""
    for act, paid in round.script.each(e.WagerSettled):
        chips = paid.returned + paid.collected + paid.reserve_taken
        act.payload = e.WagerSettled(paid.wager_id, 0, returned=chips)
        round.costs(paid.wager_id, -won(paid))
    round.script.say("console", e.RoundVoided(reason="misdeal"))
    round.status = "void"


def settle_again(round: FaultyRound) -> None:
    """A wager of the closed round gets its stake back after all."""
    lost = round.due("lose")
    assert lost is not None
    back = e.WagerSettled(lost.wager_id, 0, returned=lost.stake)
    round.script.say("console", back, 1_000, 1_500)
    round.subject = lost.wager_id
    round.costs(lost.wager_id, lost.stake)


def a_round_with_wagers(round: FaultyRound) -> bool:
    """At least one wager stands in a round that is settled."""
    return bool(round.judged.dues) and round.judged.ruled.status == "settled"


def a_plain_pause_follows(round: FaultyRound) -> bool:
    """Nothing is changed at the table before the next round."""
    return a_round_with_wagers(round) and not round.play.finished


def _winner_with_a_reading(round: FaultyRound) -> Due | None:
    read = {at.wager_id for _, at in round.script.each(e.StakeRead)}
    won_on = (due for due in round.judged.dues if due.outcome == "win" and due.wager_id in read)
    return next(won_on, None)


def _correct(round: FaultyRound, rank: str, claimed_at: int | None) -> None:
    closing, _ = round.script.first(e.RoundClosed)
    wrong, placed = round.script.first(e.WagerPlaced)
    author = round.table.staff.person(rank)
    correction = e.CorrectionMade("", author, rank, "mistyped", claimed_at)
    round.script.insert(closing, "pit", correction, -300).corrects = wrong
    round.subject = placed.wager_id


FAULTS = (
    SeededFault(
        "INT-06", "a wager is never settled", needs=a_round_with_wagers, settle=forget_a_wager
    ),
    SeededFault(
        "INT-06/open", "a round is never closed", needs=a_plain_pause_follows, finish=never_close
    ),
    SeededFault(
        "INT-06/repeated",
        "two wagers are entered under one id",
        needs=a_round_with_wagers,
        finish=use_an_id_twice,
    ),
    SeededFault(
        "INT-06/twice",
        "a winner is paid twice",
        also=("PAY-01",),
        needs=a_winner,
        settle=pay_again,
    ),
    SeededFault(
        "INT-06/nobody",
        "chips go out for no wager",
        games=OTHERS,
        needs=a_round_with_wagers,
        settle=pay_nobody,
    ),
    SeededFault(
        "INT-06/taken_back",
        "a wager taken back in time is given back",
        games=OTHERS,
        needs=a_round_with_wagers,
        settle=pay_what_was_taken_back,
    ),
    SeededFault(
        "INT-08",
        "the sign names an unknown edition",
        before=nobody_moves,
        pause=post_another_edition,
        unjudged=True,
    ),
    SeededFault(
        "INT-08/missing",
        "a round is dealt before terms are posted",
        before=post_nothing,
        finish=post_at_last,
        first_round=True,
        unjudged=True,
    ),
    SeededFault(
        "INT-11",
        "the dealer corrects the own record",
        needs=a_round_with_wagers,
        finish=correct_own_work,
    ),
    SeededFault(
        "INT-11/backdated",
        "a correction is dated back",
        needs=a_round_with_wagers,
        finish=correct_long_after,
    ),
    SeededFault(
        "REC-10",
        "a wager is entered for twice its chips",
        needs=a_winner_with_a_reading,
        settle=enter_twice_the_chips,
    ),
    SeededFault(
        "REC-10/unread",
        "a wager is entered where no chips lie",
        before=fill_the_table,
        needs=a_winner_among_readings,
        settle=enter_over_nothing,
    ),
    SeededFault(
        "REC-10/unentered",
        "chips lie there and nobody enters a wager",
        needs=a_reading,
        settle=enter_nothing,
    ),
    SeededFault(
        "BET-19",
        "the limits change in an open round",
        disturb=change_the_sign,
        finish=keep_the_sign,
    ),
    SeededFault(
        "IRR-04",
        "a good round is declared void",
        also=("PAY-02", "PAY-03", "PAY-06", "PAY-07"),
        needs=a_round_with_wagers,
        settle=void_for_nothing,
    ),
    SeededFault(
        "IRR-05",
        "a closed round is settled anew",
        needs=a_loser,
        finish=settle_again,
    ),
)

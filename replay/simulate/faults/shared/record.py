"""Faults of the record that every table can show: incomplete, changed, mislabelled or reopened."""

from dataclasses import replace

from replay.settle import Due
from replay.simulate.faults.fault import Fault, Scene
from replay.simulate.faults.shared.money import SLIP, a_loser, a_winner, won
from replay.simulate.script import BESIDE_MS
from schemas import events as e

# Games without boxes and without a word of their own for a settlement of no wager.
OTHERS = (
    *("RO", "SA-AB", "SA-BC", "SA-DT", "SA-FPC", "SA-HL", "SA-PD", "SA-RO", "SA-SB", "SA-TP"),
    "SA-XD",
)


def forget_a_wager(scene: Scene) -> None:
    """One wager is never settled."""
    act, paid = list(scene.script.each(e.WagerSettled))[-1]
    scene.script.drop(act)
    scene.subject = paid.wager_id
    scene.costs(paid.wager_id, -won(paid))


def pay_again(scene: Scene) -> None:
    """A winner's winnings are handed over a second time."""
    due = scene.due("win")
    assert due is not None
    act, _ = scene.settled(due.wager_id)
    again = e.WagerSettled(due.wager_id, due.paid, due.commission)
    scene.script.insert(act, "console", again)
    scene.costs(due.wager_id, due.paid)
    scene.subject = f"{due.wager_id} settled again"


def pay_nobody(scene: Scene) -> None:
    """Chips are handed out under an id that is no wager's."""
    act, _ = scene.script.first(e.WagerSettled)
    name = f"{scene.script.round_id}-99"
    scene.script.insert(act, "console", e.WagerSettled(name, 0, returned=SLIP))
    scene.costs(name, SLIP)
    scene.subject = f"{name} settled, unknown"


def pay_what_was_taken_back(scene: Scene) -> None:
    """A wager that was taken back in time is given back once more."""
    act, placed = scene.script.first(e.WagerPlaced)
    other = replace(placed, wager_id=f"{scene.script.round_id}-98")
    scene.script.insert(act, "console", other)
    scene.script.insert(act, "console", e.WagerWithdrawn(other.wager_id), 2 * BESIDE_MS)
    settled, _ = scene.script.first(e.WagerSettled)
    scene.script.insert(settled, "console", e.WagerSettled(other.wager_id, 0, returned=other.stake))
    scene.costs(other.wager_id, other.stake)
    scene.subject = f"{other.wager_id} settled, taken back"


def use_an_id_twice(scene: Scene) -> None:
    """Chips of a guest are entered under the id of a wager that lies there already."""
    act, placed = scene.script.first(e.WagerPlaced)
    other = replace(placed, player_id=scene.table.party.guest(), stake=2 * placed.stake)
    scene.script.insert(act, act.device, other)
    scene.subject = f"{placed.wager_id} placed again"


def enter_twice_the_chips(scene: Scene) -> None:
    """A wager that wins was entered for twice what lies there, and is paid as entered."""
    due = _winner_with_a_reading(scene)
    assert due is not None
    scene.subject = due.wager_id
    for act, read in scene.script.each(e.StakeRead):
        if read.wager_id == due.wager_id:
            act.payload = replace(read, amount=read.amount // 2)
            scene.gaps[due.wager_id] = read.amount - read.amount // 2


def enter_nothing(scene: Scene) -> None:
    """The sensor reads chips on a place, and nobody enters a wager for them."""
    act, _ = list(scene.script.each(e.StakeRead))[-1]
    scene.subject = f"{scene.script.round_id}-97"
    scene.script.insert(act, act.device, e.StakeRead(scene.subject, SLIP))


def enter_over_nothing(scene: Scene) -> None:
    """A wager that wins was entered where the sensor saw no chips."""
    due = _winner_with_a_reading(scene)
    assert due is not None
    scene.subject = due.wager_id
    for act, read in list(scene.script.each(e.StakeRead)):
        if read.wager_id == due.wager_id:
            scene.gaps[due.wager_id] = read.amount
            scene.script.drop(act)


def a_winner_among_readings(scene: Scene) -> bool:
    """The sensor read the chips of a wager that wins, and of two others at least."""
    read = {at.wager_id for _, at in scene.script.each(e.StakeRead)}
    return len(read) > 2 and a_winner_with_a_reading(scene)


def a_winner_with_a_reading(scene: Scene) -> bool:
    """The sensor read the chips of a wager that wins."""
    return _winner_with_a_reading(scene) is not None


def a_reading(scene: Scene) -> bool:
    """The sensor read some chips in a round that is settled."""
    return a_round_with_wagers(scene) and scene.script.has(e.StakeRead)


def never_close(scene: Scene) -> None:
    """The round is never closed."""
    act, _ = scene.script.first(e.RoundClosed)
    scene.script.drop(act)


def post_another_edition(scene: Scene) -> None:
    """The sign names an edition that nobody knows; the right one goes up after the round."""
    scene.pause.say("pit", replace(scene.table.terms, edition="99/01.01.2099"), 500, 900)
    scene.table.post_terms = True


def fill_the_table(scene: Scene) -> None:
    """Every seat is taken before the round, so the sensor has many wagers to read."""
    scene.table.party.fills = True


def nobody_moves(scene: Scene) -> None:
    """Nobody comes or goes before the round, so nothing else depends on it."""
    scene.table.party.stays = True


def post_nothing(scene: Scene) -> None:
    """The first round is dealt before any terms are posted."""
    scene.table.post_terms = False


def post_at_last(scene: Scene) -> None:
    """The terms go up after the round."""
    scene.table.post_terms = True


def correct_own_work(scene: Scene) -> None:
    """The dealer of the round corrects the record."""
    _correct(scene, "dealer", None)


def correct_long_after(scene: Scene) -> None:
    """A correction claims a time long before it was entered."""
    closing, _ = scene.script.first(e.RoundClosed)
    _correct(scene, "pit_supervisor", closing.at - 15 * 60_000_000)


def change_the_sign(scene: Scene) -> None:
    """The limit sign is changed while a round is open."""
    opened, _ = scene.script.first(e.RoundOpened)
    terms = scene.table.terms
    higher = tuple(replace(at, maximum=at.maximum + at.minimum) for at in terms.limits)
    scene.script.insert(opened, "pit", replace(terms, limits=higher))


def keep_the_sign(scene: Scene) -> None:
    """The changed sign stays."""
    _, scene.table.terms = scene.script.first(e.TermsPosted)


def void_for_nothing(scene: Scene) -> None:
    """A good round is declared void and every stake is given back."""
    for act, paid in scene.script.each(e.WagerSettled):
        chips = paid.returned + paid.collected + paid.reserve_taken
        act.payload = e.WagerSettled(paid.wager_id, 0, returned=chips)
        scene.costs(paid.wager_id, -won(paid))
    scene.script.say("console", e.RoundVoided(reason="misdeal"))
    scene.status = "void"


def settle_again(scene: Scene) -> None:
    """A wager of the closed round gets its stake back after all."""
    lost = scene.due("lose")
    assert lost is not None
    back = e.WagerSettled(lost.wager_id, 0, returned=lost.stake)
    scene.script.say("console", back, 1_000, 1_500)
    scene.subject = lost.wager_id
    scene.costs(lost.wager_id, lost.stake)


def a_round_with_wagers(scene: Scene) -> bool:
    """At least one wager stands in a round that is settled."""
    return bool(scene.judged.dues) and scene.judged.ruled.status == "settled"


def a_plain_pause_follows(scene: Scene) -> bool:
    """Nothing is changed at the table before the next round."""
    return a_round_with_wagers(scene) and not scene.play.finished


def _winner_with_a_reading(scene: Scene) -> Due | None:
    read = {at.wager_id for _, at in scene.script.each(e.StakeRead)}
    won_on = (due for due in scene.judged.dues if due.outcome == "win" and due.wager_id in read)
    return next(won_on, None)


def _correct(scene: Scene, rank: str, claimed_at: int | None) -> None:
    closing, _ = scene.script.first(e.RoundClosed)
    wrong, placed = scene.script.first(e.WagerPlaced)
    author = scene.table.staff.person(rank)
    correction = e.CorrectionMade("", author, rank, "mistyped", claimed_at)
    scene.script.insert(closing, "pit", correction, -300).corrects = wrong
    scene.subject = placed.wager_id


FAULTS = (
    Fault("INT-06", "a wager is never settled", needs=a_round_with_wagers, settle=forget_a_wager),
    Fault(
        "INT-06/open", "a round is never closed", needs=a_plain_pause_follows, finish=never_close
    ),
    Fault(
        "INT-06/repeated",
        "two wagers are entered under one id",
        needs=a_round_with_wagers,
        finish=use_an_id_twice,
    ),
    Fault(
        "INT-06/twice",
        "a winner is paid twice",
        also=("PAY-01",),
        needs=a_winner,
        settle=pay_again,
    ),
    Fault(
        "INT-06/nobody",
        "chips go out for no wager",
        games=OTHERS,
        needs=a_round_with_wagers,
        settle=pay_nobody,
    ),
    Fault(
        "INT-06/taken_back",
        "a wager taken back in time is given back",
        games=OTHERS,
        needs=a_round_with_wagers,
        settle=pay_what_was_taken_back,
    ),
    Fault(
        "INT-08",
        "the sign names an unknown edition",
        before=nobody_moves,
        pause=post_another_edition,
        unjudged=True,
    ),
    Fault(
        "INT-08/missing",
        "a round is dealt before terms are posted",
        before=post_nothing,
        finish=post_at_last,
        first_round=True,
        unjudged=True,
    ),
    Fault(
        "INT-11",
        "the dealer corrects the own record",
        needs=a_round_with_wagers,
        finish=correct_own_work,
    ),
    Fault(
        "INT-11/backdated",
        "a correction is dated back",
        needs=a_round_with_wagers,
        finish=correct_long_after,
    ),
    Fault(
        "REC-10",
        "a wager is entered for twice its chips",
        needs=a_winner_with_a_reading,
        settle=enter_twice_the_chips,
    ),
    Fault(
        "REC-10/unread",
        "a wager is entered where no chips lie",
        before=fill_the_table,
        needs=a_winner_among_readings,
        settle=enter_over_nothing,
    ),
    Fault(
        "REC-10/unentered",
        "chips lie there and nobody enters a wager",
        needs=a_reading,
        settle=enter_nothing,
    ),
    Fault(
        "BET-19",
        "the limits change in an open round",
        disturb=change_the_sign,
        finish=keep_the_sign,
    ),
    Fault(
        "IRR-04",
        "a good round is declared void",
        also=("PAY-02", "PAY-03", "PAY-06", "PAY-07"),
        needs=a_round_with_wagers,
        settle=void_for_nothing,
    ),
    Fault(
        "IRR-05",
        "a closed round is settled anew",
        needs=a_loser,
        finish=settle_again,
    ),
)

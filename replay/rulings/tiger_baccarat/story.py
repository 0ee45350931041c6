"""The derivation in sentences: cards, counts, draws, result, and what limits each wager."""

from collections.abc import Iterable, Iterator, Mapping

from replay.games import tiger_baccarat as game
from replay.ruled import Stand, Step
from replay.rulings.tiger_baccarat.record import TigerBaccaratRecord
from schemas import events as e
from schemas.cards import Card

# What a line flag means for its wager, with its clause.
MEANS: Mapping[str, tuple[str, str]] = {
    "BELOW_MIN": ("below the minimum", "TB:7.17"),
    "BELOW_MIN_REPEAT": ("the one time is used up, so it goes back", "TB:7.17"),
    "OVER_MAX": ("over the maximum, the excess goes back", "TB:7.18"),
    "PRO_RATA": ("scaled to the differential", "TB:7.19"),
    "PRO_RATA_EXEMPT": ("below the minimum, so it is not scaled", "TB:7.19.1"),
}


def story(record: TigerBaccaratRecord) -> Iterator[Step]:
    """From the wagers to the last card."""
    if record.wagers:
        total = sum(wager.stake for wager in record.wagers)
        text = f"{len(record.wagers)} wagers, {total:,} {record.terms.currency} in all"
        yield Step(text, ("TB:4.6",), record.seen(e.BettingClosed))
    if record.lying:
        shown = " ".join(card or "an unread card" for _, card in record.lying)
        yield Step(f"The hand opens with {shown}, drawn before it", ("TB:7.8",))
    read = record.read
    if read.used:
        evidence = tuple(id for at in read.used for id in at.evidence)
        order = " ".join(str(at.shoe or at.card) for at in read.used)
        yield Step(f"Cards in the order they left the shoe: {order}", ("TB:4.9.1",), evidence)
    if read.unread:
        yield Step(f"The deal is unknown: {read.unread}", ("TB:4.9.1",), read.doubt)
    elif len(read.used) >= len(game.OPENING):
        yield from _draws(read.deal)


def end(record: TigerBaccaratRecord, status: str, clauses: tuple[str, ...]) -> Iterator[Step]:
    """How the round ends."""
    if status in ("settled", "free_hand") and not record.read.unread:
        deal = record.read.deal
        counts = f"Player {game.points(deal.player)}, Banker {game.points(deal.banker)}"
        won = game.winner(deal)
        said = "a tie" if won == "tie" else f"{won} wins"
        yield Step(f"{counts}: {said}", ("TB:4.17", "TB:6.1"))
    if record.afterwards:
        text = "The cards were found wrong once the round was over: its outcome stands"
        yield Step(text, ("TB:7.1.2",), record.afterwards)
    if status == "free_hand":
        yield Step("A Free Hand: nothing is settled", clauses)
    if status == "void":
        yield Step("The round is void: every wager goes back", clauses)
    if status == "unsettled":
        yield Step("No card was dealt and the round is not closed: wagers stay open", clauses)


def limits(stands: Iterable[Stand]) -> Iterator[Step]:
    """What limits each wager, one step a reason."""
    for stand in stands:
        for flag in stand.flags:
            if flag in MEANS:
                text, clause = MEANS[flag]
                wager = stand.wager
                said = f"{wager.bet} {wager.stake:,} of {wager.player_id}: {text}"
                yield Step(said, (clause,), (wager.event_id,), wager.wager_id)


def _draws(deal: game.Deal) -> Iterator[Step]:
    natural = max(game.points(hand[:2]) for hand in deal) >= 8
    if natural:
        text = f"Player {_two(deal.player)}, Banker {_two(deal.banker)}: a natural, nobody draws"
        yield Step(text, ("TB:4.13",))
        return
    yield Step(f"Player {_two(deal.player)} {_third(deal.player)}", ("TB:4.14",))
    clause = "TB:4.15" if len(deal.player) == 3 else "TB:4.16"
    yield Step(f"Banker {_two(deal.banker)} {_third(deal.banker)}", (clause,))


def _two(hand: tuple[Card, ...]) -> str:
    return f"{' '.join(map(str, hand[:2]))} counts {game.points(hand[:2])}"


def _third(hand: tuple[Card, ...]) -> str:
    return f"and draws {hand[2]}: {game.points(hand)}" if len(hand) == 3 else "and takes no card"

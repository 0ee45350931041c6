"""Baccarat of SA Gaming: the derivation in sentences."""

from collections.abc import Iterator, Sequence

from replay.games import baccarat as game
from replay.games.laid_cards import Laid
from replay.rounds import Round
from replay.ruling import Step
from replay.wagers import Wager
from schemas import events as e
from schemas.cards import Card

ENDS = {
    "void": "The round was declared void before it had a result: every stake goes back",
    "unsettled": "The hands are not complete: the bets stay open",
}


def steps(
    round: Round, wagers: Sequence[Wager], laid: Laid, deal: game.Deal | None, status: str
) -> Iterator[Step]:
    """From the bets to the result."""
    if wagers:
        total = sum(wager.stake for wager in wagers)
        closed = tuple(
            at.event_id for at in round.events if isinstance(at.payload, e.BettingClosed)
        )
        yield Step(f"{len(wagers)} bets, {total:,} in all", ("SA-BC:2.2.1",), closed)
    if laid.dealt:
        hands = "; ".join(f"{name} {_shown(hand)}" for name, hand in laid.hands.items())
        yield Step(f"Cards: {hands}", ("SA-BC:2.2.2", "SA-BC:2.2.3"), laid.evidence)
    if deal:
        yield _thirds(deal)
        scores = f"Player {game.score(deal.player)}, Banker {game.score(deal.banker)}"
        won = game.winner(deal)
        said = "a tie" if won == "tie" else f"{won} wins"
        yield Step(f"{scores}: {said}", ("SA-BC:2.2.4",))
    elif status in ENDS:
        yield Step(ENDS[status], ("SA-BC:2.2.4",))


def _thirds(deal: game.Deal) -> Step:
    """Who drew, and by which rule."""
    firsts = [game.score(hand[:2]) for hand in deal]
    counts = f"Player {firsts[0]} and Banker {firsts[1]} on two cards"
    if max(firsts) >= 8:
        return Step(f"{counts}: a natural, both stand", ("SA-BC:2.3.1",))
    drew = [name for name, hand in zip(game.Deal._fields, deal, strict=True) if len(hand) > 2]
    banker = "SA-BC:2.3.4" if "player" in drew else "SA-BC:2.3.3"
    said = f"{' and '.join(drew)} drew" if drew else "both stand"
    return Step(f"{counts}: {said}", ("SA-BC:2.3.2", banker))


def _shown(hand: Sequence[Card]) -> str:
    return f"{' '.join(map(str, hand)) or 'none'} ({game.score(hand)})"

"""Which words a ruling may decide in, by game and clause."""

from collections.abc import Callable, Mapping
from functools import partial

from replay.rulings.holdem_bonus.decisions import SPOKEN as HOLDEM_BONUS
from replay.rulings.niu_niu.record import SPOKEN as NIU_NIU
from replay.rulings.roulette_hoiana import orders
from replay.rulings.shared.section_seven import decisions, within
from replay.rulings.tiger_baccarat.people import SPOKEN as TIGER_BACCARAT

# RO: each decision has its own clause, and those that other parts look at have these.
OF_ROULETTE = {word: clause for word, (clause, _) in orders.RANK.items()} | dict(
    zip(orders.ELSEWHERE, ("RO:4.7.4", "RO:8.4"), strict=True)
)


def known(game: str, clause: str) -> tuple[str, ...]:
    """The decisions that a game knows under a clause; none where it asks for no ruling."""
    return OF_GAME[game](clause) if game in OF_GAME else ()


def speaking(game: str) -> tuple[str, ...]:
    """The clauses under which a game leaves somebody a choice."""
    return tuple(dict.fromkeys(CHOICES.get(game, ())))


def _of_roulette(clause: str) -> tuple[str, ...]:
    """Those of the clause, of its parts, and of the one it is a part of."""
    return tuple(
        word for word, own in OF_ROULETTE.items() if within(clause, own) or within(own, clause)
    )


OF_GAME: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "tiger_baccarat": partial(decisions, section="TB:7", spoken=TIGER_BACCARAT),
    "niu_niu": partial(decisions, section="NN:7", spoken=NIU_NIU),
    "holdem_bonus": partial(decisions, section="TH:7", spoken=HOLDEM_BONUS),
    "roulette_hoiana": _of_roulette,
}
CHOICES = {
    "tiger_baccarat": TIGER_BACCARAT,
    "niu_niu": NIU_NIU,
    "holdem_bonus": HOLDEM_BONUS,
    "roulette_hoiana": sorted(OF_ROULETTE.values()),
}

"""How Fish Prawn Crab is played: three honest dice with six symbols."""

from replay.games.fish_prawn_crab import SYMBOLS
from replay.simulate.play.shared import betting
from replay.simulate.play.shared.shaking import Shaker


class Play(Shaker):
    """One table's shaker."""

    faces = SYMBOLS
    simple = tuple(f"symbol:{symbol}" for symbol in SYMBOLS)
    long_shots = (
        "double:fish+prawn", "double:fish+crab", "double:prawn+crab", "double:calabash+tiger",
        "double:tiger+crab", "double:crab+rooster", "any_triple_color", "any_triple_symbol",
    )  # fmt: skip
    limits = betting.limits(
        ("symbol", 100_000, 20_000_000),
        ("double any_triple_color any_triple_symbol", 50_000, 2_000_000),
    )

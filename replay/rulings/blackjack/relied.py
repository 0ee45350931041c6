"""Blackjack: the rule issues with one reading that a round rests on."""

from collections.abc import Iterable

from replay.betting_end import decided_by
from replay.rulings.blackjack.scene import Remark, Scene
from replay.rulings.shared import dealt_round


def relied(scene: Scene, remarks: Iterable[Remark]) -> dict[str, str]:
    """How each such issue was read."""
    return dealt_round.read_as(
        scene.terms,
        {
            "betting_ends": decided_by(scene.round.events, scene.round.betting_end),
            "limits": any(remark.code == "OFF_LIMITS" for remark in remarks),
        },
    )
